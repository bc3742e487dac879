"""Entries of which a merge kept several texts, until a person decides.

``conflicts/<id>/<digest>.md`` holds every text whole, the live one among them. Which one is live
follows from the texts alone, so all clones show the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from git_knowl.model.document import DocumentError, parse
from git_knowl.model.entry import Entry
from git_knowl.model.ids import is_id
from git_knowl.store import layout
from git_knowl.store.snapshot import DamagedEntryError, Snapshot
from git_knowl.store.view import LANES, View


@dataclass(frozen=True, slots=True)
class Conflict:
    """The texts of one entry, the live one first, then by digest."""

    lane: str
    sides: tuple[Entry, ...]

    @property
    def live(self) -> Entry:
        """The text that readers see for now."""
        return self.sides[0]

    @property
    def rev(self) -> int:
        """The highest rev among the texts: a decision is one above it."""
        return max(side.rev for side in self.sides)


@dataclass(frozen=True, slots=True)
class RemoveConflict:
    """Take all texts of a conflict away: what is live then is what a person chose."""

    lane: str
    id: str

    def apply(self, view: View) -> None:
        """Stage the removal."""
        tree = view.lane(self.lane)
        for path, _ in list(tree.files_in(layout.conflict_folder(self.id))):
            tree.stage(path, None)


def read_conflict(view: View, lane: str, identifier: str) -> Conflict | None:
    """Return the conflict of an entry, None where there is none or nothing can be read of it."""
    files = list(view.lane(lane).files_in(layout.conflict_folder(identifier)))
    try:
        live = Snapshot(view, lane).entry(identifier) if files else None
    except DamagedEntryError:
        return None
    if live is None:
        return None
    found = {live.digest: live}
    for path, blob in sorted(files):
        side = read_side(path, view.read_blob(blob))
        if side is not None:
            found.setdefault(side.digest, side)
    return Conflict(lane, tuple(found.values()))


def read_conflicts(view: View) -> Iterator[Conflict]:
    """Yield the conflicts of both lanes, by id."""
    for lane in LANES:
        paths = (path for path, _ in view.lane(lane).files(layout.CONFLICTS))
        for identifier in sorted({path.split("/")[1] for path in paths}):
            found = read_conflict(view, lane, identifier) if is_id(identifier) else None
            if found is not None:
                yield found


def read_side(path: str, data: bytes) -> Entry | None:
    """Return the text of a file in a conflict, None unless it is what its path says."""
    try:
        side = parse(data)
    except DocumentError:
        return None
    return side if path == layout.conflict_path(side.id, side.digest) else None
