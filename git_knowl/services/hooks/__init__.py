"""Git hooks of this clone: what is installed, by whom, and whether they fire."""
