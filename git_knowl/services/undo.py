"""Take back the last operation on entries; history only grows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from git_knowl.services.context import Context
from git_knowl.services.gate import authorise
from git_knowl.services.operations import masked
from git_knowl.services.recording import record
from git_knowl.store import history, layout
from git_knowl.store.history import UNSHALLOW, Operation
from git_knowl.store.operations import Change, PutEntry, PutFile
from git_knowl.store.rules import NameTakenError
from git_knowl.store.transaction import publish
from git_knowl.store.undo import UndoError, undo
from git_knowl.store.view import View

UNDO = "undo"
REDO = "redo"
FREE_NAME = (
    "'git knowl rename' gives that entry another name; then 'git knowl restore' brings back what"
    " was retired, and 'git knowl rename' or 'edit' what was renamed"
)


@dataclass(frozen=True, slots=True)
class Undone:
    """The subject of the operation, and the ids of the entries it touched.

    ``again`` tells that it had been taken back before, and that was taken back now; ``foreign``
    that something else than this program wrote it.
    """

    subject: str
    ids: tuple[str, ...]
    again: bool = False
    foreign: bool = False


def undo_last(ctx: Context, reviewer: str | None = None) -> Undone:
    """Undo the last operation; an undoing is undone by bringing back what it took away.

    Raises UndoError when there is none or it cannot be taken back by itself, MovedError when an
    entry of it was changed since, NameTakenError when another entry has a former name by now.
    """
    last = masked(history.latest(ctx.store, ctx.store.view()))
    if not last:
        raise UndoError("nothing was written yet", "'git knowl log' lists what can be undone")
    refuse_impossible(ctx, last)
    reviewed = authorise(ctx, "undo", reviewer)
    verb, subject = turned(last[0])

    def operation(view: View) -> list[Change]:
        return undo(view, last, author=reviewed.by, at=int(ctx.caller.clock()))

    try:
        told = record(ctx, "undo", f"{verb} '{subject}'", reviewed)
        done = publish(ctx.store, operation, told, fsync=True)
    except NameTakenError as error:
        raise NameTakenError(error.message, FREE_NAME) from error
    ctx.refresh()
    ids = dict.fromkeys(filter(None, map(identifier_of, done.changes)))
    return Undone(subject, tuple(ids), again=verb == REDO, foreign=not last[0].op)


def refuse_impossible(ctx: Context, last: Sequence[Operation]) -> None:
    """Raise UndoError where nothing says what was before the last operation."""
    for one in last:
        if history.is_cut(ctx.store, one):
            raise UndoError(
                f"history ends here: this clone is shallow and does not hold what was before"
                f" '{one.subject}' ({one.commit[:10]})",
                UNSHALLOW,
            )
        if one.begins:
            raise UndoError(
                f"history begins with '{one.subject}' ({one.commit[:10]}), nothing was before it",
                "'git knowl retire' takes single entries out",
            )


def identifier_of(change: object) -> str | None:
    """Return the id of the entry that a change of an undoing is about."""
    if isinstance(change, PutEntry):
        return change.entry.id
    if isinstance(change, PutFile):
        found = layout.parse_entry_path(change.path)
        return found[0] if found else layout.parse_record_path(layout.RETIRED, change.path)
    return None


def turned(last: Operation) -> tuple[str, str]:
    """Return the verb and the subject for taking an operation back: undo and redo alternate."""
    verb, _, rest = last.subject.partition(" ")
    if last.op == "undo" and verb in (UNDO, REDO) and rest[:1] == rest[-1:] == "'":
        return (REDO if verb == UNDO else UNDO), rest[1:-1]
    return UNDO, last.subject
