"""A labelled set for the secret filter, and what it catches and touches."""
