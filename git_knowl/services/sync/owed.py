"""What a remote does not have yet: computed from what it last showed, never queued."""

from __future__ import annotations

from dataclasses import dataclass

from git_knowl.errors import KnowlError
from git_knowl.plumbing import refs, remote
from git_knowl.plumbing.repository import Repository
from git_knowl.services.context import Context
from git_knowl.services.sync.place import find


@dataclass(frozen=True, slots=True)
class Owed:
    """How many operations of the shared lane a remote did not show when it was last asked."""

    remote: str
    operations: int


def owed(ctx: Context) -> tuple[Owed, ...]:
    """Return what is owed to each remote that this clone has exchanged something with."""
    try:
        copies = refs.copies(ctx.repo, refs.ENTRIES)
        tip = refs.read(ctx.repo, (refs.ENTRIES,))[refs.ENTRIES] if copies else None
        there = remote.names(ctx.repo) if copies else []
        counted = [
            Owed(name, count(ctx.repo, tip, copy)) for name, copy in copies.items() if name in there
        ]
    except KnowlError as error:
        ctx.repo.notices.append(f"cannot tell what the remotes lack: {error.message}")
        return ()
    return tuple(one for one in counted if one.operations)


def never_asked(ctx: Context) -> tuple[Owed, ...]:
    """Return what is owed to a remote that was never told of what is here.

    To the one that a sync would choose; where it could choose none of several, and none was ever
    asked, to each of them. Empty where nothing is here, or something is set wrong.
    """
    try:
        place = find(ctx)
        known = refs.copies(ctx.repo, refs.ENTRIES)
        there = (place.remote,) if place else () if known else tuple(remote.names(ctx.repo))
        new = [name for name in there if name not in known]
        tip = refs.read(ctx.repo, (refs.ENTRIES,))[refs.ENTRIES] if new else None
        operations = count(ctx.repo, tip, None)
    except KnowlError:
        return ()  # `owed` tells of it, or a sync does
    return tuple(Owed(name, operations) for name in new) if operations else ()


def count(repo: Repository, tip: str | None, theirs: str | None) -> int:
    """Return how many operations lead to one commit and not to the other."""
    if tip is None:
        return 0
    known = (f"^{theirs}",) if theirs else ()
    # The constant first commit is nobody's operation, a merge of two histories neither.
    asked = ("rev-list", "--count", "--min-parents=1", "--max-parents=1", tip, *known)
    return int(repo.git(*asked))
