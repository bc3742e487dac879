"""What the files of the store become in the tables of the cache."""

import os
import sqlite3
from collections.abc import Iterable, Mapping

from git_knowl.errors import KnowlError
from git_knowl.model import limits
from git_knowl.model.anchor import (
    Anchor,
    CommitAnchor,
    EntryLink,
    FileAnchor,
    ForeignAnchor,
    PackageAnchor,
    SnippetAnchor,
    SymbolAnchor,
    TreeAnchor,
    UrlAnchor,
)
from git_knowl.model.entry import LOCAL, SHARED, Entry
from git_knowl.model.tiers import HERE, OTHERS, UNATTENDED
from git_knowl.store import cache_file, layout, search_index, state, superseded, tombstones
from git_knowl.store.cache import sayable
from git_knowl.store.cache_file import Tips
from git_knowl.store.records import RecordError
from git_knowl.store.snapshot import decode
from git_knowl.store.touched import TOP, reach
from git_knowl.store.view import View

TWICE = "another file has the same id"
#: So many blobs are held in memory at a time.
BATCH = 1_000
PLACE_DEPTH = 2
FileChange = tuple[str, str | None]

#: ``shown_name`` is NULL for the local copy of an entry that the shared lane holds too. Documents
#: stand apart, so that a listing does not read past them; paths in a tree are bytes, as git's are.
#: ``known`` is what tells without parsing that an anchor holds: blobs, or the id of an entry.
#: ``heir`` is the id of the entry that supersedes this one.
SCHEMA = (
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    """CREATE TABLE entry (
        key INTEGER PRIMARY KEY, id TEXT NOT NULL, lane TEXT NOT NULL, name TEXT NOT NULL,
        shown_name TEXT, type TEXT NOT NULL, description TEXT NOT NULL, updated TEXT NOT NULL,
        digest TEXT NOT NULL, how TEXT NOT NULL, place TEXT NOT NULL, promoted_file TEXT,
        promoted_digest TEXT, path TEXT NOT NULL, blob TEXT NOT NULL, tier TEXT NOT NULL, heir TEXT,
        UNIQUE (id, lane))""",
    "CREATE INDEX entry_name ON entry (name)",
    "CREATE INDEX entry_shown ON entry (shown_name, heir)",
    "CREATE INDEX entry_place ON entry (place, type, shown_name, heir)",
    "CREATE INDEX entry_promoted ON entry (promoted_file) WHERE promoted_file IS NOT NULL",
    "CREATE INDEX entry_heir ON entry (heir) WHERE heir IS NOT NULL",
    "CREATE TABLE document (key INTEGER PRIMARY KEY, data BLOB NOT NULL)",
    """CREATE TABLE anchor (
        key INTEGER NOT NULL, position INTEGER NOT NULL, kind TEXT NOT NULL, target TEXT NOT NULL,
        path TEXT, known TEXT NOT NULL, PRIMARY KEY (key, position)) WITHOUT ROWID""",
    "CREATE INDEX anchor_path ON anchor (path) WHERE path IS NOT NULL",
    """CREATE TABLE conflict (
        id TEXT NOT NULL, lane TEXT NOT NULL, path BLOB NOT NULL,
        PRIMARY KEY (id, lane, path)) WITHOUT ROWID""",
    """CREATE TABLE retired (
        id TEXT NOT NULL, lane TEXT NOT NULL, name TEXT NOT NULL, reason TEXT NOT NULL,
        by TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (id, lane)) WITHOUT ROWID""",
    """CREATE TABLE damaged (
        lane TEXT NOT NULL, path BLOB NOT NULL, blob TEXT NOT NULL, error TEXT NOT NULL,
        PRIMARY KEY (lane, path)) WITHOUT ROWID""",
    "CREATE TABLE signed (id TEXT PRIMARY KEY) WITHOUT ROWID",
    "CREATE TABLE signatures (keys TEXT NOT NULL)",
    *search_index.SCHEMA,
)


