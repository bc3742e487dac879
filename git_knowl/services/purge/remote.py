"""The store of a remote that still holds what was purged, replaced by the same without it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from git_knowl.errors import MovedError
from git_knowl.model.entry import SHARED, Entry, Reviewed
from git_knowl.plumbing import refs, remote
from git_knowl.plumbing.objects import open_objects
from git_knowl.services.context import Context
from git_knowl.services.purged.descent import descent, draft_of, live_at, texts_of
from git_knowl.services.purged.known import (
    HoldsPurgedError,
    clean_history,
    holds_purged,
    purged_at,
)
from git_knowl.services.purged.wanted import PurgeError
from git_knowl.services.recording import record
from git_knowl.services.sync import incoming, outgoing
from git_knowl.services.sync.place import Place, choose
from git_knowl.store.drafts import PutDraft
from git_knowl.store.merge.join import join
from git_knowl.store.operations import Change
from git_knowl.store.rewrite import Rewriter
from git_knowl.store.transaction import publish
from git_knowl.store.view import View


@dataclass(frozen=True, slots=True)
class Replacement:
    """What would take the place of the store at a remote.

    ``seen`` is its commit as the remote showed it, ``clean`` the same history without what was
    purged, ``commits`` how many commits of it are other ones then, ``unsigned`` how many of these
    lose their signature. ``made_of_it`` are texts there that somebody made of what was purged.
    """

    place: Place
    seen: str
    clean: str
    commits: int
    unsigned: int
    rewriter: Rewriter
    made_of_it: tuple[Entry, ...] = ()


def look_at(ctx: Context, name: str) -> Replacement:
    """Fetch the store of a remote and return what would take its place; no ref is moved.

    Raises PurgeError where there is nothing to replace, HoldsPurgedError while this clone holds
    it itself, RemoteError, NoStoreError.
    """
    place = choose(ctx, name)
    seen = remote.ls(ctx.repo, place.remote, [place.ref]).get(place.ref)
    if seen is None:
        raise PurgeError(f"'{name}' has no store at {place.ref}", "there is nothing to replace")
    remote.fetch(ctx.repo, place.remote, [seen])
    ours = refs.read(ctx.repo, (refs.ENTRIES,))[refs.ENTRIES]
    incoming.check(ctx.store, place, seen, ours)
    _refuse_unclean(ctx, ours, seen)
    made = descent(ctx.store, [seen], filter(None, [ours]), purged_at(ctx.store, [ours, seen]))
    clean, rewriter = clean_history(ctx.store, seen, descent=made)
    if rewriter is None:
        raise PurgeError(
            f"the store at '{name}' holds nothing that was purged", "'git knowl sync' is enough"
        )
    count = sum(old != new for old, new in rewriter.commits.items())
    texts = tuple(texts_of(ctx.store.view(), seen, made))
    return Replacement(place, seen, clean, count, rewriter.unsigned, rewriter, texts)


def replace(ctx: Context, plan: Replacement, reviewed: Reviewed) -> str:
    """Join what the remote has besides, put the result in its place, and return its commit.

    Nothing that others sent is lost but what was purged; what they made of it waits here as drafts.
    Raises MovedError when the remote moved meanwhile, PurgeError when it refuses.
    """
    keep_drafts(ctx, plan, reviewed)
    open_objects(ctx.repo, fsync=True).write(plan.rewriter.objects)
    said = record(ctx, "purge", f"join {plan.place.remote} without what was purged", reviewed)
    join(ctx.store, plan.clean, said, admit=incoming.admit)
    ctx.refresh()
    tip = str(refs.read(ctx.repo, (refs.ENTRIES,))[refs.ENTRIES])
    _refuse_unclean(ctx, tip, plan.seen)
    found = outgoing.secrets_in(ctx.store, tip, [plan.clean])
    if found:
        raise outgoing.SecretsError(found)
    _push(ctx, plan, tip)
    return tip


def keep_drafts(ctx: Context, plan: Replacement, reviewed: Reviewed) -> None:
    """Put what others made of a purged text into the inbox of this clone, before it goes there."""

    def operation(view: View) -> Iterator[Change]:
        ours = view.commits[refs.ENTRIES]
        for text in plan.made_of_it:
            yield PutDraft(draft_of(SHARED, text, live_at(view, [ours], text.id)))

    if plan.made_of_it:
        publish(ctx.store, operation, record(ctx, "purge", "keep as drafts", reviewed))


def _push(ctx: Context, plan: Replacement, tip: str) -> None:
    place = plan.place
    told = remote.replace(ctx.repo, place.remote, (tip, place.ref, plan.seen))
    if told.kind == remote.REJECTED:
        raise MovedError(
            f"'{place.remote}' was changed meanwhile: {told.reason}", "look at it again and repeat"
        )
    if not told.is_taken:
        raise PurgeError(
            f"'{place.remote}' does not take another history of {place.ref}: {told.reason}",
            "whoever keeps that remote can allow it, or take the ref out there",
        )


def _refuse_unclean(ctx: Context, ours: str | None, theirs: str) -> None:
    if ours is None or holds_purged(ctx.store, ours, theirs):
        raise HoldsPurgedError(
            "this clone has no store, or still holds what was purged",
            "purge it here first, then look at the remote again",
        )
