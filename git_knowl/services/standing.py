"""What a draft rests on, as it is where the reviewer stands (docs/decisions/0003)."""

from __future__ import annotations

from collections.abc import Iterator

from git_knowl.anchors.evaluate import judge_entries
from git_knowl.model.draft import Draft
from git_knowl.model.entry import Entry
from git_knowl.model.status import ACTIVE
from git_knowl.services.context import Context
from git_knowl.services.judging import others
from git_knowl.services.verify import Evidence
from git_knowl.store.snapshot import DamagedEntryError, find_entry


def live(ctx: Context, draft: Draft) -> Entry | None:
    """Return the entry a draft is about, or None where it is not live or cannot be read."""
    try:
        found = find_entry(ctx.store.view(), draft.target) if draft.target else None
    except DamagedEntryError:
        return None
    return found[1] if found else None


def evidence_here(ctx: Context, draft: Draft, entry: Entry | None) -> Evidence | None:
    """Return what an entry rests on with its verdict in the reviewer's files."""
    if entry is None:
        return None
    return Evidence(entry, draft.lane, judge_entries([entry], ctx.world, others(ctx))[entry.id])


def differing(evidence: Evidence | None) -> Iterator[str]:
    """Yield in words what is not as it was when the text was written."""
    for anchor in evidence.verdict.anchors if evidence else ():
        if anchor.status != ACTIVE:
            yield f"{anchor.target} is {anchor.status} here: {anchor.reason}"
