"""The door of agent hosts: standard library and git alone, and never an error they must handle."""
