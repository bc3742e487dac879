"""Take back the last operation on entries; history only grows."""

from __future__ import annotations

from dataclasses import dataclass

from git_knowl.services.context import Context
from git_knowl.services.gate import authorise
from git_knowl.services.recording import record
from git_knowl.store import history
from git_knowl.store.operations import Change
from git_knowl.store.transaction import publish
from git_knowl.store.undo import UndoError, undo
from git_knowl.store.view import View


@dataclass(frozen=True, slots=True)
class Undone:
    """The subject of the operation that was taken back, and the ids of the entries it touched."""

    subject: str
    ids: tuple[str, ...]


def undo_last(ctx: Context, reviewer: str | None = None) -> Undone:
    """Undo the last operation.

    Raises UndoError when there is none or it cannot be taken back by itself, MovedError when an
    entry of it was changed since.
    """
    last = history.latest(ctx.store, ctx.store.view())
    if not last:
        raise UndoError("nothing was written yet", "'git knowl log' lists what can be undone")
    reviewed = authorise(ctx, "undo", reviewer)

    def operation(view: View) -> list[Change]:
        return undo(view, last, author=reviewed.by, at=int(ctx.caller.clock()))

    subject = last[0].subject
    told = record(ctx, "undo", f"undo '{subject}'", reviewed)
    publish(ctx.store, operation, told, fsync=True)
    ctx.refresh()
    touched = (identifier for one in last for identifier, _ in one.entries)
    return Undone(subject, tuple(dict.fromkeys(touched)))
