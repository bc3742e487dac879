"""What others wrote to the store since this agent looked last."""

from __future__ import annotations

import os

from git_knowl.plumbing.process import GitError
from git_knowl.services.agents.cards import card
from git_knowl.services.agents.watermark import NONE
from git_knowl.services.index import line_text
from git_knowl.store import layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.services.agents.touching import Asked
    from git_knowl.services.context import Context

HEADING = "Written to the store while you worked:\n"
MOST = 5
_ALL = ("ls-tree", "-r", "-z", "--name-only")
_DIFF = ("diff-tree", "-r", "-z", "--no-renames", "--name-only")


def changes(asked: Asked, before: str, now: str) -> str:
    """Return the live entries that were written between two marks."""
    pairs = zip(before.split(), now.split(), strict=False)
    ids = {one for old, new in pairs for one in moved(asked.ctx, old, new)}
    rows = asked.admitted(ids) if ids else []
    statuses = asked.statuses(row.id for row in rows[:MOST])
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
