"""Floor 1: frozen values and pure rules; no input or output, no clock, no environment, no git."""
