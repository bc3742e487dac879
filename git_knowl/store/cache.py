"""The read half of the derived cache: SQLite beside the repository, opened in a millisecond.

The file answers for exactly one pair of tips and one format. Bringing it up to date is the affair
of ``cache_write``, which loads what parses documents. Every statement checks the tips in its own
transaction: no lock outlives a call, and what another process moved on meanwhile is never taken
for the state this one asked for.
"""

from __future__ import annotations

import os

from git_knowl.errors import KnowlError
from git_knowl.model.ids import SHORT
from git_knowl.model.tiers import UNATTENDED
from git_knowl.store import cache_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from git_knowl.plumbing.repository import Repository
    from git_knowl.store.cache_file import Identity, Tips
else:
    import _sqlite3 as sqlite3  # what `sqlite3` puts around it are dates, half a bare start

#: SQLite takes at least 999 values in one statement on every build.
BATCH = 900

#: What is signed is known for one state of the allowed keys at a time, see ``signatures_for``.
TIER = """CASE WHEN entry.tier = 'others' AND EXISTS (SELECT 1 FROM signed
    WHERE signed.id = entry.id) THEN 'signed' ELSE entry.tier END"""
#: A row without a shown name is the local copy of an entry that is shown from the shared lane.
SELECT_ENTRY = f"""
SELECT entry.id, lane, shown_name, name, type, description, updated, digest, how, place,
    promoted_file, promoted_digest, path, blob,
    EXISTS (SELECT 1 FROM conflict WHERE conflict.id = entry.id), {TIER}, heir
FROM entry WHERE shown_name IS NOT NULL"""


class NoSuchEntryError(KnowlError):
    """A name under which no live entry is known."""


class AmbiguousNameError(KnowlError):
    """A name that more than one live entry has."""


class CacheMovedError(LookupError):
    """The file answers for other tips by now, was replaced, or cannot be read.

    No failure of the caller's: whoever catches it opens the cache again.
    """


class EntryRow:
    """One live entry as listings need it, without its document.

    ``name`` is the name it is shown under, ``own_name`` the one in its document; ``how`` the door
    the text came in by, as the document claims it, or ``unattended`` where this clone knows better;
    ``place`` the folder of its first anchored path; ``tier`` how far its text is vouched for;
    ``heir`` the id of the live entry that supersedes it, if one does (``store.superseded``).
    """

    __slots__ = (
        "blob",
        "conflict",
        "description",
        "digest",
        "heir",
        "how",
        "id",
        "lane",
        "name",
        "own_name",
        "path",
        "place",
        "promoted_digest",
        "promoted_file",
        "tier",
        "type",
        "updated",
    )

    def __init__(self, columns: tuple[Any, ...]) -> None:
        self.id: str = columns[0]
        self.lane: str = columns[1]
        self.name: str = columns[2]
        self.own_name: str = columns[3]
        self.type: str = columns[4]
        self.description: str = columns[5]
        self.updated: str = columns[6]
        self.digest: str = columns[7]
        self.how: str = columns[8]
        self.place: str = columns[9]
        self.promoted_file: str | None = columns[10]
        self.promoted_digest: str | None = columns[11]
        self.path: str = columns[12]
        self.blob: str = columns[13]
        self.conflict = bool(columns[14])
        self.tier: str = columns[15]
        self.heir: str | None = columns[16]

    def without_text(self) -> EntryRow:
        """Return the row with nothing of the text but its name."""
        columns = (
            self.id, self.lane, self.name, self.own_name, self.type, "", self.updated, self.digest,
            self.how, "", None, None, self.path, self.blob, self.conflict, self.tier, self.heir,
        )  # fmt: skip
        return EntryRow(columns)

    @property
    def is_unattended(self) -> bool:
        """Tell whether no person at a terminal or page has confirmed the text yet."""
        return self.how == UNATTENDED


class Retired:
    """What a retired entry left behind, as listings need it."""

    __slots__ = ("at", "by", "id", "lane", "name", "reason")

    def __init__(self, columns: tuple[str, ...]) -> None:
        self.id, self.lane, self.name, self.reason, self.by, self.at = columns


class AnchoredPath:
    """One anchored path with the entry and the anchor (by position) that rest on it."""

    __slots__ = ("entry", "kind", "path", "position")

    def __init__(self, columns: tuple[Any, ...]) -> None:
        self.path: str = columns[0]
        self.entry: str = columns[1]
        self.position: int = columns[2]
        self.kind: str = columns[3]


