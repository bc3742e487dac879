"""Floor 5: the doors; parse, call one service, render."""
