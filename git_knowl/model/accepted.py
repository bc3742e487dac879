"""Which accepted fingerprints are the same evidence, and how many of them an anchor keeps."""

from git_knowl.model.anchor import Fingerprint

#: How many accepted fingerprints of one text an anchor keeps.
KEPT = 8
#: The fields of fingerprints, of whatever kind, that say what was found.
CONTENT = ("sha256", "digest", "algorithm", "version", "integrity", "state")


def identity(item: Fingerprint) -> tuple[object, ...]:
    """Return what makes two fingerprints the same evidence, whoever accepted them."""
    return tuple(getattr(item, name, None) for name in CONTENT)
