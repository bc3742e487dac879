"""What was found out about commits of the shared lane: origins of texts, and signatures.

A file of its own beside the cache, since asking about a signature starts a program for each. It may
be deleted at any time, and what cannot be kept is asked again.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from git_knowl.plumbing.repository import Repository
from git_knowl.plumbing.signing import NONE, Signature
from git_knowl.store import cache_file
from git_knowl.store.cache import batches, marks
from git_knowl.store.origins import Known, Origin

FILE = "trust-v1.sqlite"
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS tip (commit_id TEXT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS origin (
        id TEXT PRIMARY KEY, blob TEXT NOT NULL, commit_id TEXT NOT NULL,
        vouchers TEXT NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS signature (
        commit_id TEXT PRIMARY KEY, keys TEXT NOT NULL, state TEXT NOT NULL,
        signer TEXT NOT NULL, key TEXT NOT NULL) WITHOUT ROWID""",
)


class TrustFile:
    """The file, opened anew for every question; one that is damaged is made anew."""

    def __init__(self, repo: Repository) -> None:
        self._path = repo.shared_path(FILE)

    def known(self) -> Known | None:
        """Return the origins that were found last, with their tip."""
        tips = self._select("SELECT commit_id FROM tip")
        rows = self._select("SELECT id, blob, commit_id, vouchers FROM origin")
        if len(tips) != 1:
            return None
        found = {key: Origin(blob, commit, tuple(told.split())) for key, blob, commit, told in rows}
        return Known(tips[0][0], found)

    def keep_origins(self, tip: str, origins: Mapping[str, Origin]) -> None:
        """Remember what was found at a tip, in place of what was found before."""
        rows = [(key, one.blob, one.commit, " ".join(one.vouchers)) for key, one in origins.items()]
        self._write(
            ("DELETE FROM tip WHERE ?", [(1,)]),
            ("DELETE FROM origin WHERE ?", [(1,)]),
            ("INSERT INTO tip VALUES (?)", [(tip,)]),
            ("INSERT INTO origin VALUES (?, ?, ?, ?)", rows),
        )

    def signatures(self, commits: Iterable[str], keys: str) -> dict[str, Signature]:
        """Return what is known of the commits under these allowed keys.

        That a commit has no signature is true under all of them.
        """
        rows = [
            row
            for batch in batches(commits)
            for row in self._select(
                "SELECT commit_id, state, signer, key FROM signature"
                f" WHERE (keys = ? OR state = ?) AND commit_id IN ({marks(batch)})",
                [keys, NONE, *batch],
            )
        ]
        return {commit: Signature(*told) for commit, *told in rows}

    def keep_signatures(self, found: Mapping[str, Signature], keys: str) -> None:
        """Remember what git said of commits under these allowed keys."""
        rows = [(commit, keys, one.state, one.signer, one.key) for commit, one in found.items()]
        self._write(("INSERT OR REPLACE INTO signature VALUES (?, ?, ?, ?, ?)", rows))

    def _select(self, sql: str, arguments: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a question, none where the file cannot be had."""
        connection = self._open()
        if connection is None:
            return []
        try:
            return connection.execute(sql, arguments).fetchall()
        except sqlite3.Error:
            return []
        finally:
            connection.close()

    def _write(self, *jobs: tuple[str, Sequence[tuple[Any, ...]]]) -> None:
        """Carry out statements, each with its rows, as one transaction; or none of them."""
        connection = self._open()
        if connection is None:
            return
        try:
            connection.execute("BEGIN IMMEDIATE")
            for sql, rows in jobs:
                connection.executemany(sql, rows)
            connection.execute("COMMIT")
        except sqlite3.Error:  # read-only, full, or held by another process: it is asked again
            return
        finally:
            connection.close()

    def _open(self) -> sqlite3.Connection | None:
        """Return the file; a damaged one is replaced, None where there can be none."""
        with suppress(OSError, sqlite3.OperationalError):
            os.makedirs(os.path.dirname(self._path), exist_ok=True)
            try:
                return self._made()
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError:
                os.unlink(self._path)
                return self._made()
        return None

    def _made(self) -> sqlite3.Connection:
        connection = cache_file.connect(self._path, create=True)
        try:
            for statement in _SCHEMA:
                connection.execute(statement)
        except sqlite3.Error:
            connection.close()
            raise
        return connection
