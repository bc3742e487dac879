"""Which entries rest on or beside some paths: read from the derived cache, the first by name."""

from __future__ import annotations

from git_knowl.store.cache import batches, marks, sayable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from git_knowl.store.cache import CacheReader

#: More of a kind are never told.
MOST = 200
_LAST = "/\U0010ffff"


def on_paths(cache: CacheReader, paths: Iterable[str]) -> list[str]:
    """Return the ids of entries that rest on one of the files, or on a folder that holds it."""
    named = {sayable(one) for path in paths for one in (path, *above(path))}
    with_slash = (f"{one}/" for one in named)
    return [
        found
        for batch in batches(sorted({*named, *with_slash}))
        for found in _ids(
            cache, f"key IN (SELECT key FROM anchor WHERE path IN ({marks(batch)}))", batch
        )
    ]


def in_folders(cache: CacheReader, folders: Sequence[str]) -> list[str]:
    """Return the ids of entries that rest on a file right in one of the folders."""
    if not folders:
        return []
    right_in = "(path > ? AND path < ? AND instr(substr(path, ?), '/') = 0)"
    where = " OR ".join([right_in] * len(folders))
    bounds: list[str | int] = []
    for folder in map(sayable, folders):
        bounds += (f"{folder}/", f"{folder}{_LAST}", len(folder) + 2)
    return _ids(cache, f"key IN (SELECT key FROM anchor WHERE {where})", bounds)


def in_places(cache: CacheReader, places: Sequence[str]) -> list[str]:
    """Return the ids of entries whose first anchored path lies in one of the places."""
    return _ids(cache, f"place IN ({marks(places)})", [*map(sayable, places)]) if places else []


def above(path: str) -> list[str]:
    """Return the folders that hold a path, the nearest first; the top is not among them."""
    found = []
    while path := path.rpartition("/")[0]:
        found.append(path)
    return found


def _ids(cache: CacheReader, where: str, arguments: Sequence[str | int]) -> list[str]:
    # Names are sorted in the index alone; only the rows that are wanted are read.
    first = (
        f"SELECT key FROM entry WHERE shown_name IS NOT NULL AND {where}"
        f" ORDER BY +shown_name LIMIT {MOST}"
    )
    rows = cache.select(f"SELECT id FROM entry WHERE key IN ({first})", arguments)
    return [identifier for (identifier,) in rows]
