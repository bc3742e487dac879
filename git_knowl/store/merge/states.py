"""What a tree holds of one id: its texts, its tombstone, and files that nobody can read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from git_knowl.errors import KnowlError
from git_knowl.model.document import render
from git_knowl.model.entry import Entry
from git_knowl.model.ids import is_id
from git_knowl.plumbing.objects import ObjectError
from git_knowl.store import layout, tombstones, trees
from git_knowl.store.conflicts import read_side
from git_knowl.store.merge.reader import Reader
from git_knowl.store.merge.sides import Sides, sides_of
from git_knowl.store.purged import is_purged
from git_knowl.store.snapshot import read_placed
from git_knowl.store.tombstones import Tombstone


@dataclass(frozen=True, slots=True)
class State:
    """All that stands of an id: blobs by path, and what they say.

    ``sides`` are its texts, none where it is retired or gone, ``blobs`` their files by digest;
    ``damaged`` are the files that say nothing, ``purged`` the paths of contents that may not stand
    anywhere.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    sides: Sides = field(default_factory=dict)
    blobs: Mapping[str, str] = field(default_factory=dict)
    stone: Tombstone | None = None
    damaged: Mapping[str, str] = field(default_factory=dict)
    purged: tuple[str, ...] = ()

    @property
    def is_unreadable(self) -> bool:
        """Tell whether there are files, and none of them says what they are."""
        return bool(self.files) and not self.sides and self.stone is None

    @property
    def rev(self) -> int:
        """The highest rev of its texts, 0 without any."""
        return max((side.rev for side in self.sides.values()), default=0)


@dataclass(frozen=True, slots=True)
class Three:
    """Three states of one id; ``is_folded`` tells that the base is no state that ever stood."""

    base: State
    ours: State
    theirs: State
    is_folded: bool = False


def id_of(path: str) -> str | None:
    """Return the id that a file belongs to, None for a file of no id."""
    entry = layout.parse_entry_path(path)
    if entry:
        return entry[0]
    folder, _, rest = path.partition("/")
    identifier, _, file = rest.partition("/")
    if folder == layout.CONFLICTS and is_id(identifier) and file and "/" not in file:
        return identifier
    return layout.parse_record_path(layout.RETIRED, path)


def files_of(reader: Reader, root: str | None, identifier: str) -> dict[str, str]:
    """Return the blobs of an id by path: entry files, tombstone, sides of a conflict."""
    found = trees.files_in(reader, root, layout.entry_folder(identifier))
    files = {path: blob for path, blob in found if id_of(path) == identifier}
    stone = layout.record_path(layout.RETIRED, identifier)
    blob = trees.find(reader, root, stone)
    files |= {} if blob is None else {stone: blob}
    return files | dict(trees.files_in(reader, root, layout.conflict_folder(identifier)))


def read_state(reader: Reader, files: Mapping[str, str], purged: Collection[str] = ()) -> State:
    """Return what the files of an id say, those left out whose content was purged."""
    gone = [path for path, blob in files.items() if purged and _is_purged(reader, blob, purged)]
    kept = {path: blob for path, blob in sorted(files.items()) if path not in gone}
    said = {path: _said(reader, path, blob) for path, blob in kept.items()}
    stone = next((told for told in said.values() if isinstance(told, Tombstone)), None)
    sides = {} if stone else _sides(said)
    damaged = {path: kept[path] for path, told in said.items() if told is None}
    state = State(kept, sides, _blobs(kept, said, sides), stone, damaged, tuple(gone))
    if sides and _live(said) > 1:
        # Several files of one id say what a conflict says: a person must choose between them.
        whole = read_state(reader, {**damaged, **spelled(reader, sides, [state])})
        return replace(whole, purged=state.purged)
    return state


def spelled(reader: Reader, sides: Sides, known: Sequence[State]) -> dict[str, str]:
    """Return the files that hold some texts: the first one live, more than one as a conflict.

    A text that a known state has word for word keeps its very bytes.
    """
    if not sides:
        return {}
    blobs = {digest: _blob(reader, side, known) for digest, side in sides.items()}
    live = next(iter(sides.values()))
    files = {layout.entry_path(live.id, live.name): blobs[live.digest]}
    if len(sides) > 1:
        files |= {layout.conflict_path(live.id, digest): blob for digest, blob in blobs.items()}
    return files


def spelled_stone(reader: Reader, stone: Tombstone, known: Sequence[State]) -> dict[str, str]:
    """Return the file that holds a tombstone."""
    path = layout.record_path(layout.RETIRED, stone.id)
    found = [state.files[path] for state in known if state.stone == stone and path in state.files]
    return {path: min(found) if found else reader.put(tombstones.encode(stone))}


def _is_purged(reader: Reader, blob: str, purged: Collection[str]) -> bool:
    try:
        return is_purged(reader.read_blob(blob), purged)
    except ObjectError:
        return False


def _said(reader: Reader, path: str, blob: str) -> Entry | Tombstone | None:
    """Return what a file says, None when nobody can tell."""
    try:
        data = reader.read_blob(blob)
        if layout.parse_entry_path(path):
            found = read_placed(path, data)
            return found if isinstance(found, Entry) else None
        if layout.parse_conflict_path(path):
            return read_side(path, data)
        return _stone(data, path)
    except KnowlError:
        return None


def _stone(data: bytes, path: str) -> Tombstone | None:
    stone = tombstones.decode(data)
    return stone if path == layout.record_path(layout.RETIRED, stone.id) else None


def _blobs(
    files: Mapping[str, str], said: Mapping[str, Entry | Tombstone | None], sides: Sides
) -> dict[str, str]:
    """Return the blob of each text by digest, in the very words that count."""
    digests = {id(side): digest for digest, side in sides.items()}
    return {digests[id(told)]: files[path] for path, told in said.items() if id(told) in digests}


def _live(said: Mapping[str, Entry | Tombstone | None]) -> int:
    """Return how many files there are that hold the entry itself."""
    return sum(told is not None and bool(layout.parse_entry_path(p)) for p, told in said.items())


def _sides(said: Mapping[str, Entry | Tombstone | None]) -> Sides:
    """Return the texts; the live file knows more of its text than the copy in the folder."""
    found = {path: told for path, told in said.items() if isinstance(told, Entry)}
    if len(found) == 1:
        return sides_of(found.values())
    live = [told for path, told in found.items() if layout.parse_entry_path(path)]
    digests = {entry.digest for entry in live}
    return sides_of([*live, *(one for one in found.values() if one.digest not in digests)])


def _blob(reader: Reader, side: Entry, known: Sequence[State]) -> str:
    found = [state.blobs[side.digest] for state in known if state.sides.get(side.digest) == side]
    return min(found) if found else reader.put(render(side))
