"""Taking a text out of the store and of its whole history, in this clone."""
