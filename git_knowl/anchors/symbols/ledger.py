"""Digests of symbols by the blob they stand in: computed once, kept beside the repository.

The file may be deleted at any time. Where it is missing, damaged or cannot be written, digests are
computed again by every command, and no answer changes.
"""

import os
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from enum import Enum
from typing import NamedTuple

from git_knowl.anchors.symbols.digest import digest_of
from git_knowl.anchors.symbols.grammars import BeyondBounds, SymbolsUnavailable, algorithm
from git_knowl.anchors.symbols.known import FILE
from git_knowl.anchors.symbols.outline import Outline, outline
from git_knowl.plumbing.kept_rows import open_rows
from git_knowl.plumbing.objects import MissingObject, open_objects
from git_knowl.plumbing.repository import Repository

MOST_ROWS = 200_000
_OUTLINES_HELD = 16
_SCHEMA = """
CREATE TABLE IF NOT EXISTS reading (
    blob TEXT, suffix TEXT, symbol TEXT, algorithm INTEGER, state TEXT, digest TEXT,
    PRIMARY KEY (blob, suffix, symbol, algorithm))"""
#: What takes too long to read does so every time.
_SCHEMA_BEYOND = """
CREATE TABLE IF NOT EXISTS beyond (
    blob TEXT, suffix TEXT, algorithm INTEGER, reason TEXT,
    PRIMARY KEY (blob, suffix, algorithm))"""
_SELECT_BEYOND = "SELECT reason FROM beyond WHERE blob = ? AND suffix = ? AND algorithm = ?"
_INSERT_BEYOND = "INSERT OR REPLACE INTO beyond VALUES (?, ?, ?, ?)"
_PRUNE_BEYOND = "DELETE FROM beyond WHERE rowid <= (SELECT max(rowid) FROM beyond) - ?"
_SELECT = (
    "SELECT state, digest FROM reading"
    " WHERE blob = ? AND suffix = ? AND symbol = ? AND algorithm = ?"
)
_INSERT = "INSERT OR REPLACE INTO reading VALUES (?, ?, ?, ?, ?, ?)"
_PRUNE = "DELETE FROM reading WHERE rowid <= (SELECT max(rowid) FROM reading) - ?"


class State(Enum):
    """What looking for a symbol in a file came to."""

    FOUND = "found"
    GONE = "gone"
    BROKEN = "broken"
    UNAVAILABLE = "unavailable"


class Reading(NamedTuple):
    """What was found of a symbol in one blob; ``reason`` says why nothing can be told."""

    state: State
    digest: str | None = None
    reason: str | None = None


class Place(NamedTuple):
    """A file as it stands in one blob, and how to come by its content; None where nobody can."""

    blob: str
    path: str
    content: Callable[[], bytes | None]

    @property
    def suffix(self) -> str:
        """What decides the language, with the blob."""
        return os.path.splitext(self.path)[1].lower()


_NO_CONTENT = Reading(State.UNAVAILABLE, reason="the content of the file cannot be read")
_BROKEN = "the file does not parse around the symbol"


