"""What others wrote to the store since this agent looked last."""

from __future__ import annotations

import os

from git_knowl.model.text import for_agent
from git_knowl.model.tiers import TIERS
from git_knowl.plumbing.process import GitError
from git_knowl.services.agents.cards import card
from git_knowl.services.agents.watermark import NONE
from git_knowl.services.index import line_text
from git_knowl.store import layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_knowl.services.agents.memory import Memory
    from git_knowl.services.agents.touching import Asked
    from git_knowl.services.context import Context
    from git_knowl.store.cache import EntryRow

HEADING = "Written to the store while you worked:\n"
MOST = 5
_ALL = ("ls-tree", "-r", "-z", "--name-only")
_DIFF = ("diff-tree", "-r", "-z", "--no-renames", "--name-only")


def changes(
    asked: Asked, memory: Memory, marks: tuple[str, str], written: frozenset[str] | None = None
) -> str:
    """Return what others wrote or retired between two marks.

    ``written`` are words of a call of the agent's own: what they name it wrote itself, and all of
    it where they name nothing.
    """
    pairs = zip(*(mark.split() for mark in marks), strict=False)
    found = by_others([one for old, new in pairs for one in moved(asked.ctx, old, new)], written)
    rows = asked.admitted(found) if found else []
    lines = [
        *(line_text(row, status) for row, status in judged(asked, rows[:MOST])),
        *retired(asked, memory, found),
    ]
    left = len(rows[MOST:]) + len(lines[MOST:])
    more = [f"and {left} more\n"] if left else []
    return card(HEADING, [*lines[:MOST], *more])


def by_others(changed: Sequence[tuple[str, str]], written: frozenset[str] | None) -> set[str]:
    """Return the ids of what was changed, as (id, name), without what the agent wrote itself."""
    ids = {one for one, _ in changed}
    if written is None:
        return ids
    own = {one for one, name in changed if not written.isdisjoint((one, name))}
    return ids - own if own else set()


def judged(asked: Asked, rows: Sequence[EntryRow]) -> list[tuple[EntryRow, str]]:
    """Return some entries, each with its status."""
    statuses = asked.statuses(row.id for row in rows)
    return [(row, statuses[row.id]) for row in rows]


def retired(asked: Asked, memory: Memory, ids: set[str]) -> list[str]:
    """Return a line for each that was retired; where tiers are kept out, only if it was told."""
    live = {row.id for row in asked.cache.by_ids(ids)}
    gone = ids - live
    if asked.trusted != TIERS:
        gone = {one for one in gone if not memory.told.keys().isdisjoint((one, f"?{one}"))}
    stones = asked.cache.retired() if gone else []
    names = {for_agent(one.name, single_line=True) for one in stones if one.id in gone}
    return [f"- {name} was retired\n" for name in sorted(names)]


def moved(ctx: Context, old: str, new: str) -> list[tuple[str, str]]:
    """Return id and name of the entries that differ; none where a state is not known any more."""
    if new in (old, NONE):
        return []
    asked = (*_ALL, new) if old == NONE else (*_DIFF, old, new)
    try:
        out = ctx.repo.git(*asked, "--", layout.ENTRIES)
    except GitError:
        return []
    found = map(layout.parse_entry_path, os.fsdecode(out).split("\0"))
    return [parsed for parsed in found if parsed]
