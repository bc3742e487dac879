"""What is purged, or to be: how it is told from the rest, in files, records and messages."""
