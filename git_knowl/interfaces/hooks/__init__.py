"""The door of git's hooks: standard library and git alone, never in the way of the user's git."""
