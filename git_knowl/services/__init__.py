"""Floor 4: one module a verb; functions that take store, world and clock and return a result."""
