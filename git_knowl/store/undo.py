"""Taking an operation back: the changes that lead from the present to what was before it.

History only grows: an undone text comes back with a higher ``rev``, and an undone capture leaves a
tombstone, so that no sync brings the undone state back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from git_knowl.errors import KnowlError, MovedError
from git_knowl.model.entry import LOCAL, Entry
from git_knowl.store import layout
from git_knowl.store.history import Operation, as_time
from git_knowl.store.operations import (
    Change,
    PutEntry,
    PutTombstone,
    RemoveEntry,
    RemoveTombstone,
)
from git_knowl.store.snapshot import Snapshot, read_snapshot
from git_knowl.store.tombstones import Tombstone
from git_knowl.store.view import View


class UndoError(KnowlError):
    """An operation that cannot be taken back by itself."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One id in one lane: what it was before the operation, and what it is now."""

    lane: str
    id: str
    before: Snapshot
    now: Snapshot

    def texts(self) -> tuple[Entry | None, Entry | None]:
        """Return the entry before and now."""
        return self.before.entry(self.id), self.now.entry(self.id)


def undo(view: View, operations: Sequence[Operation], *, author: str, at: int) -> list[Change]:
    """Return the changes that take one operation back, given all of its commits.

    Tombstones name ``author`` and the time ``at``, in seconds since the epoch. Raises MovedError
    when an entry was touched since, and UndoError when there is nothing to take back.
    """
    if not operations:
        raise UndoError("nothing was written yet")
    steps = [step for operation in operations for step in _steps(view, operation)]
    reason = f"undid '{operations[0].subject}'"
    back = {step.id for step in steps if step.before.entry(step.id)}
    changes: list[Change] = []
    for step in steps:
        was, now = step.texts()
        if was:
            changes += _bring_back(step, was, now, as_time(at))
        elif now:
            moved_out = step.lane == LOCAL and step.id in back
            stone = Tombstone(step.id, now.name, reason, author, as_time(at), now.digest)
            changes += _take_out(step, None if moved_out else stone)
    if not changes:
        raise UndoError(
            f"'{operations[0].subject}' changed no entry",
            "'git knowl log' lists what can be undone",
        )
    return changes


def _steps(view: View, operation: Operation) -> Iterator[_Step]:
    if len(operation.parents) != 1:
        raise UndoError(
            f"'{operation.subject}' joined two histories and cannot be undone",
            "retire or edit the entries it brought",
        )
    after = read_snapshot(view, operation.lane, operation.commit)
    before = read_snapshot(view, operation.lane, operation.parents[0])
    now = Snapshot(view, operation.lane)
    touched = {_identifier(path) for path, _ in after.changed_since(operation.parents[0])}
    for identifier in sorted(filter(None, touched)):
        if now.held(identifier) != after.held(identifier):
            raise MovedError(
                f"an entry of '{operation.subject}' was changed since: {identifier}",
                "undo the later operation first; 'git knowl log' lists both",
            )
        yield _Step(operation.lane, identifier, before, now)


def _identifier(path: str) -> str | None:
    entry = layout.parse_entry_path(path)
    return entry[0] if entry else layout.parse_record_path(layout.RETIRED, path)


def _bring_back(step: _Step, was: Entry, now: Entry | None, at: str) -> Iterator[Change]:
    rev = max(was.rev, now.rev if now else 0) + 1
    yield PutEntry(step.lane, replace(was, rev=rev, updated=at))
    if step.now.tombstone(step.id) and not step.before.tombstone(step.id):
        yield RemoveTombstone(step.lane, step.id)


def _take_out(step: _Step, stone: Tombstone | None) -> Iterator[Change]:
    yield RemoveEntry(step.lane, step.id)
    former = step.before.tombstone(step.id) or stone
    if former:
        yield PutTombstone(step.lane, former)