INSERT_ENTRY = "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)"
#: What takes an entry out, by its key.
REMOVALS = (
    "DELETE FROM entry WHERE key = ?",
    "DELETE FROM document WHERE key = ?",
    "DELETE FROM anchor WHERE key = ?",
    *search_index.REMOVALS,
)


class Filling:
    """The changes of one transaction; ``finish`` makes the tables whole again."""

    def __init__(self, connection: sqlite3.Connection, view: View) -> None:
        self._connection = connection
        self._view = view
        self._names: set[str] = set()
        self._chunks: set[str] = set()
        last = connection.execute("SELECT coalesce(max(key), 0) FROM entry").fetchone()
        self._key = int(last[0])
        self._doors: dict[str, state.Doors] = {}
        self._unreadable: dict[str, str] = {}

    def apply(self, lane: str, changes: Iterable[FileChange]) -> None:
        """Take over (path, blob, or None where it is gone) of the files of a lane.

        Files that could not be read are tried again: what stood in their way may be gone.
        """
        again = self._connection.execute("SELECT path, blob FROM damaged WHERE lane = ?", [lane])
        wanted = {os.fsdecode(path): blob for path, blob in again} | dict(changes)
        for path in wanted:
            self._remove(lane, path)
        self.add(lane, wanted)

    def add(self, lane: str, files: Mapping[str, str | None]) -> None:
        """Take over files of a lane of which the tables hold nothing yet; those gone are none."""
        present = [(path, blob) for path, blob in sorted(files.items()) if blob and is_told(path)]
        for start in range(0, len(present), BATCH):
            batch = present[start : start + BATCH]
            contents = self._view.read_each([blob for _, blob in batch])
            for (path, blob), content in zip(batch, contents, strict=True):
                self._put(lane, path, blob, content)

    def finish(self, tips: Tips) -> None:
        """Settle who keeps which name, and say for which tips the tables answer."""
        search_index.add_words(self._connection, self._chunks)
        for name in sorted(self._names):
            self._show(name)
        superseded.tell(self._connection)
        self._connection.execute("DELETE FROM signatures")  # which entries are signed may change
        self._connection.execute("DELETE FROM meta")
        self._connection.executemany(
            "INSERT INTO meta (name, value) VALUES (?, ?)",
            [*cache_file.key(tips).items(), *self._unreadable.items()],
        )

    def _put(self, lane: str, path: str, blob: str, content: bytes | KnowlError) -> None:
        folder = path.partition("/")[0]
        try:
            if isinstance(content, KnowlError):
                self._unreadable = {cache_file.UNREADABLE: "1"}
                raise content
            if folder == layout.ENTRIES:
                self._put_entry(lane, path, blob, content)
            elif folder == layout.RETIRED:
                self._put_tombstone(lane, path, content)
            elif folder == layout.FORMAT_FILE:
                check_known(content)
            else:
                self._put_conflict(lane, path)
        except KnowlError as error:
            self._put_damaged(lane, path, blob, error.message)
        except UnicodeEncodeError:  # JSON spells half a character, SQLite has no place for it
            self._put_damaged(lane, path, blob, "expected whole characters")

    def _put_entry(self, lane: str, path: str, blob: str, data: bytes) -> None:
        entry = decode(path, data)
        if isinstance(entry, str):
            raise RecordError(entry)
        if not self._make_room(lane, entry.id, path):
            raise RecordError(TWICE)
        self._key += 1
        columns = (
            self._key,
            entry.id,
            lane,
            entry.name,
            entry.name,
            *self._told(entry),
            path,
            blob,
            self._tier(entry),
        )
        anchors = _anchor_rows(self._key, entry)
        self._connection.execute(INSERT_ENTRY, columns)
        self._connection.execute("INSERT INTO document VALUES (?, ?)", (self._key, data))
        self._connection.executemany("INSERT INTO anchor VALUES (?, ?, ?, ?, ?, ?)", anchors)
        self._chunks |= search_index.put(self._connection, self._key, entry)
        self._touch(entry.id)

    def _told(self, entry: Entry) -> tuple[str | None, ...]:
        """Return the columns from ``type`` to ``promoted_digest``."""
        claimed = entry.reviewed.how if entry.reviewed else UNATTENDED
        how = UNATTENDED if self._is_unattended(entry) else claimed
        promoted = (entry.promoted.file, entry.promoted.digest) if entry.promoted else (None, None)
        where = place(entry)
        line = clipped(entry.description)
        return entry.type, line, entry.updated, entry.digest, how, where, *promoted

    def _is_unattended(self, entry: Entry) -> bool:
        claimed = entry.reviewed.how if entry.reviewed else UNATTENDED
        return UNATTENDED in (claimed, self._door(entry))

    def _tier(self, entry: Entry) -> str:
        """Return how a text came in, as far as it takes no signature to tell."""
        if self._is_unattended(entry):
            return UNATTENDED
        return OTHERS if self._door(entry) is None else HERE

    def _door(self, entry: Entry) -> str | None:
        """Return the door by which the text came in here; each file of doors is read once.

        A clone that cannot read what it remembers has nothing to say against a document.
        """
        path = state.accepted_path(entry.id)
        if path not in self._doors:
            try:
                self._doors[path] = state.read_doors_near(self._view, entry.id)
            except KnowlError:
                self._doors[path] = {}
        return self._doors[path].get((entry.id, entry.digest))

    def _make_room(self, lane: str, identifier: str, path: str) -> bool:
        """Tell whether the file holds its id: of two in one lane the lower path does, as ever."""
        held = self._connection.execute(
            "SELECT path, blob FROM entry WHERE id = ? AND lane = ?", [identifier, lane]
        ).fetchone()
        if held and held[0] < path:
            return False
        if held:
            self._remove(lane, held[0])
            self._put_damaged(lane, held[0], held[1], TWICE)
        return True

    def _put_tombstone(self, lane: str, path: str, data: bytes) -> None:
        stone = tombstones.decode(data)
        expected = layout.record_path(layout.RETIRED, stone.id)
        if path != expected:
            raise RecordError(f"the content belongs at {expected}")
        self._connection.execute(
            "INSERT INTO retired VALUES (?, ?, ?, ?, ?, ?)",
            (stone.id, lane, stone.name, stone.reason, stone.by, stone.at),
        )

    def _put_conflict(self, lane: str, path: str) -> None:
        row = (path.split("/")[1], lane, os.fsencode(path))
        self._connection.execute("INSERT INTO conflict VALUES (?, ?, ?)", row)

    def _put_damaged(self, lane: str, path: str, blob: str, error: str) -> None:
        said = error.encode("utf-8", "backslashreplace").decode()
        row = (lane, os.fsencode(path), blob, said)
        self._connection.execute("INSERT INTO damaged VALUES (?, ?, ?, ?)", row)

    def _remove(self, lane: str, path: str) -> None:
        key = [lane, os.fsencode(path)]
        self._connection.execute("DELETE FROM damaged WHERE lane = ? AND path = ?", key)
        folder = path.partition("/")[0]
        if folder == layout.ENTRIES:
            self._remove_entry(lane, path)
        elif folder == layout.RETIRED:
            stone = [layout.parse_record_path(layout.RETIRED, path), lane]
            self._connection.execute("DELETE FROM retired WHERE id = ? AND lane = ?", stone)
        elif folder == layout.CONFLICTS:
            self._connection.execute("DELETE FROM conflict WHERE lane = ? AND path = ?", key)

    def _remove_entry(self, lane: str, path: str) -> None:
        found = layout.parse_entry_path(path)
        if not found:
            return
        rows = self._connection.execute(
            "SELECT key FROM entry WHERE id = ? AND lane = ? AND path = ?",
            [found[0], lane, sayable(path)],
        ).fetchall()
        self._touch(found[0])
        for key in rows:
            for removal in REMOVALS:
                self._connection.execute(removal, key)

    def _touch(self, identifier: str) -> None:
        """Remember the names that an entry has in either lane: who keeps them may change."""
        rows = self._connection.execute("SELECT name FROM entry WHERE id = ?", [identifier])
        self._names.update(name for (name,) in rows)

    def _show(self, name: str) -> None:
        rows = self._connection.execute(
            "SELECT key, id, shown_name, lane = ? AND EXISTS (SELECT 1 FROM entry AS twin"
            " WHERE twin.id = entry.id AND twin.lane = ?) FROM entry WHERE name = ?",
            [LOCAL, SHARED, name],
        ).fetchall()
        holders = [identifier for _, identifier, _, is_copy in rows if not is_copy]
        for key, identifier, shown, is_copy in rows:
            now = None if is_copy else layout.shown_name(name, identifier, holders)
            if now != shown:
                self._connection.execute(
                    "UPDATE entry SET shown_name = ? WHERE key = ?", [now, key]
                )


