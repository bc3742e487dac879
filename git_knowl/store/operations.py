"""The changes an operation is made of: small values, staged in order on a view.

Together they are the vocabulary of every writing verb; a verb decides, under the lock and from the
view it is given, which of them to return.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from git_knowl.errors import MovedError
from git_knowl.model.document import render
from git_knowl.model.entry import Entry
from git_knowl.plumbing import refs
from git_knowl.store import layout, tombstones
from git_knowl.store.conflicts import RemoveConflict
from git_knowl.store.decided import Decide
from git_knowl.store.drafts import PutDraft, RemoveDraft
from git_knowl.store.flags import PutFlag, RemoveFlag
from git_knowl.store.state import Accept, PutState, Snooze
from git_knowl.store.tombstones import Tombstone
from git_knowl.store.view import View

__all__ = [
    "Accept",
    "Change",
    "Decide",
    "NotLiveError",
    "PutDraft",
    "PutEntry",
    "PutFile",
    "PutFlag",
    "PutProject",
    "PutState",
    "PutTombstone",
    "RemoveConflict",
    "RemoveDraft",
    "RemoveEntry",
    "RemoveFlag",
    "RemoveTombstone",
    "Snooze",
]


class NotLiveError(MovedError):
    """An entry that is not live any more, or never was."""


@dataclass(frozen=True, slots=True)
class PutEntry:
    """Make an entry live in a lane, in place of the file with its id if there is one."""

    lane: str
    entry: Entry

    def apply(self, view: View) -> None:
        """Stage the file and the removal of one under a former name."""
        path = layout.entry_path(self.entry.id, self.entry.name)
        for old, _ in view.entry_files(self.lane, self.entry.id):
            if old != path:
                view.lane(self.lane).stage(old, None)
        view.lane(self.lane).stage(path, render(self.entry))


@dataclass(frozen=True, slots=True)
class RemoveEntry:
    """Take an entry out of a lane with all its texts; raises NotLiveError when it is not there."""

    lane: str
    id: str

    def apply(self, view: View) -> None:
        """Stage the removal."""
        files = view.entry_files(self.lane, self.id)
        if not files:
            raise NotLiveError(f"no entry {self.id} is live in lane {self.lane}")
        for path, _ in files:
            view.lane(self.lane).stage(path, None)
        RemoveConflict(self.lane, self.id).apply(view)


@dataclass(frozen=True, slots=True)
class PutFile:
    """Put bytes where no reader makes sense of a file, or take such a file away with None."""

    ref: str
    path: str
    data: bytes | None

    def apply(self, view: View) -> None:
        """Stage the bytes."""
        view.tree(self.ref).stage(self.path, self.data)


@dataclass(frozen=True, slots=True)
class PutTombstone:
    """Leave a tombstone in a lane; what was in conflict goes with the entry."""

    lane: str
    tombstone: Tombstone

    def apply(self, view: View) -> None:
        """Stage the record."""
        path = layout.record_path(layout.RETIRED, self.tombstone.id)
        view.lane(self.lane).stage(path, tombstones.encode(self.tombstone))
        RemoveConflict(self.lane, self.tombstone.id).apply(view)


@dataclass(frozen=True, slots=True)
class RemoveTombstone:
    """Take a tombstone away, so that its entry may be live again."""

    lane: str
    id: str

    def apply(self, view: View) -> None:
        """Stage the removal."""
        view.lane(self.lane).stage(layout.record_path(layout.RETIRED, self.id), None)


@dataclass(frozen=True, slots=True)
class PutProject:
    """Add root commits of the code to those the shared lane knows."""

    roots: Iterable[str]

    def apply(self, view: View) -> None:
        """Stage the united list."""
        tree = view.tree(refs.ENTRIES)
        known = (tree.read(layout.PROJECT_FILE) or b"").decode("ascii", "replace").split()
        lines = [f"{root}\n" for root in sorted({*known, *self.roots})]
        tree.stage(layout.PROJECT_FILE, "".join(lines).encode())


Change: TypeAlias = (
    PutEntry
    | PutFile
    | RemoveEntry
    | PutTombstone
    | RemoveTombstone
    | RemoveConflict
    | PutProject
    | PutFlag
    | RemoveFlag
    | PutDraft
    | RemoveDraft
    | PutState
    | Accept
    | Decide
    | Snooze
)
