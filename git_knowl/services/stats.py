"""Counts over the life of the store: entries, flags, and what became of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from git_knowl.services.context import Context
from git_knowl.store import history
from git_knowl.store.inbox import read_inbox


@dataclass(frozen=True, slots=True)
class Stats:
    """Numbers by word: live entries by type, lane and review, flags by outcome and cue, operations.

    ``reviewed`` says by which door: in a terminal, on the page, unattended.
    """

    entries: dict[str, int]
    lanes: dict[str, int]
    reviewed: dict[str, int]
    retired: int
    flags: dict[str, int]
    cues: dict[str, int]
    drafts: dict[str, int]
    operations: dict[str, int]


def stats(ctx: Context) -> Stats:
    """Return the counts of this clone."""
    rows = ctx.cache.entry_rows()
    view = ctx.store.view()
    inbox = read_inbox(view)
    return Stats(
        entries=dict(Counter(row.type for row in rows)),
        lanes=dict(Counter(row.lane for row in rows)),
        reviewed=dict(Counter(row.how for row in rows)),
        retired=len(ctx.cache.retired()),
        flags=dict(Counter(outcome_word(flag.outcome) for flag in inbox.flags)),
        cues=dict(Counter(flag.cue or "none" for flag in inbox.flags)),
        drafts=dict(Counter(draft.kind for draft in inbox.drafts)),
        operations=dict(Counter(one.op or "other" for one in history.log(ctx.store, view))),
    )


def outcome_word(outcome: str) -> str:
    """Return the first word of an outcome, such as captured, discarded, expired or pending."""
    return outcome.split(maxsplit=1)[0].rstrip(":")
