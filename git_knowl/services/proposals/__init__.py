"""Flags and drafts that travel on request, for somebody else to review."""
