"""The three verdicts and how they combine.

This module stays free of imports: the short paths (`index`, hooks) load it.
"""

ACTIVE = "active"
SUSPECT = "suspect"
UNKNOWN = "unknown"
STATUSES = (SUSPECT, UNKNOWN, ACTIVE)


def combine(statuses: "list[str] | tuple[str, ...]") -> str:
    """Return the verdict of an entry from those of its anchors.

    Suspect outranks unknown, so a proven change is never masked; no anchor at all is active.
    """
    for status in STATUSES:
        if status in statuses:
            return status
    return ACTIVE
