"""Which entries rest on paths that changed: read from the derived cache alone, parsing nothing."""

from __future__ import annotations

from git_knowl.store.cache import batches, marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from git_knowl.store.cache import CacheReader

TREE = "tree"
COMMIT = "commit"
ENTRY = "entry"
TOP = "."
#: What makes a pathspec more than a path; a colon does so at its beginning.
_MAGIC = "*?[\\"
#: With more paths than these, all anchors are read instead: one question, not one per batch.
_MANY = 20_000
_SELECT = """
SELECT entry.id, entry.lane, entry.shown_name, entry.blob, anchor.kind, anchor.target, anchor.path,
    anchor.known
FROM anchor JOIN entry USING (key) WHERE entry.shown_name IS NOT NULL"""


class Resting:
    """One anchor with its entry; ``known`` is what tells without parsing that the anchor holds.

    That is blobs as ``FORMAT:HEX`` for files and symbols, an id for commits and entries.
    """

    __slots__ = ("blob", "id", "kind", "known", "lane", "name", "path", "target")

    def __init__(self, columns: tuple[Any, ...]) -> None:
        self.id: str = columns[0]
        self.lane: str = columns[1]
        self.name: str = columns[2]
        self.blob: str = columns[3]
        self.kind: str = columns[4]
        self.target: str = columns[5]
        self.path: str | None = columns[6]
        self.known = frozenset(str(columns[7]).split())


def on_paths(cache: CacheReader, paths: Collection[str]) -> list[Resting]:
    """Return the anchors that name one of the paths."""
    if len(paths) > _MANY:
        return [one for one in _all(cache, "anchor.path IS NOT NULL") if one.path in paths]
    return [
        Resting(row)
        for batch in batches(_sayable(paths))
        for row in cache.select(f"{_SELECT} AND anchor.path IN ({marks(batch)})", batch)
    ]


def of_kind(cache: CacheReader, kind: str) -> list[Resting]:
    """Return all anchors of a kind."""
    return _all(cache, f"anchor.kind = '{kind}'")


def paths(cache: CacheReader) -> list[str]:
    """Return every path that an anchor names, each once; pathspecs are not among them."""
    sql = (
        "SELECT DISTINCT anchor.path FROM anchor JOIN entry USING (key) WHERE anchor.path > ''"
        f" AND entry.shown_name IS NOT NULL AND anchor.kind <> '{TREE}'"
    )
    return [path for (path,) in cache.select(sql)]


def rows_of(cache: CacheReader, ids: Collection[str]) -> dict[str, tuple[str, str, str, str]]:
    """Return lane, shown name, blob and type of those of the entries that are live, by id."""
    sql = (
        "SELECT id, lane, shown_name, blob, type FROM entry WHERE shown_name IS NOT NULL AND id IN"
    )
    rows = (row for batch in batches(ids) for row in cache.select(f"{sql} ({marks(batch)})", batch))
    return {key: tuple(told) for key, *told in rows}


def reach(pathspec: str) -> str:
    """Return the folder (or file) that holds whatever a pathspec matches."""
    if pathspec.startswith(":"):
        return TOP
    plain = next((at for at, char in enumerate(pathspec) if char in _MAGIC), None)
    folder = pathspec.rstrip("/") if plain is None else pathspec[:plain].rpartition("/")[0]
    return folder or TOP


def is_within(paths: Collection[str], folder: str) -> bool:
    """Tell whether one of the paths is the folder, or below it."""
    start = f"{folder}/"
    return folder == TOP or any(path == folder or path.startswith(start) for path in paths)


def _all(cache: CacheReader, where: str) -> list[Resting]:
    return [Resting(row) for row in cache.select(f"{_SELECT} AND {where}")]


def _sayable(paths: Collection[str]) -> list[str]:
    """Return the paths that an entry can name: SQLite stores whole characters only."""
    return [path for path in paths if path.isascii() or _is_text(path)]


def _is_text(path: str) -> bool:
    return not any("\ud800" <= char <= "\udfff" for char in path)