def clipped(description: str) -> str:
    """Return a description as listings print it: no door of ours lets a longer one in."""
    most = limits.DESCRIPTION
    return description if len(description) <= most else f"{description[:most]}…"


def is_told(path: str) -> bool:
    """Tell whether the cache holds anything of a file: entries, tombstones and conflicts.

    The format is told of where it is newer than this program: what is read may not be all.
    """
    folder, _, rest = path.partition("/")
    is_record = bool(rest) and folder in (layout.ENTRIES, layout.RETIRED, layout.CONFLICTS)
    return is_record or path == layout.FORMAT_FILE


def check_known(text: bytes) -> None:
    """Raise RecordError for a format newer than this program, with what a reader must be told."""
    newer = layout.newer(text)
    if newer:
        raise RecordError(newer)


def anchored_path(anchor: Anchor) -> str | None:
    """Return the file whose change may make an anchor suspect, None when no file does."""
    match anchor:
        case FileAnchor() | SymbolAnchor() | SnippetAnchor():
            return anchor.path
        case TreeAnchor():
            return anchor.pathspec
        case PackageAnchor():
            return anchor.lockfile
        case UrlAnchor() | CommitAnchor() | EntryLink():
            return None
        case ForeignAnchor():
            found = anchor.fields.get("path", anchor.fields.get("lockfile"))
            return found if isinstance(found, str) else None


