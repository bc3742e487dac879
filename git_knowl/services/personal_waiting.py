"""What waits for a person in the personal store, so that a review elsewhere can tell of it."""

from __future__ import annotations

from git_knowl.services.context import Context
from git_knowl.store.inbox import read_inbox


def waiting(personal: Context, *, unattended: bool) -> int:
    """Return how many drafts and conflicts wait there, or how many ``unattended`` texts."""
    rows = personal.cache.entry_rows()
    if unattended:
        return sum(row.is_unattended for row in rows)
    return len(read_inbox(personal.store.view()).drafts) + sum(row.conflict for row in rows)
