"""Which blobs symbols were looked for in before: asked on the way of a git command, nothing parsed.

This module is light; what was read there is the affair of the ledger.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from git_knowl.plumbing.repository import Repository
else:
    import _sqlite3 as sqlite3  # what `sqlite3` puts around it are dates, half a bare start

FILE = "symbols-v1.sqlite"
_BUSY_SECONDS = 1.0
_SELECT = "SELECT 1 FROM reading WHERE blob = ? LIMIT 1"


def looked_into(repo: Repository, blobs: Iterable[str]) -> frozenset[str]:
    """Return those of the blobs in which a symbol was looked for; none where nobody knows."""
    path = repo.shared_path(FILE)
    if not os.path.exists(path):
        return frozenset()
    try:
        rows = sqlite3.connect(path, timeout=_BUSY_SECONDS)
        try:
            return frozenset(one for one in blobs if rows.execute(_SELECT, (one,)).fetchone())
        finally:
            rows.close()
    except sqlite3.Error:
        return frozenset()
