"""The file of the derived cache: where it lies, how it is opened, for which tips it answers."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping
else:
    import _sqlite3 as sqlite3  # what `sqlite3` puts around it are dates, half a bare start

FORMAT = "7"
NAME = "cache-v1.sqlite"
#: Stands in the table ``meta`` while an object of the store could not be read, which says nothing
#: about the tips: it may be back the next time.
UNREADABLE = "unreadable"
LANES = ("shared", "local")
#: A writer keeps readers out for its commit only, so a longer wait means that something hangs.
BUSY_SECONDS = 5.0

ORDINARY = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-")

Tips = dict[str, "str | None"]
Identity = tuple[int, int]


def connect(path: str, *, create: bool = False) -> sqlite3.Connection:
    """Open the file in autocommit mode; without ``create`` a missing one is an error.

    Opened for writing even by readers, because only so can SQLite roll back what a killed writer
    left; on a read-only file system SQLite falls back to reading by itself.
    """
    return sqlite3.connect(
        f"file:{_percent_encoded(path)}?mode={'rwc' if create else 'rw'}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        check_same_thread=False,  # one thread at a time, but any of them may collect the garbage
    )


def _percent_encoded(path: str) -> str:
    """Return the path as the path of a URI: any byte may occur in it, also such as are no UTF-8."""
    return "".join(chr(byte) if byte in ORDINARY else f"%{byte:02x}" for byte in os.fsencode(path))


def identity(path: str) -> Identity:
    """Return what tells this file from another one that took its place later."""
    status = os.stat(path)
    return status.st_dev, status.st_ino


def key(tips: Mapping[str, str | None]) -> dict[str, str]:
    """Return what the file's ``meta`` table holds when it answers for these tips."""
    return {"format": FORMAT, **{lane: tips.get(lane) or "" for lane in LANES}}


def stored_key(connection: sqlite3.Connection) -> dict[str, str]:
    """Return what the file says it answers for; raises sqlite3.Error when it is no cache."""
    return {name: value for name, value in meta(connection).items() if name != UNREADABLE}


def meta(connection: sqlite3.Connection) -> dict[str, str]:
    """Return the same, with the mark of what could not be read; raises sqlite3.Error."""
    return dict(connection.execute("SELECT name, value FROM meta"))


def connect_warm(path: str, tips: Tips) -> tuple[sqlite3.Connection, Identity] | None:
    """Open the file when it answers for these tips; None when it must be filled first."""
    try:
        connection = connect(path)
    except sqlite3.Error:
        return None
    try:
        if meta(connection) == key(tips):
            return connection, identity(path)
    except (OSError, sqlite3.Error):
        pass
    connection.close()
    return None
