"""SQLite files that only spare work: whatever is wrong with one, the rows are made again."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress

BUSY_SECONDS = 2.0
_MEMORY = ":memory:"


def open_rows(
    path: str, prepare: Callable[[sqlite3.Connection], object], *, one_thread: bool = True
) -> sqlite3.Connection:
    """Open the file, or a store in memory where it cannot be used; a damaged one is made anew.

    ``prepare`` makes the tables that are missing and reads from them once, so that damage shows.
    """
    for attempt in (path, path, _MEMORY):
        with suppress(OSError, sqlite3.Error):
            if attempt != _MEMORY:
                os.makedirs(os.path.dirname(path), exist_ok=True)
            rows = sqlite3.connect(attempt, timeout=BUSY_SECONDS, check_same_thread=one_thread)
            try:
                prepare(rows)
            except sqlite3.OperationalError:
                rows.close()
                raise
            except sqlite3.DatabaseError:
                rows.close()
                os.unlink(path)
                raise
            return rows
    raise AssertionError("a database in memory always opens")
