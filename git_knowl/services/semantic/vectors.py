"""Vectors of documents, kept beside the repository: made once, by the blob they were made of.

The file may be deleted at any time; where it cannot be used vectors are made again for each answer.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import suppress

from git_knowl.plumbing.kept_rows import open_rows
from git_knowl.store.cache import BATCH, marks

FILE = "vectors-v1.sqlite"
MOST_ROWS = 50_000
SCHEMA = """
CREATE TABLE IF NOT EXISTS vector (
    model TEXT, blob TEXT, vectors BLOB NOT NULL, PRIMARY KEY (model, blob))"""
SELECT = "SELECT blob, vectors FROM vector WHERE model = ? AND blob IN"
INSERT = "INSERT OR REPLACE INTO vector VALUES (?, ?, ?)"
PRUNE = "DELETE FROM vector WHERE rowid <= (SELECT max(rowid) FROM vector) - ?"


class Vectors:
    """The kept vectors of one model."""

    def __init__(self, path: str, model: str) -> None:
        self._model = model
        self._rows = open_rows(path, prepare)

    def of(self, blobs: Iterable[str]) -> dict[str, bytes]:
        """Return the vectors of those of the blobs that have any."""
        wanted = sorted(blobs)
        found: dict[str, bytes] = {}
        with suppress(sqlite3.Error):
            for at in range(0, len(wanted), BATCH):
                some = wanted[at : at + BATCH]
                rows = self._rows.execute(f"{SELECT} ({marks(some)})", (self._model, *some))
                found.update(rows.fetchall())
        return found

    def keep(self, made: Mapping[str, bytes]) -> None:
        """Keep the vectors of some blobs; what cannot be written is made again."""
        rows = [(self._model, blob, vectors) for blob, vectors in made.items()]
        with suppress(sqlite3.Error), self._rows:
            self._rows.executemany(INSERT, rows)
            self._rows.execute(PRUNE, (MOST_ROWS,))

    def close(self) -> None:
        """Let go of the file."""
        self._rows.close()


def prepare(rows: sqlite3.Connection) -> None:
    """Make the table where it is missing, and see that it can be read."""
    rows.execute(SCHEMA)
    rows.execute(f"{SELECT} ()", ("",)).fetchone()
