"""Which entry stands in the place of which, as readers are told it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from git_knowl.services.context import Context
from git_knowl.store import search_index
from git_knowl.store.cache import CacheReader, EntryRow
from git_knowl.store.superseded import in_circles, superseded


class Named(NamedTuple):
    """Another entry: its id, and its name, "" where nobody knows it here."""

    id: str
    name: str


class Relations:
    """For some live entries those they supersede, and those that supersede them."""

    def __init__(self, ctx: Context, rows: Sequence[EntryRow]) -> None:
        heirs = superseded(ctx.cache) if any(row.heir for row in rows) else {}
        told = says(ctx.cache) if rows else {}
        self._newer = {row.id: heirs[row.id] for row in rows if row.id in heirs}
        self._older = {row.id: told[row.id] for row in rows if row.id in told}
        self._circling = in_circles(ctx.cache) if self._older else set()
        others = {*self._newer.values(), *(one for old in self._older.values() for one in old)}
        self._names = named(ctx, others) if others else {}

    def older(self, row: EntryRow) -> tuple[Named, ...]:
        """Return the entries that one says it supersedes, live or not."""
        return tuple(self._names[one] for one in self._older.get(row.id, ()))

    def circles(self, row: EntryRow) -> bool:
        """Tell whether one supersedes nothing of what it says, since it leads to a circle."""
        return not self._circling.isdisjoint(self._older.get(row.id, ()))

    def newer(self, row: EntryRow) -> Named | None:
        """Return the live entry that stands in the place of one, of a chain the newest."""
        found = self._newer.get(row.id)
        return self._names[found] if found else None


def says(cache: CacheReader) -> dict[str, list[str]]:
    """Return what every live entry supersedes by what it says of itself, whether it counts or not.

    Both are ids.
    """
    found: dict[str, list[str]] = {}
    for old, new in search_index.replaced(cache):
        found.setdefault(new, []).append(old)
    return found


def named(ctx: Context, wanted: Iterable[str]) -> dict[str, Named]:
    """Return entries by id with the name they have or last had."""
    asked = dict.fromkeys(wanted)
    live = {row.id: row.name for row in ctx.cache.by_ids(asked)}
    gone = asked.keys() - live.keys()
    names = {one.id: one.name for one in ctx.cache.retired() if one.id in gone} if gone else {}
    return {one: Named(one, live.get(one) or names.get(one, "")) for one in asked}
