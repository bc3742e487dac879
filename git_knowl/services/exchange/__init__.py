"""Entries that leave as files and files that become drafts."""
