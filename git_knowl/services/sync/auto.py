"""A sync that nobody asked for: after a write, and when a clone is set up; in few seconds."""

from __future__ import annotations

from git_knowl.errors import KnowlError
from git_knowl.plumbing import refs
from git_knowl.services.context import Context
from git_knowl.services.sync import owed
from git_knowl.services.sync.place import HURRIED, choose, find
from git_knowl.services.sync.result import Synced, summary
from git_knowl.services.sync.sync import attempt, sync


def after_write(ctx: Context) -> None:
    """Exchange what is owed (the door asks ``knowl.autoSync``); what came of it is one notice."""
    try:
        if _is_owed(ctx):
            done = attempt(ctx, pace=HURRIED)
            ctx.repo.notices.append(told(done))
            if done.failed:
                ctx.repo.notices.append(_not_synced(done.failed))
    except KnowlError as error:
        ctx.repo.notices.append(_not_synced(error))


def at_start(ctx: Context) -> str | None:
    """Take the store that the remote has, if any, and say so; None where there is nothing to say.

    A remote that cannot be reached is told and keeps nobody from setting up a clone.
    """
    try:
        place = find(ctx)
        done = sync(ctx, place.remote, pull=True, pace=HURRIED) if place else None
    except KnowlError as error:
        return f"did not fetch the store of a remote: {error.message}"
    if done is None or not done.received:
        return None
    return f"fetched the store of '{done.remote}': {summary(done)}"


def told(done: Synced) -> str:
    """Return what a sync did in one line."""
    if done.failed:
        return f"from '{done.remote}': {summary(done)}"
    sent = f"sent {len(done.sent)} to '{done.remote}'" if done.sent else f"synced '{done.remote}'"
    return f"{sent}; received: {summary(done)}" if done.received else sent


def _not_synced(error: KnowlError) -> str:
    return f"not synced: {error.message} ('git knowl sync' tries again)"


def _is_owed(ctx: Context) -> bool:
    place = choose(ctx)
    found = refs.read(ctx.repo, (refs.ENTRIES, place.copy))
    return owed.count(ctx.repo, found[refs.ENTRIES], found[place.copy]) > 0
