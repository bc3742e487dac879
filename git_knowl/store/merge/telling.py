"""What is said of one id after a merge."""

from __future__ import annotations

from git_knowl.store import layout
from git_knowl.store.merge.outcome import (
    CONFLICT,
    INVALID,
    MERGED,
    NEW,
    REFUSED,
    RESTORED,
    RETIRED,
    UNCHANGED,
    UPDATED,
    Outcome,
)
from git_knowl.store.merge.settle import Settled
from git_knowl.store.merge.states import State, Three

CAME_BACK = "changed on one side and retired on the other: the change came back as a draft"
BESIDE = "one of its files cannot be read, kept as it is"
PURGED = "its text was purged and may not stand anywhere"


def tell(identifier: str, three: Three, done: Settled, after: State) -> Outcome | None:
    """Return the outcome for an id, None when nothing came in for it.

    ``three`` are the states as they were found, ``after`` is what stands now.
    """
    base, ours, theirs = three.base, three.ours, three.theirs
    name = next(filter(None, map(name_of, (after, theirs, ours))), identifier)
    by = _by(theirs)
    if done.trouble:
        return Outcome(identifier, name, done.trouble, by, done.note)
    if theirs.purged or ours.purged:
        return Outcome(identifier, name, REFUSED, by, PURGED)
    if theirs.files == base.files:
        return None
    if any(path not in ours.files for path in after.damaged):
        return Outcome(identifier, name, INVALID, by, BESIDE)
    note = CAME_BACK if done.comebacks else ""
    return Outcome(identifier, name, _kind(base, ours, after), by, note)


def name_of(state: State) -> str:
    """Return the name of an id as a state tells it, "" where it tells none."""
    if state.stone is not None:
        return state.stone.name
    if state.sides:
        return next(iter(state.sides.values())).name
    paths = filter(None, map(layout.parse_entry_path, (*state.files, *state.purged)))
    return next((name for _, name in paths), "")


def _kind(base: State, ours: State, after: State) -> str:
    if len(after.sides) > 1:
        return CONFLICT
    if after.stone is not None:
        return RETIRED if ours.stone is None else UNCHANGED
    if after.files == ours.files:
        return UNCHANGED
    if ours.stone is not None:
        return RESTORED
    if not ours.files:
        return NEW
    return UPDATED if ours.files == base.files else MERGED


def _by(state: State) -> str | None:
    if state.stone is not None:
        return state.stone.by
    live = next(iter(state.sides.values()), None)
    return live.reviewed.by if live and live.reviewed else None
