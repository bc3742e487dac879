"""The door of the short paths: `flag` and a warm `index`, by the standard library and git alone."""
