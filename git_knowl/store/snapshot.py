"""One lane as it stood at one moment: entries, tombstones, and what is damaged among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from git_knowl.errors import KnowlError
from git_knowl.model.document import DocumentError, parse
from git_knowl.model.entry import Entry
from git_knowl.model.rules import barred
from git_knowl.plumbing import refs
from git_knowl.store import layout, records, tombstones
from git_knowl.store.records import Damaged
from git_knowl.store.tombstones import Tombstone
from git_knowl.store.view import LANES, View


class DamagedEntryError(KnowlError):
    """One entry was asked for and its file cannot be read."""


@dataclass(frozen=True, slots=True)
class Stored:
    """An entry as it stands in a lane; ``shown_name`` is its name among all live entries."""

    entry: Entry
    lane: str
    path: str
    blob: str
    shown_name: str


class Snapshot:
    """A lane of a view; reading raises FormatError when its format asks for a newer reader."""

    def __init__(self, view: View, lane: str) -> None:
        self.view = view
        self.lane = lane
        self._tree = view.lane(lane)

    @property
    def commit(self) -> str | None:
        """The commit that is read, or None while the lane is empty."""
        return self._tree.commit

    def paths(self) -> list[tuple[str, str]]:
        """Return (path, blob) of every file: entries, tombstones and the few at the top."""
        return list(self._tree.files())

    def changed_since(self, commit: str | None) -> list[tuple[str, str | None]]:
        """Return (path, blob, or None where it is gone) of what differs from another commit.

        Equal folders are not opened. Raises MissingObject when that commit is no longer there.
        """
        return list(self._tree.changed_since(commit))

    def find(self, path: str) -> str | None:
        """Return the blob of a file, or None."""
        return self._tree.find(path)

    def read_file(self, path: str) -> bytes | None:
        """Return the bytes of a file, whatever they are, or None."""
        return self._tree.read(path)

    def entries(self) -> Iterator[Stored]:
        """Yield every readable entry in the order of paths, read as one stream."""
        return (found for found in self.scan() if isinstance(found, Stored))

    def damaged(self) -> list[Damaged]:
        """Return every file among entries and tombstones that cannot be read."""
        retired = records.read_all(self.view, self._tree.ref, layout.RETIRED, tombstones.decode)
        return [found for found in (*self.scan(), *retired) if isinstance(found, Damaged)]

    def scan(self) -> Iterator[Stored | Damaged]:
        """Yield every entry file, read or damaged."""
        return self.read(self._tree.files(layout.ENTRIES))

    def read(self, files: Iterable[tuple[str, str]]) -> Iterator[Stored | Damaged]:
        """Yield what stands in the given (path, blob) files, as one stream in their order."""
        files = list(files)
        contents = self.view.read_each([blob for _, blob in files])
        seen: set[str] = set()
        for (path, blob), data in zip(files, contents, strict=True):
            found = data.message if isinstance(data, KnowlError) else decode(path, data)
            if isinstance(found, Entry) and found.id not in seen:
                seen.add(found.id)
                yield Stored(found, self.lane, path, blob, self._shown(found))
            else:
                error = found if isinstance(found, str) else "id: held twice"
                yield Damaged(path, blob, error)

    def _shown(self, entry: Entry) -> str:
        holders = self.view.list_names().get(entry.name, [])
        return layout.shown_name(entry.name, entry.id, [identifier for _, identifier in holders])

    def get(self, identifier: str) -> Stored | None:
        """Return the live entry of an id, or None; raises DamagedEntryError if unreadable."""
        files = self.view.entry_files(self.lane, identifier)
        entry = self.entry(identifier)
        if entry is None:
            return None
        holders = [holder for _, holder in self.view.holders(entry.name)]
        shown = layout.shown_name(entry.name, identifier, holders)
        return Stored(entry, self.lane, *files[0], shown)

    def entry(self, identifier: str) -> Entry | None:
        """Return the same without its place and shown name, which asks no names."""
        for path, _ in self.view.entry_files(self.lane, identifier):
            found = decode(path, self._tree.read(path) or b"")
            if isinstance(found, Entry):
                return found
            raise DamagedEntryError(
                f"the entry file {path} in lane {self.lane} is damaged: {found}",
                f"'git knowl undo' takes the last operation back, 'git knowl retire {identifier}'"
                " takes the file out",
            )
        return None

    def held(self, identifier: str) -> tuple[list[tuple[str, str]], str | None]:
        """Return the files of an id, live and tombstone: equal means that nothing touched it."""
        tombstone = layout.record_path(layout.RETIRED, identifier)
        return self.view.entry_files(self.lane, identifier), self._tree.find(tombstone)

    def in_conflict(self, identifier: str) -> list[tuple[str, str]]:
        """Return the files of the texts of an entry between which nobody has decided."""
        return list(self._tree.files_in(layout.conflict_folder(identifier)))

    def retired(self) -> dict[str, Tombstone]:
        """Return the readable tombstones by id."""
        found = records.read_all(self.view, self._tree.ref, layout.RETIRED, tombstones.decode)
        return {item.id: item for item in found if isinstance(item, Tombstone)}

    def tombstone(self, identifier: str) -> Tombstone | None:
        """Return the tombstone of an id, or None."""
        data = self._tree.read(layout.record_path(layout.RETIRED, identifier))
        return None if data is None else tombstones.decode(data)

    def project(self) -> tuple[str, ...]:
        """Return the root commits of the code this knowledge is about, as far as they are known."""
        data = self._tree.read(layout.PROJECT_FILE) or b""
        return tuple(sorted(data.decode("ascii", "replace").split()))


def decode(path: str, data: bytes) -> Entry | str:
    """Return the entry of a file, or in words why it is none, or none that may be looked at."""
    found = read_placed(path, data)
    if isinstance(found, str):
        return found
    return barred(found) or found


def read_placed(path: str, data: bytes) -> Entry | str:
    """Return the same whatever the entry names: for a merge, which looks at none of it."""
    try:
        entry = parse(data)
    except DocumentError as error:
        return error.message
    if path != layout.entry_path(entry.id, entry.name):
        return f"the content belongs at {layout.entry_path(entry.id, entry.name)}"
    return entry


def find_entry(view: View, identifier: str) -> tuple[str, Entry] | None:
    """Return lane and live entry of an id in either lane, or None.

    Raises DamagedEntryError when its file is unreadable.
    """
    for lane in LANES:
        entry = Snapshot(view, lane).entry(identifier)
        if entry:
            return lane, entry
    return None


def read_snapshot(view: View, lane: str, commit: str) -> Snapshot:
    """Return a lane as it stood at a commit of its history."""
    at = View(view.db, view.object_format, {refs.entries_ref(lane): commit})
    return Snapshot(at, lane)