def place(entry: Entry) -> str:
    """Return the folder of the first anchored path, cut to two levels; ``""`` without a path.

    Lockfiles do not count: where they lie says nothing about the subject.
    """
    anchors = (anchor for anchor in entry.anchors if not isinstance(anchor, PackageAnchor))
    folder = next(filter(None, map(_folder, anchors)), "")
    return "/".join(folder.split("/")[:PLACE_DEPTH])


def _folder(anchor: Anchor) -> str | None:
    if isinstance(anchor, TreeAnchor):
        return reach(anchor.pathspec)
    path = anchored_path(anchor)
    return path if path is None else path.rpartition("/")[0] or TOP


def _anchor_rows(key: int, entry: Entry) -> list[tuple[int, int, str, str, str | None, str]]:
    return [
        (key, position, one.kind, one.target, anchored_path(one), known(one, entry.digest))
        for position, one in enumerate(entry.evidence)
    ]


def known(anchor: Anchor, digest: str) -> str:
    """Return the blobs under which an anchor was found true for a text, or the id of an entry."""
    match anchor:
        case FileAnchor() | SymbolAnchor():
            return " ".join(item.blob for item in anchor.accepted if item.text == digest)
        case CommitAnchor():
            return anchor.commit
        case EntryLink():
            return anchor.id
        case _:
            return ""
