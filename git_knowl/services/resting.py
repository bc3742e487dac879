"""Which entries rest on a path."""

from __future__ import annotations

from git_knowl.services.context import Context
from git_knowl.store.cache import EntryRow


def resting_on(ctx: Context, path: str) -> list[EntryRow]:
    """Return the entries on a path or anything below it, relative to the caller's folder."""
    relative = ctx.repo.relative(path, ctx.caller.cwd)
    if relative:
        return ctx.cache.by_path(relative)
    return ctx.cache.by_ids({one.entry for one in ctx.cache.anchored_paths()})
