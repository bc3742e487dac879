"""Verdicts of all live entries in the caller's files, remembered in this worktree."""

from __future__ import annotations

from git_knowl.anchors.freshness import FILE
from git_knowl.anchors.freshness_write import Judged, refreshed
from git_knowl.services.context import Context


def judge_all(ctx: Context, file: str = FILE) -> Judged:
    """Return the verdict of every live entry; what did not change is not looked at again."""
    cache = ctx.cache
    return refreshed(ctx.world, ctx.tips, cache.versions, cache.entries, cache.retired, file)
