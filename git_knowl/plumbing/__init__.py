"""Floor 2: the only code that touches git."""