class CacheReader:
    """Answers for one pair of tips, from the file or from memory.

    ``identity`` is None for a cache in memory, which nobody else can move.
    """

    def __init__(
        self, path: str, connection: sqlite3.Connection, tips: Tips, identity: Identity | None
    ) -> None:
        self.path = path
        self.connection = connection
        self.tips = tips
        self.identity = identity

    def __del__(self) -> None:
        try:
            self.close()
        except sqlite3.ProgrammingError:  # collected by another thread, which may not close it
            return

    def close(self) -> None:
        """Let go of the file; a cache that nobody holds any more does so by itself."""
        self.connection.close()

    def select(self, sql: str, arguments: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of one SELECT as they stand at the tips this cache was opened for."""
        while True:
            try:
                return self._select(sql, arguments)
            except (CacheMovedError, OSError, sqlite3.Error) as error:
                if self.identity is None:
                    raise
                self.reopen(error)

    def reopen(self, error: Exception) -> None:
        """Raise CacheMovedError: the light half cannot bring the file back to its tips."""
        raise CacheMovedError(str(error)) from error

    def entry_rows(self, where: str = "1", arguments: Sequence[Any] = ()) -> list[EntryRow]:
        """Return the live entries by shown name, all of them or those a condition picks."""
        # The plus keeps SQLite from walking all entries by name where the condition has an index.
        sql = f"{SELECT_ENTRY} AND {where} ORDER BY +entry.shown_name"
        return [EntryRow(row) for row in self.select(sql, arguments)]

    def first_rows(self, limit: int, where: str = "1") -> list[EntryRow]:
        """Return the first of the live entries by shown name, or of those a condition picks."""
        sql = f"{SELECT_ENTRY} AND {where} ORDER BY entry.shown_name LIMIT ?"
        return [EntryRow(row) for row in self.select(sql, [limit])]

    def by_ids(self, ids: Iterable[str], where: str = "1") -> list[EntryRow]:
        """Return those of the entries that are live (and that a condition picks), by shown name."""
        found = [
            row
            for batch in batches(ids)
            for row in self.entry_rows(f"{where} AND entry.id IN ({marks(batch)})", batch)
        ]
        return sorted(found, key=lambda row: row.name)

    def by_id(self, entry_id: str) -> EntryRow | None:
        """Return the live entry with this full id."""
        found = self.entry_rows("entry.id = ?", [entry_id])
        return found[0] if found else None

    def by_name(self, text: str) -> EntryRow:
        """Return the one live entry of this name, ``name~suffix`` (of the id), or full id.

        Raises NoSuchEntryError, or AmbiguousNameError that lists what the name may mean.
        """
        name, _, suffix = sayable(text).partition("~")
        found = self.entry_rows("entry.name = ?", [name]) or self.by_ids([name])
        if suffix:
            found = [row for row in found if row.id.endswith(suffix)]
        if not found:
            raise NoSuchEntryError(
                f"no entry has the name '{text}'", "list them with 'git knowl ls'"
            )
        if len(found) > 1:
            shown = " and ".join(f"'{name}~{row.id[-SHORT:]}'" for row in found)
            raise AmbiguousNameError(
                f"the name '{text}' is ambiguous: {shown}", "give the name with its suffix"
            )
        return found[0]

    def names(self, name: str) -> list[tuple[str, str]]:
        """Return lane and id of every live entry whose document has this name, over both lanes."""
        return [
            (lane, entry_id)
            for lane, entry_id in self.select(
                "SELECT lane, id FROM entry WHERE name = ? ORDER BY id, lane", [sayable(name)]
            )
        ]

    def named(self, names: Iterable[str]) -> set[str]:
        """Return those of the names that any live entry has in its document, over both lanes."""
        sql = "SELECT name FROM entry WHERE name IN"
        return {
            name
            for batch in batches(map(sayable, names))
            for (name,) in self.select(f"{sql} ({marks(batch)})", batch)
        }

    def by_path(self, path: str, *, below: bool = True) -> list[EntryRow]:
        """Return the entries that rest on a path (or on anything below it), by shown name."""
        exact = sayable(path.rstrip("/"))
        return self.entry_rows(
            "entry.key IN (SELECT key FROM anchor WHERE path = ? OR (? AND path > ? AND path < ?))",
            [exact, below, f"{exact}/", f"{exact}0"],  # "0" comes right after "/"
        )

    def conflicts(self, where: str = "1") -> list[EntryRow]:
        """Return the entries of which a sync stored more than one side, by shown name."""
        return self.entry_rows(f"entry.id IN (SELECT id FROM conflict) AND {where}")

    def promoted(self, where: str = "1") -> list[EntryRow]:
        """Return the entries that were promoted into a guideline file, by shown name."""
        return self.entry_rows(f"entry.promoted_file IS NOT NULL AND {where}")

    def anchored_paths(self) -> list[AnchoredPath]:
        """Return every anchored path with what rests on it, by path and entry."""
        rows = self.select(
            "SELECT anchor.path, entry.id, anchor.position, anchor.kind FROM anchor"
            " JOIN entry USING (key) WHERE anchor.path IS NOT NULL"
            " AND entry.shown_name IS NOT NULL ORDER BY anchor.path, entry.id, anchor.position"
        )
        return [AnchoredPath(row) for row in rows]

    def targets(self, ids: Iterable[str] | None = None) -> dict[str, list[tuple[str, str]]]:
        """Return (kind, target) of the anchors of those of the live entries (or of all), by id."""
        if ids is None:
            return self._targets("1", ())
        found: dict[str, list[tuple[str, str]]] = {}
        for batch in batches(ids):
            found |= self._targets(f"entry.id IN ({marks(batch)})", batch)
        return found

    def _targets(self, where: str, arguments: Sequence[str]) -> dict[str, list[tuple[str, str]]]:
        found: dict[str, list[tuple[str, str]]] = {}
        rows = self.select(
            "SELECT entry.id, anchor.kind, anchor.target FROM entry JOIN anchor USING (key)"
            f" WHERE entry.shown_name IS NOT NULL AND {where} ORDER BY entry.id, anchor.position",
            arguments,
        )
        for entry_id, kind, target in rows:
            found.setdefault(entry_id, []).append((kind, target))
        return found

    def versions(self) -> dict[str, str]:
        """Return the blob of the document of every live entry by id: another text, another blob."""
        return dict(self.select("SELECT id, blob FROM entry WHERE shown_name IS NOT NULL"))

    def texts(self) -> dict[str, str]:
        """Return own name and description of every live entry, as one text, by shown name."""
        return dict(
            self.select(
                "SELECT shown_name, name || ' ' || description FROM entry"
                " WHERE shown_name IS NOT NULL"
            )
        )

    def size(self, where: str = "1") -> int:
        """Return how many entries are live, or how many of those a condition picks."""
        rows = self.select(f"SELECT count(*) FROM entry WHERE shown_name IS NOT NULL AND {where}")
        return int(rows[0][0])

    def places(self, limit: int, where: str = "1") -> list[tuple[str, int]]:
        """Return the places that most live entries have, with their number, the fullest first."""
        rows = self.select(
            "SELECT place, count(*) AS entries FROM entry WHERE place > '' AND shown_name IS NOT"
            f" NULL AND {where} GROUP BY place ORDER BY entries DESC, place LIMIT ?",
            [limit],
        )
        return [(place, count) for place, count in rows]

    def placeless(self, where: str = "1") -> list[tuple[str, int]]:
        """Return the types of the live entries that have no place, with their number."""
        rows = self.select(
            "SELECT type, count(*) FROM entry WHERE place = '' AND shown_name IS NOT NULL"
            f" AND {where} GROUP BY type"
        )
        return [(kind, count) for kind, count in rows]

    def signatures_for(self) -> str | None:
        """Return for which state of the allowed keys the signed entries are known, if for any."""
        rows = self.select("SELECT keys FROM signatures")
        return rows[0][0] if rows else None

    def retired(self) -> list[Retired]:
        """Return what was retired and not restored, the latest first."""
        return [
            Retired(row)
            for row in self.select(
                "SELECT id, lane, name, reason, by, at FROM retired ORDER BY at DESC, id"
            )
        ]

    def damaged(self) -> list[tuple[str, str, str]]:
        """Return lane, path in the tree and error of every file that could not be read."""
        rows = self.select("SELECT lane, path, error FROM damaged ORDER BY lane, path")
        return [(lane, os.fsdecode(path), error) for lane, path, error in rows]

    def documents(self, ids: Iterable[str] | None = None) -> list[tuple[str, bytes]]:
        """Return id and document, as stored, of those of the entries (or of all), by id."""
        if ids is None:
            return self._documents("1", ())
        return sorted(
            document
            for batch in batches(ids)
            for document in self._documents(f"entry.id IN ({marks(batch)})", batch)
        )

    def _documents(self, where: str, arguments: Sequence[str]) -> list[tuple[str, bytes]]:
        rows = self.select(
            "SELECT entry.id, document.data FROM entry JOIN document USING (key)"
            f" WHERE entry.shown_name IS NOT NULL AND {where} ORDER BY entry.id",
            arguments,
        )
        return [(entry_id, data) for entry_id, data in rows]

    def _select(self, sql: str, arguments: Sequence[Any]) -> list[tuple[Any, ...]]:
        if self.identity is not None and cache_file.identity(self.path) != self.identity:
            raise CacheMovedError("another file took the place of the cache")
        self.connection.execute("BEGIN")
        try:
            if cache_file.stored_key(self.connection) != cache_file.key(self.tips):
                raise CacheMovedError("the cache answers for other tips")
            return self.connection.execute(sql, arguments).fetchall()
        finally:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")


def sayable(text: str) -> str:
    """Return a text as SQLite can compare it: what is no character was never stored."""
    return text.encode("utf-8", "replace").decode()


def batches(values: Iterable[str]) -> Iterator[list[str]]:
    """Yield the values in lists that fit into one statement."""
    listed = list(values)
    for start in range(0, len(listed), BATCH):
        yield listed[start : start + BATCH]


def marks(values: Sequence[object]) -> str:
    """Return as many question marks as there are values, for an IN list."""
    return ",".join("?" * len(values))


def open_warm(repo: Repository, tips: Tips) -> CacheReader | None:
    """Return the cache when the file answers for these tips, else None: then it must be filled."""
    path = repo.shared_path(cache_file.NAME)
    opened = cache_file.connect_warm(path, tips)
    return CacheReader(path, opened[0], tips, opened[1]) if opened else None
