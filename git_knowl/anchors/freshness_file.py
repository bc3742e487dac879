"""The file of stored verdicts for the writing half: what it knows, and how it is changed.

Reading and writing are separate transactions with the judging in between; the generation tells
whether another process wrote meanwhile, and then what was judged here is not stored.
"""

import os
import sqlite3
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from typing import Self, TypeAlias

from git_knowl.anchors.freshness import FILE, connect, epoch, stamp
from git_knowl.plumbing import index_file
from git_knowl.plumbing.repository import Repository

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE paths (
  path BLOB PRIMARY KEY, mtime INT, ctime INT, size INT, inode INT, mode INT,
  based INT NOT NULL, mark TEXT
) WITHOUT ROWID;
CREATE TABLE folders (folder BLOB PRIMARY KEY, link INT NOT NULL) WITHOUT ROWID;
CREATE TABLE uses (path BLOB, id TEXT, PRIMARY KEY (path, id)) WITHOUT ROWID;
CREATE INDEX uses_by_id ON uses (id);
CREATE TABLE entries (
  id TEXT PRIMARY KEY, version TEXT NOT NULL, leaning INT NOT NULL, sets INT NOT NULL,
  since TEXT, expires TEXT
) WITHOUT ROWID;
CREATE TABLE needs (id TEXT, needed TEXT, PRIMARY KEY (id, needed)) WITHOUT ROWID;
CREATE INDEX needs_by_needed ON needs (needed);
CREATE TABLE verdicts (id TEXT PRIMARY KEY, status TEXT NOT NULL, detail TEXT NOT NULL)
  WITHOUT ROWID
"""
_TABLES = ("meta", "paths", "folders", "uses", "entries", "needs", "verdicts")
_FORGET = (
    "DELETE FROM entries WHERE id = ?",
    "DELETE FROM uses WHERE id = ?",
    "DELETE FROM needs WHERE id = ?",
    "DELETE FROM verdicts WHERE id = ?",
)


PathRow: TypeAlias = tuple[bytes, int, int, int, int, int, bool, str | None]
"""A path with its stat, whether its content is that of the base commit, and the index's mark."""


@dataclass(frozen=True, slots=True)
class Row:
    """One entry as it was judged; by its urls it holds from ``since`` until before ``expires``.

    ``is_leaning`` tells that HEAD or the index had a say, ``has_sets`` that sets of files did;
    ``detail`` is the verdict as text when it says more than that every anchor holds; ``needs`` are
    the ids of other entries.
    """

    id: str
    version: str
    status: str
    is_leaning: bool
    since: str | None
    expires: str | None
    detail: str | None
    paths: tuple[str, ...]
    needs: tuple[str, ...] = ()
    has_sets: bool = False


@dataclass(frozen=True, slots=True)
class Start:
    """The moment a run began: the time by the clock of the file system, and what decides a blob.

    By that clock files are stamped, so it tells which of them are too young to be trusted. It is
    None where nothing can be stored; ``settled`` are the stamps with the young ones void.
    """

    path: str
    tick: int | None
    stamps: Mapping[str, str]
    settled: Mapping[str, str]

    @classmethod
    def now(cls, repo: Repository, file: str = FILE) -> Self:
        """Take the time, then the stamps."""
        path = repo.worktree_path(file)
        tick = _tick(path)
        return cls(path, tick, cls.stamps_of(repo), cls.stamps_of(repo, tick))

    @staticmethod
    def stamps_of(repo: Repository, tick: int | None = None) -> dict[str, str]:
        """Return the stamps of attributes and settings, and of the index."""
        return {"epoch": epoch(repo, tick), "index": stamp(index_file.path_of(repo), tick)}


