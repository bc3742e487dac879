"""One module a verb, each with an attribute ``command``."""
