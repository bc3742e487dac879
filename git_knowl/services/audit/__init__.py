"""Verdicts over the whole store: asked for, reviewed, and how healthy it is."""
