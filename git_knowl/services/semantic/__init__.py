"""Likeness in meaning, for who turned it on: a small model that runs on this machine alone.

Nothing here is loaded unless ``knowl.semantic`` is set, and nothing is ever fetched.
"""
