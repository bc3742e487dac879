"""Two histories of the shared lane become one: entry by entry, field by field."""
