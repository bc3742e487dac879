"""Taking an operation back: the changes that lead from the present to what was before it.

History only grows: an undone text comes back with a higher ``rev``, and an undone capture leaves a
tombstone, so that no sync brings the undone state back. Files that no reader makes sense of are
taken back byte by byte: a commit that damaged some is an operation like any other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from git_knowl.errors import KnowlError, MovedError
from git_knowl.model.entry import LOCAL, Entry
from git_knowl.plumbing import refs
from git_knowl.store import layout
from git_knowl.store.history import Operation, as_time
from git_knowl.store.operations import Change, PutEntry, PutFile, PutTombstone
from git_knowl.store.snapshot import DamagedEntryError, Snapshot, read_snapshot
from git_knowl.store.tombstones import Tombstone
from git_knowl.store.view import View

_FOLDERS = (layout.ENTRIES, layout.RETIRED)


class UndoError(KnowlError):
    """An operation that cannot be taken back by itself."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """An id in a lane at one moment: its files, those of its entry first, and what they say.

    ``conflict`` are the files of its texts while nobody had decided between them. ``entry`` is None
    where there is none, and where its file is damaged.
    """

    files: tuple[tuple[str, str], ...]
    tombstone: str | None
    entry: Entry | None
    conflict: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Step:
    """One id in one lane: what it was before the operation, and what it is now."""

    lane: str
    id: str
    before: Snapshot
    was: _Moment
    now: _Moment


def undo(view: View, operations: Sequence[Operation], *, author: str, at: int) -> list[Change]:
    """Return the changes that take one operation back, given all of its commits.

    Tombstones name ``author`` and the time ``at``, in seconds since the epoch. Raises MovedError
    when an entry was touched since, and UndoError when there is nothing to take back.
    """
    if not operations:
        raise UndoError("nothing was written yet")
    steps = [step for operation in operations for step in _steps(view, operation)]
    reason = f"undid '{operations[0].subject}'"
    back = {step.id for step in steps if step.was.files}
    changes = [change for step in steps for change in _taken_back(step, back, reason, author, at)]
    changes += [change for operation in operations for change in _strays(view, operation)]
    if not changes:
        raise _nothing_changed(operations[0])
    return changes


def _taken_back(
    step: _Step, back: Collection[str], reason: str, author: str, at: int
) -> Iterable[Change]:
    """Return what takes a step back; an entry that moved out of a lane leaves no tombstone."""
    moved_out = step.lane == LOCAL and step.id in back
    stone = None if moved_out else _stone(step, reason, author, as_time(at))
    return _reverse(step, stone, as_time(at))


def _nothing_changed(operation: Operation) -> UndoError:
    if operation.op:
        return UndoError(
            f"'{operation.subject}' changed no entry", "'git knowl log' lists what was done"
        )
    return UndoError(
        f"the last commit, '{operation.subject}' ({operation.commit[:10]}), was not written by"
        " git-knowl and changed no entry",
        f"'git show {operation.commit[:10]}' tells what it did; retire or edit what is to go",
    )


def _steps(view: View, operation: Operation) -> Iterator[_Step]:
    after, before, now = _snapshots(view, operation)
    touched = {_identifier(path) for path, _ in after.changed_since(operation.parents[0])}
    for identifier in sorted(filter(None, touched)):
        if _is_other(now, after, identifier):
            raise _changed_since(operation, identifier)
        yield _Step(
            operation.lane,
            identifier,
            before,
            _moment(before, identifier),
            _moment(now, identifier),
        )


def _is_other(now: Snapshot, after: Snapshot, identifier: str) -> bool:
    """Tell whether something touched an id between two moments."""
    return any(
        one != other
        for one, other in (
            (now.held(identifier), after.held(identifier)),
            (now.in_conflict(identifier), after.in_conflict(identifier)),
        )
    )


def _strays(view: View, operation: Operation) -> Iterator[PutFile]:
    """Yield what takes back the files that no id is in the path of."""
    after, before, now = _snapshots(view, operation)
    for path, _ in after.changed_since(operation.parents[0]):
        if path.partition("/")[0] in _FOLDERS and _identifier(path) is None:
            if now.find(path) != after.find(path):
                raise _changed_since(operation, path)
            yield PutFile(refs.entries_ref(operation.lane), path, before.read_file(path))


def _snapshots(view: View, operation: Operation) -> tuple[Snapshot, Snapshot, Snapshot]:
    """Return a lane right after an operation, right before it, and now."""
    if len(operation.parents) > 1:
        raise UndoError(
            f"'{operation.subject}' joined two histories and cannot be undone",
            "retire or edit the entries it brought",
        )
    if operation.begins:
        raise UndoError(
            f"history ends at '{operation.subject}': what was before it is not known here",
            "retire or edit the entries it brought",
        )
    after = read_snapshot(view, operation.lane, operation.commit)
    before = read_snapshot(view, operation.lane, operation.parents[0])
    return after, before, Snapshot(view, operation.lane)


def _changed_since(operation: Operation, what: str) -> MovedError:
    return MovedError(
        f"an entry of '{operation.subject}' was changed since: {what}",
        "undo the later operation first; 'git knowl log' lists both",
    )


def _identifier(path: str) -> str | None:
    entry = layout.parse_entry_path(path) or layout.parse_conflict_path(path)
    return entry[0] if entry else layout.parse_record_path(layout.RETIRED, path)


def _moment(snapshot: Snapshot, identifier: str) -> _Moment:
    files, tombstone = snapshot.held(identifier)
    try:
        entry = snapshot.entry(identifier)
    except DamagedEntryError:
        entry = None
    return _Moment(tuple(files), tombstone, entry, tuple(snapshot.in_conflict(identifier)))


def _reverse(step: _Step, stone: Tombstone | None, at: str) -> Iterator[Change]:
    """Yield what one id needs to be as it was; what goes leaves the stone, if any."""
    if step.now.conflict != step.was.conflict:
        yield from _put_back(step, [*step.was.conflict, *step.now.conflict])
    if step.was.entry:
        rev = max(step.was.entry.rev, step.now.entry.rev if step.now.entry else 0) + 1
        yield PutEntry(step.lane, replace(step.was.entry, rev=rev, updated=at))
    else:
        yield from _put_back(step, [*step.was.files, *step.now.files])
    if step.now.tombstone == step.was.tombstone and step.was.files:
        return
    if step.was.files or step.was.tombstone:
        yield from _put_back(step, [(layout.record_path(layout.RETIRED, step.id), "")])
    elif step.now.files and stone:
        yield PutTombstone(step.lane, stone)


def _put_back(step: _Step, files: Sequence[tuple[str, str]]) -> Iterator[PutFile]:
    """Yield what gives files the bytes they had, and takes away those that were not there."""
    for path, _ in files:
        yield PutFile(refs.entries_ref(step.lane), path, step.before.read_file(path))


def _stone(step: _Step, reason: str, author: str, at: str) -> Tombstone:
    """Return what stays of an entry that goes; of a damaged one only its path tells the name."""
    entry = step.now.entry
    named = [layout.parse_entry_path(path) for path, _ in step.now.files]
    name = next((found[1] for found in named if found), step.id)
    digest = entry.digest if entry else ""
    return Tombstone(step.id, entry.name if entry else name, reason, author, at, digest)
