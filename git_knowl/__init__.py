"""git-knowl: reviewed knowledge in the repository's own object database, off every branch."""

__version__ = "0.1.0"