@dataclass(frozen=True, slots=True)
class Outdated:
    """What is stored and no longer holds.

    ``generation`` and ``base`` are those of the file, None when nothing in it is of use. ``stale``
    gives id -> version of the entries to judge again, ``dropped`` are stored entries that are gone
    or have another version, ``changed`` are paths (a folder ends in a slash) with another stat.
    ``unclean`` is the mark of what git named as unclean when they were compared, if it was asked.
    """

    generation: str | None
    base: str | None
    stale: Mapping[str, str]
    changed: frozenset[bytes] = frozenset()
    dropped: frozenset[str] = frozenset()
    unclean: str = ""


@dataclass(frozen=True, slots=True)
class Batch:
    """What one run found out about the entries it judged again.

    Of ``paths`` only those are stored that are new or had changed: of any other the stored stat is
    kept, because not everything judged by it was judged again.
    """

    meta: Mapping[str, str]
    rows: list[Row]
    paths: list[PathRow]
    folders: list[tuple[bytes, bool]]


class Known:
    """What is stored about entries, seen at one moment."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def generation(self) -> str:
        """Return the mark of the run that wrote last."""
        return str(next(self._column("SELECT value FROM meta WHERE key = 'generation'")))

    def versions(self) -> dict[str, str]:
        """Return the version of every entry that was judged, by its id."""
        return dict(self._connection.execute("SELECT id, version FROM entries"))

    def versions_of(self, ids: Iterable[str]) -> dict[str, str]:
        """Return the versions of some of them."""
        query = "SELECT version FROM entries WHERE id = ?"
        return {key: version for key in ids for version in self._column(query, key)}

    def details(self) -> dict[str, str]:
        """Return the verdicts that say something, as text, by the id of the entry."""
        return dict(self._connection.execute("SELECT id, detail FROM verdicts"))

    def marks(self) -> dict[bytes, str | None]:
        """Return how the index spoke of every path."""
        return dict(self._connection.execute("SELECT path, mark FROM paths"))

    def leaning(self) -> set[str]:
        """Return the entries in whose verdict HEAD or the index had a say."""
        return set(self._column("SELECT id FROM entries WHERE leaning"))

    def expired(self, now: str) -> set[str]:
        """Return the entries whose verdict holds at another time only, by the age of a url."""
        query = "SELECT id FROM entries WHERE expires <= ? OR since > ?"
        return set(self._column(query, now, now))

    def resting_on(self, paths: Iterable[bytes]) -> set[str]:
        """Return the entries on any of the paths; a folder ends in a slash."""
        found: set[str] = set()
        for path in paths:
            if path.endswith(b"/"):
                end = path[:-1] + b"0"  # the character after the slash
                below = "SELECT id FROM uses WHERE path > ? AND path < ?"
                found.update(self._column(below, path, end))
            else:
                found.update(self._column("SELECT id FROM uses WHERE path = ?", path))
        return found

    def on_sets(self) -> set[str]:
        """Return the entries that rest on a set of files."""
        return set(self._column("SELECT id FROM entries WHERE sets"))

    def with_dependants(self, ids: Iterable[str]) -> set[str]:
        """Return entries with all that need one of them, or need what needs one."""
        found, new = set(ids), set(ids)
        while new:
            query = "SELECT id FROM needs WHERE needed = ?"
            new = {one for key in new for one in self._column(query, key)} - found
            found |= new
        return found

    def lacking(self, live: Container[str]) -> set[str]:
        """Return the entries that need one which is not live."""
        pairs = self._connection.execute("SELECT id, needed FROM needs")
        return {key for key, needed in pairs if needed not in live}

    def _column(self, query: str, *values: object) -> Iterator[str]:
        return (row[0] for row in self._connection.execute(query, values))


@contextmanager
def known(path: str, generation: str) -> Iterator[Known | None]:
    """Open what is stored, or give None when it is not what that generation left."""
    with closing(connect(path)) as connection:
        connection.execute("BEGIN")
        stored = Known(connection)
        yield stored if stored.generation() == generation else None


def write(start: Start, outdated: Outdated, batch: Batch) -> None:
    """Store all of a batch or nothing, on top of the generation it was compared with, if any.

    Where that fails, or another run was faster, nothing is lost but time.
    """
    with suppress(OSError, sqlite3.Error):
        try:
            _write(start, outdated, batch)
        except sqlite3.OperationalError:  # locked, full, read-only: the file itself may be sound
            return
        except sqlite3.DatabaseError:
            for name in (start.path, f"{start.path}-journal"):
                with suppress(FileNotFoundError):
                    os.unlink(name)


def _tick(path: str) -> int | None:
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        # By its name: closing a descriptor of the file would drop SQLite's locks on it.
        os.utime(path)
        return os.stat(path).st_mtime_ns
    except OSError:
        return None


def _write(start: Start, outdated: Outdated, batch: Batch) -> None:
    with closing(connect(start.path)) as connection:
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("BEGIN IMMEDIATE")
        if outdated.generation is None:
            _make(connection)
        elif Known(connection).generation() != outdated.generation:
            return
        _apply(connection, outdated, batch)
        meta = {**batch.meta, **_summary(connection), "generation": _next(start, outdated)}
        connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", meta.items())
        connection.execute("COMMIT")


def _next(start: Start, outdated: Outdated) -> str:
    """Return a text no other run writes: a number that grows, and who began to write it when."""
    count = int(outdated.generation.partition(".")[0]) if outdated.generation else 0
    return f"{count + 1}.{start.tick}.{os.getpid()}"


def _make(connection: sqlite3.Connection) -> None:
    for table in _TABLES:
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in _SCHEMA.split(";"):
        connection.execute(statement)


def _apply(connection: sqlite3.Connection, outdated: Outdated, batch: Batch) -> None:
    many = connection.executemany
    many("DELETE FROM paths WHERE path = ?", ((path,) for path in outdated.changed))
    folders = ((path.rstrip(b"/"),) for path in outdated.changed)
    many("DELETE FROM folders WHERE folder = ?", folders)
    forgotten = outdated.dropped | outdated.stale.keys()
    for statement in _FORGET:
        many(statement, ((key,) for key in forgotten))
    _insert(connection, batch)
    if outdated.dropped:
        connection.execute(
            "DELETE FROM paths WHERE NOT EXISTS (SELECT 1 FROM uses WHERE uses.path = paths.path)"
        )


def _insert(connection: sqlite3.Connection, batch: Batch) -> None:
    many = connection.executemany
    many("INSERT OR IGNORE INTO paths VALUES (?, ?, ?, ?, ?, ?, ?, ?)", batch.paths)
    many("INSERT OR IGNORE INTO folders VALUES (?, ?)", batch.folders)
    many(
        "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)",
        (
            (row.id, row.version, row.is_leaning, row.has_sets, row.since, row.expires)
            for row in batch.rows
        ),
    )
    many(
        "INSERT OR IGNORE INTO uses VALUES (?, ?)",
        ((os.fsencode(path), row.id) for row in batch.rows for path in row.paths),
    )
    many(
        "INSERT OR IGNORE INTO needs VALUES (?, ?)",
        ((row.id, needed) for row in batch.rows for needed in row.needs),
    )
    many(
        "INSERT INTO verdicts VALUES (?, ?, ?)",
        ((row.id, row.status, row.detail) for row in batch.rows if row.detail is not None),
    )


def _summary(connection: sqlite3.Connection) -> dict[str, str]:
    """Return what the reading half must know of all entries."""
    query = (
        "SELECT max(leaning), max(sets), max(since), min(expires), (SELECT count(*) FROM paths)"
        " FROM entries"
    )
    leaning, sets, since, expiry, paths = connection.execute(query).fetchone()
    return {
        "leaning": str(leaning or 0),
        "sets": str(sets or 0),
        "since": since or "",
        "expiry": expiry or "",
        "paths": str(paths),
    }
