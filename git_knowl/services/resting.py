"""Which entries rest on a path."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from git_knowl.plumbing.sets import PathspecError
from git_knowl.services.context import Context
from git_knowl.store import touched
from git_knowl.store.cache import EntryRow


def resting_on(ctx: Context, path: str) -> list[EntryRow]:
    """Return the entries on a path or anything below it, relative to the caller's folder.

    An entry on a set of files rests on every file of the set.
    """
    relative = ctx.repo.relative(path, ctx.caller.cwd)
    if not relative:
        return ctx.cache.by_ids({one.entry for one in ctx.cache.anchored_paths()})
    below = {row.id for row in ctx.cache.by_path(relative)}
    return ctx.cache.by_ids(below | set(on_sets(ctx, relative)))


def on_sets(ctx: Context, path: str) -> Iterator[str]:
    """Yield the entries on a set of files that a path, or something below it, belongs to."""
    for one in touched.of_kind(ctx.cache, touched.TREE):
        pathspec = one.path or touched.TOP
        reach = touched.reach(pathspec)
        if not (touched.is_within([path], reach) or touched.is_within([reach], path)):
            continue
        # A plain folder holds whatever is below it, tracked or not; git knows what a pattern means.
        if pathspec == reach or touched.is_within(matched(ctx, pathspec), path):
            yield one.id


def matched(ctx: Context, pathspec: str) -> Collection[str]:
    """Return the tracked files that a pathspec names, none where git does not understand it."""
    try:
        return ctx.world.files(pathspec).blobs.keys()
    except PathspecError:
        return ()
