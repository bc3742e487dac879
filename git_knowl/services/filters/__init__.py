"""Judges of a text: secrets, near-duplicates, noise. Pure: the same text, the same answer."""
