"""Which texts can be handed to git and the system as a path at all."""

from __future__ import annotations

import os

#: Bytes of the longest path that systems open, and beyond which git gives up as well.
LONGEST = 4_096


def is_sayable(path: str) -> bool:
    """Tell whether a text can be a path: not empty, not endless, of bytes that a name may have."""
    if not path or "\0" in path or len(path) > LONGEST:
        return False
    try:
        return len(os.fsencode(path)) <= LONGEST
    except UnicodeEncodeError:
        return False


def leads_outside(path: str) -> bool:
    """Tell whether a path from the top names nothing that git could keep in this repository."""
    if not is_sayable(path):
        return True
    return any(part in ("", ".", "..") or part.lower() == ".git" for part in path.split("/"))
