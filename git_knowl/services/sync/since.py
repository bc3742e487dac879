"""What happened since the last sync that brought something: kept in the state, and losable."""

from __future__ import annotations

import json

from git_knowl.errors import KnowlError
from git_knowl.plumbing import refs
from git_knowl.services.context import Context
from git_knowl.store.history import Operation
from git_knowl.store.state import PutState
from git_knowl.store.transaction import Record, publish

FILE = "synced.json"


class NeverSyncedError(KnowlError):
    """This clone knows of no sync that brought something."""


def remember(ctx: Context, before: str | None, record: Record) -> None:
    """Keep the tip of the shared lane before a sync; a failure is told and costs only this."""
    data = json.dumps({"before": before}).encode() + b"\n"
    try:
        publish(ctx.store, lambda _: [PutState(FILE, data)], record)
    except KnowlError as error:
        ctx.repo.notices.append(f"'git knowl log --since-last' will not know: {error.message}")


def only_since(ctx: Context, operations: list[Operation]) -> list[Operation]:
    """Return those of some operations that the last sync brought, and all on the lane since then.

    Raises NeverSyncedError where none is remembered.
    """
    view = ctx.store.view()
    tip, before = view.commits[refs.ENTRIES], _before(view.tree(refs.STATE).read(FILE))
    done = ctx.repo.run("rev-list", *(one for one in (tip, before and f"^{before}") if one))
    if done.code:  # a purge took away what was remembered, or the lane is gone
        raise _never()
    new = set(done.out.decode("ascii").split())
    return [one for one in operations if one.commit in new]


def _before(data: bytes | None) -> str:
    """Return the commit that is remembered, "" for the time before there was any."""
    try:
        found = json.loads(data or b"")
        return str(found["before"] or "")
    except (ValueError, KeyError, TypeError):
        raise _never() from None


def _never() -> NeverSyncedError:
    return NeverSyncedError(
        "this clone remembers no sync that brought something", "'git knowl log' lists everything"
    )
