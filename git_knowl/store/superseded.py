"""Which live entries others supersede: told once when the cache is filled, and read for nothing.

An entry that others may read as it stands supersedes those it names. One in conflict does not,
for nobody knows yet what it will say, and entries that supersede each other in a circle supersede
nothing: then none of them could be found.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from git_knowl.store.cache import CacheReader

_NAMED = """
SELECT replaced.id, entry.id FROM replaced JOIN entry USING (key)
WHERE entry.shown_name IS NOT NULL AND entry.id NOT IN (SELECT id FROM conflict)
    AND replaced.id IN (SELECT id FROM entry)"""
_TOLD = "SELECT id, heir FROM entry WHERE heir IS NOT NULL AND shown_name IS NOT NULL"


def heirs(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return what supersedes each entry, of (older, newer) pairs, without circles.

    From those that nothing supersedes down: what no such entry leads to stands in a circle.
    """
    older: dict[str, list[str]] = {}
    replaced = set()
    for old, new in pairs:
        older.setdefault(new, []).append(old)
        replaced.add(old)
    found: dict[str, str] = {}
    settled = sorted(older.keys() - replaced, reverse=True)
    for new in settled:
        fresh = [old for old in sorted(older.get(new, ())) if old not in found]
        found.update(dict.fromkeys(fresh, new))
        settled += fresh
    return found


def tell(connection: sqlite3.Connection) -> None:
    """Write down beside every entry which one supersedes it."""
    now = heirs(connection.execute(_NAMED))
    before = dict(connection.execute("SELECT id, heir FROM entry WHERE heir IS NOT NULL"))
    changed = {one for one, _ in now.items() ^ before.items()}
    connection.executemany(
        "UPDATE entry SET heir = ? WHERE id = ?", [(now.get(one), one) for one in sorted(changed)]
    )


def superseded(cache: CacheReader) -> dict[str, str]:
    """Return which live entry stands in the place of each live one that was superseded, by id.

    Of a chain that is the newest; a row says which one comes next (``heir``).
    """
    told = dict(cache.select(_TOLD))
    return {one: _last(told, one) for one in told}


def in_circles(cache: CacheReader) -> set[str]:
    """Return the live entries that others name and none supersedes, since it leads to a circle."""
    pairs = cache.select(_NAMED)
    return {old for old, _ in pairs} - heirs(pairs).keys()


def _last(told: dict[str, str], one: str) -> str:
    while one in told:
        one = told[one]
    return one
