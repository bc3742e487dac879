"""Up to which state of the store an agent was told of changes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.services.context import Context

#: Stands for a lane without any commit.
NONE = "-"


def mark(ctx: Context) -> str:
    """Return what tells the present state of the store from an earlier one."""
    return " ".join(commit or NONE for commit in ctx.tips.values())
