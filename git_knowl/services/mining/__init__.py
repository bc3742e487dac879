"""Flags from an old history."""