class Ledger:
    """What is known of symbols in one repository."""

    def __init__(self, repo: Repository) -> None:
        self._repo = repo
        # Whoever made a world may not be who lets go of it, so the thread is not checked.
        self._rows = open_rows(repo.shared_path(FILE), _prepare, one_thread=False)
        self._outlines: OrderedDict[tuple[str, str], Outline] = OrderedDict()

    def known(self, place: Place, symbol: str) -> Reading | None:
        """Return what was read before; nothing is parsed, no grammar loaded."""
        with suppress(SymbolsUnavailable, sqlite3.Error):
            key = (place.blob, place.suffix, symbol, algorithm())
            row = self._rows.execute(_SELECT, key).fetchone()
            if row:
                state = State(row[0])
                return Reading(state, row[1], _BROKEN if state is State.BROKEN else None)
            reason = self._beyond(place)
            return Reading(State.UNAVAILABLE, reason=reason) if reason else None
        return None

    def read(self, place: Place, symbol: str) -> Reading:
        """Return what stands in the file under a name."""
        return self.read_all(place, [symbol])[symbol]

    def read_all(self, place: Place, symbols: Iterable[str]) -> dict[str, Reading]:
        """Return what stands in the file under each name; the file is parsed at most once."""
        found = {symbol: self.known(place, symbol) for symbol in symbols}
        new = [symbol for symbol, reading in found.items() if reading is None]
        fresh = self._parsed(place, new) if new else {}
        return {symbol: reading or fresh[symbol] for symbol, reading in found.items()}

    def outline(self, place: Place) -> Outline:
        """Return the symbols of a file; raises SymbolsUnavailable."""
        key = (place.blob, place.suffix)
        if key not in self._outlines:
            self._outlines[key] = self._read(place)
            if len(self._outlines) > _OUTLINES_HELD:
                self._outlines.popitem(last=False)
        self._outlines.move_to_end(key)
        return self._outlines[key]

    def stored(self, blob: str, path: str) -> Place:
        """Return the place of a blob that is, or once was, in the object database."""
        return Place(blob, path, lambda: self._blob(blob))

    def close(self) -> None:
        """Let go of the file."""
        self._rows.close()

    def _read(self, place: Place) -> Outline:
        if reason := self._beyond(place):
            raise BeyondBounds(reason)
        content = place.content()
        if content is None:
            raise SymbolsUnavailable(str(_NO_CONTENT.reason))
        try:
            return outline(place.path, content)
        except BeyondBounds as error:
            row = (place.blob, place.suffix, algorithm(), error.message)
            self._write(_INSERT_BEYOND, [row] if place.blob else [], _PRUNE_BEYOND)
            raise

    def _beyond(self, place: Place) -> str | None:
        """Return why a content is beyond the bounds, None for what nobody found to be."""
        with suppress(sqlite3.Error):
            key = (place.blob, place.suffix, algorithm())
            row = self._rows.execute(_SELECT_BEYOND, key).fetchone()
            return str(row[0]) if row else None
        return None

    def _parsed(self, place: Place, symbols: list[str]) -> dict[str, Reading]:
        try:
            symbols_there = self.outline(place)
        except SymbolsUnavailable as error:
            reason = f"{error.message}: {error.hint}" if error.hint else error.message
            return dict.fromkeys(symbols, Reading(State.UNAVAILABLE, reason=reason))
        found = {symbol: reading(symbols_there, symbol) for symbol in symbols}
        self._keep(place, found)
        return found

    def _keep(self, place: Place, found: dict[str, Reading]) -> None:
        key = (place.blob, place.suffix)
        number = algorithm()
        rows = [(*key, name, number, one.state.value, one.digest) for name, one in found.items()]
        self._write(_INSERT, rows, _PRUNE)

    def _write(self, insert: str, rows: Sequence[tuple[object, ...]], prune: str) -> None:
        with suppress(sqlite3.Error), self._rows:
            self._rows.executemany(insert, rows)
            self._rows.execute(prune, (MOST_ROWS,))

    def _blob(self, blob: str) -> bytes | None:
        objects = open_objects(self._repo)
        try:
            return next(data for _, data in objects.read_blobs([blob]))
        except MissingObject:
            return None
        finally:
            objects.close()


def reading(there: Outline, symbol: str) -> Reading:
    """Return what an outline holds under a name."""
    found = there.find(symbol)
    if found is None:
        hidden = there.may_hide(symbol)
        return Reading(State.BROKEN, reason=_BROKEN) if hidden else Reading(State.GONE)
    if found.is_broken:
        return Reading(State.BROKEN, reason=_BROKEN)
    return Reading(State.FOUND, digest_of(found))


def _prepare(rows: sqlite3.Connection) -> None:
    rows.execute(_SCHEMA)
    rows.execute(_SCHEMA_BEYOND)
    rows.execute(_SELECT, ("", "", "", 0)).fetchone()
