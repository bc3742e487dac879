"""The heavy half of the cache: bring it up to the tips, and parse what it holds.

Only the files that differ between the cached tips and the present ones are read. Whatever is odd
about the file (missing, damaged, of another format, from a commit nobody knows any more) means that
it is made anew; where it cannot be written, or another process holds it for too long, it is made in
memory: slower, and not wrong. Content and tips are written in one transaction, under a lock of its
own, so that a file is never replaced under another writer.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress

from git_knowl.errors import MovedError
from git_knowl.model.document import parse
from git_knowl.model.entry import Entry
from git_knowl.plumbing import refs
from git_knowl.plumbing.lock import Lock, LockFolderError
from git_knowl.plumbing.objects import MissingObject, ObjectDatabase
from git_knowl.plumbing.repository import Repository
from git_knowl.store import cache_file
from git_knowl.store.cache import CacheReader
from git_knowl.store.cache_file import LANES, Identity, Tips
from git_knowl.store.cache_fill import SCHEMA, Filling
from git_knowl.store.snapshot import Snapshot
from git_knowl.store.view import View, read_refs

LOCK = "cache-v1.lock"
#: Seconds to wait for another process that fills the file; in memory it would take as long.
PATIENCE = 30.0
#: After so many moves by others, answers are taken from memory.
MOST_MOVES = 3
#: What says nothing about the content of the file: the medium, rights, other processes.
HARMLESS = frozenset(
    (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_AUTH,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_INTERRUPT,
    )
)
PRIMARY_CODE = 0xFF

#: Blobs by lane and path.
Files = Mapping[str, Mapping[str, str]]


class OddCacheError(Exception):
    """The file is no cache of this format, or of a commit that is not there any more."""


class Source:
    """What a cache is made from: the lanes at two tips, and the place of the file."""

    def __init__(self, repo: Repository, tips: Tips, db: ObjectDatabase, patience: float) -> None:
        self.path = repo.shared_path(cache_file.NAME)
        self.tips = tips
        # What this clone remembers of a text changes only together with the file of its entry, so
        # the tips of the lanes stay the key.
        commits = read_refs(repo, (refs.STATE,))
        commits |= {refs.entries_ref(lane): tips.get(lane) for lane in LANES}
        self._view = View(db, repo.object_format, commits)
        self._lock = Lock(repo.shared_path(LOCK), patience)

    def open_file(self, *, anew: bool = False) -> tuple[sqlite3.Connection, Identity]:
        """Bring the file up to the tips, or make it anew where it must be.

        Raises an error of the lock, the system or SQLite where it cannot be written.
        """
        with self._lock:
            connection = (None if anew else self._advanced()) or self._anew()
            return connection, cache_file.identity(self.path)

    def open_memory(self, files: Files | None = None) -> sqlite3.Connection:
        """Make a cache that ends with this process, of what the tips hold or of other files."""
        connection = sqlite3.connect(":memory:", isolation_level=None)
        self._fill(connection, files)
        return connection

    def _advanced(self) -> sqlite3.Connection | None:
        """Return the file brought up to the tips, or None where it is missing or odd."""
        if not os.path.exists(self.path):
            return None
        connection = cache_file.connect(self.path)
        try:
            with writing(connection):
                self._advance(connection)
        except BaseException as error:
            connection.close()
            if is_odd(error):
                return None
            raise
        return connection

    def _advance(self, connection: sqlite3.Connection) -> None:
        have, want = cache_file.stored_key(connection), cache_file.key(self.tips)
        is_whole = cache_file.UNREADABLE not in cache_file.meta(connection)
        if have == want and is_whole:
            return
        if have.keys() != want.keys() or have["format"] != want["format"]:
            raise OddCacheError("another format")
        filling = Filling(connection, self._view)
        for lane in LANES:
            if have[lane] != want[lane] or not is_whole:
                filling.apply(lane, Snapshot(self._view, lane).changed_since(have[lane] or None))
        filling.finish(self.tips)

    def _anew(self) -> sqlite3.Connection:
        for suffix in ("-journal", "-wal", "-shm", ""):
            with suppress(FileNotFoundError):
                os.unlink(self.path + suffix)
        connection = cache_file.connect(self.path, create=True)
        try:
            self._fill(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _fill(self, connection: sqlite3.Connection, files: Files | None = None) -> None:
        with writing(connection):
            for statement in SCHEMA:
                connection.execute(statement)
            filling = Filling(connection, self._view)
            for lane in LANES:
                held = Snapshot(self._view, lane).paths() if files is None else files.get(lane, {})
                filling.add(lane, dict(held))
            filling.finish(self.tips)


class Cache(CacheReader):
    """The cache at two tips, which comes back to them when another process moves its file."""

    def __init__(
        self, source: Source, connection: sqlite3.Connection, identity: Identity | None
    ) -> None:
        super().__init__(source.path, connection, source.tips, identity)
        self._source = source
        self._moves = 0

    def reopen(self, error: Exception) -> None:
        """Bring the file back to these tips, or leave it to the others and answer from memory."""
        self.connection.close()
        self._moves += 1
        if self._moves < MOST_MOVES:
            self.connection, self.identity = open_source(self._source, anew=is_odd(error))
        else:
            self.connection, self.identity = self._source.open_memory(), None

    def keep_signed(self, keys: str, ids: Iterable[str]) -> None:
        """Remember which entries are signed under a state of the allowed keys.

        Where the file cannot be written, this cache goes on in memory.
        """
        try:
            with writing(self.connection):
                if cache_file.stored_key(self.connection) == cache_file.key(self.tips):
                    put_signed(self.connection, keys, ids)
        except sqlite3.Error:
            self.connection.close()
            self.connection, self.identity = self._source.open_memory(), None
            put_signed(self.connection, keys, ids)

    def entries(self, ids: Iterable[str] | None = None) -> list[Entry]:
        """Return those of the live entries (or all of them), parsed, by id."""
        return [parse(data) for _, data in self.documents(ids)]


def put_signed(connection: sqlite3.Connection, keys: str, ids: Iterable[str]) -> None:
    """Put the signed entries in place of those that were known before."""
    connection.execute("DELETE FROM signed")
    connection.execute("DELETE FROM signatures")
    connection.executemany("INSERT INTO signed VALUES (?)", [(one,) for one in ids])
    connection.execute("INSERT INTO signatures VALUES (?)", [keys])


def open_cache(
    repo: Repository, tips: Tips, db: ObjectDatabase, patience: float = PATIENCE
) -> Cache:
    """Return the cache for the commits of the lanes, brought up to date as far as it must be.

    ``patience`` is how many seconds to wait for another process that fills the file. Raises
    FormatError for a store that needs a newer reader.
    """
    source = Source(repo, tips, db, patience)
    opened = cache_file.connect_warm(source.path, tips) or open_source(source)
    return Cache(source, *opened)


def open_aside(
    repo: Repository,
    tips: Tips,
    db: ObjectDatabase,
    files: Files | None = None,
) -> Cache:
    """Return a cache in memory that leaves the file alone: of earlier tips, or of other files.

    ``files`` are the blobs to hold, by lane and path; without them it holds what the tips hold.
    """
    source = Source(repo, tips, db, PATIENCE)
    return Cache(source, source.open_memory(files), None)


def open_source(
    source: Source, *, anew: bool = False
) -> tuple[sqlite3.Connection, Identity | None]:
    """Return the cache in its file, or in memory where the file cannot be had."""
    try:
        return source.open_file(anew=anew)
    except (LockFolderError, MovedError, OSError, sqlite3.Error):
        return source.open_memory(), None


def is_odd(error: BaseException) -> bool:
    """Tell whether an error means that the content of the file is of no use."""
    if isinstance(error, sqlite3.Error):
        code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
        return code & PRIMARY_CODE not in HARMLESS
    return isinstance(error, (OddCacheError, MissingObject))


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """Run the block as one transaction: all of it is seen, or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
