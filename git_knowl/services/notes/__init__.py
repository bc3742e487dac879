"""The notes on commits: a projection of the store for this clone."""
