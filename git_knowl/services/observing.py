"""Anchors meeting what they name, in the caller's files and in the store."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from git_knowl.anchors import entry as links
from git_knowl.anchors import kinds
from git_knowl.anchors.base import AnchorError, Stamp
from git_knowl.model.anchor import Anchor, EntryLink, PackageAnchor, SnippetAnchor, SymbolAnchor
from git_knowl.plumbing.listing import tracked_paths, untracked_paths
from git_knowl.services.context import Context
from git_knowl.services.filters import secrets
from git_knowl.services.find import find_row

#: The field of each kind that says where its evidence is; of a symbol there are two.
PLACES = {
    "file": "path",
    "snippet": "path",
    "tree": "pathspec",
    "package": "lockfile",
    "commit": "commit",
    "entry": "name",
}


def complete(ctx: Context, anchor: Anchor) -> Anchor:
    """Return an anchor somebody asked for with all that its name leaves open.

    That is a lockfile, the lines of a snippet, the id of a commit or entry, a qualified name.
    Raises AnchorError for what is not here, SecretError for lines that hold a secret, and as
    `find_row` does.
    """
    match anchor:
        case PackageAnchor(lockfile=""):
            from git_knowl.anchors import package  # noqa: PLC0415 - all readers of lockfiles

            tracked = tracked_paths(ctx.repo)
            return package.complete(anchor, ctx.world, tracked, lambda: untracked_paths(ctx.repo))
        case EntryLink():
            row = find_row(ctx, anchor.id or anchor.name)
            return replace(anchor, id=row.id, name=row.own_name)
        case _:
            found = kinds.complete(anchor, ctx.world)
            if isinstance(found, SnippetAnchor):
                secrets.refuse("entry.anchors", found.quote)
            return found


def observe(ctx: Context, anchor: Anchor, stamp: Stamp) -> Anchor:
    """Return the anchor with what stands there now accepted; raises AnchorError for nothing."""
    if not isinstance(anchor, EntryLink):
        return kinds.observe(anchor, ctx.world, stamp)
    found = ctx.cache.entries([anchor.id])
    if not found:
        raise AnchorError(
            f"{anchor.target} cannot be anchored: there is no such live entry",
            "'git knowl ls' lists those that are",
        )
    return links.observe(anchor, found[0], stamp)


def follow(anchor: Anchor, went: str) -> Anchor:
    """Return the anchor at the place that its verdict names in ``moved_to``."""
    if isinstance(anchor, SymbolAnchor):
        from git_knowl.anchors import symbol  # noqa: PLC0415 - all that reads syntax trees

        return symbol.followed(anchor, went)
    moved: Any = replace(anchor, **{PLACES[anchor.kind]: went})  # type: ignore[arg-type]
    made: Anchor = moved
    return made
