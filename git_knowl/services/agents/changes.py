"""What others wrote to the store since this agent looked last."""

from __future__ import annotations

import os

from git_knowl.plumbing.process import GitError
from git_knowl.services.agents.cards import card
from git_knowl.services.index import line_text
from git_knowl.store import layout
from git_knowl.store.cache_file import LANES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.services.agents.memory import Memory
    from git_knowl.services.agents.touching import Asked
    from git_knowl.services.context import Context

HEADING = "Written to the store while you worked:\n"
MOST = 5
#: Stands for a lane without any commit.
NONE = "-"
_ALL = ("ls-tree", "-r", "-z", "--name-only")
_DIFF = ("diff-tree", "-r", "-z", "--no-renames", "--name-only")


def mark(ctx: Context) -> str:
    """Return what tells the present state of the store from an earlier one."""
    return " ".join(ctx.tips.get(lane) or NONE for lane in LANES)


def changes(asked: Asked, memory: Memory) -> str:
    """Return the live entries that were written since the agent looked, and move its mark."""
    now, before = mark(asked.ctx), memory.tips
    memory.tips = now
    if before is None or before == now:
        return ""
    pairs = zip(before.split(), now.split(), strict=False)
    ids = {one for old, new in pairs for one in moved(asked.ctx, old, new)}
    rows = asked.admitted(ids) if ids else []
    statuses = asked.statuses(rows[:MOST])
    lines = [line_text(row, statuses[row.id]) for row in rows[:MOST]]
    more = [f"and {len(rows) - MOST} more\n"] if len(rows) > MOST else []
    return card(HEADING, [*lines, *more])


def moved(ctx: Context, old: str, new: str) -> set[str]:
    """Return the ids of the entries that differ; none where one state is not known any more."""
    if new in (old, NONE):
        return set()
    asked = (*_ALL, new) if old == NONE else (*_DIFF, old, new)
    try:
        out = ctx.repo.git(*asked, "--", layout.ENTRIES)
    except GitError:
        return set()
    found = map(layout.parse_entry_path, os.fsdecode(out).split("\0"))
    return {parsed[0] for parsed in found if parsed}
