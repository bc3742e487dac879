"""The live entries of some tiers only: what reaches agents when ``knowl.trust`` leaves some out."""

from __future__ import annotations

from git_knowl.model.tiers import TIERS, needs_signatures
from git_knowl.store.cache import TIER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_knowl.store.cache import CacheReader, EntryRow


class Admitted:
    """The entries of a cache whose tier is one of the trusted, as the index asks for them.

    Where it matters which entries are signed, the cache must know (``signatures_for``).
    """

    __slots__ = ("_cache", "_trusted", "_where")

    def __init__(self, cache: CacheReader, trusted: tuple[str, ...]) -> None:
        self._cache = cache
        self._trusted = trusted
        self._where = condition(trusted)

    def by_ids(self, ids: Iterable[str]) -> list[EntryRow]:
        """Return those of the entries that are live, by shown name."""
        return self._only(self._cache.by_ids(ids))

    def conflicts(self) -> list[EntryRow]:
        """Return the entries of which a sync stored more than one side, by shown name."""
        return self._only(self._cache.conflicts())

    def promoted(self) -> list[EntryRow]:
        """Return the entries that were promoted into a guideline file, by shown name."""
        return self._only(self._cache.promoted())

    def first_rows(self, limit: int) -> list[EntryRow]:
        """Return the first of the live entries by shown name."""
        return self._cache.first_rows(limit, self._where)

    def size(self) -> int:
        """Return how many entries are live."""
        return self._cache.size(self._where)

    def kept_out(self) -> int:
        """Return how many live entries are not among these."""
        return 0 if self._trusted == TIERS else self._cache.size() - self.size()

    def places(self, limit: int) -> list[tuple[str, int]]:
        """Return the places that most live entries have, with their number, the fullest first."""
        return self._cache.places(limit, self._where)

    def placeless(self) -> list[tuple[str, int]]:
        """Return the types of the live entries that have no place, with their number."""
        return self._cache.placeless(self._where)

    def _only(self, rows: list[EntryRow]) -> list[EntryRow]:
        return [row for row in rows if row.tier in self._trusted]


def condition(trusted: tuple[str, ...]) -> str:
    """Return the SQL that picks entries of these tiers, which are words of ours."""
    if trusted == TIERS:
        return "1"
    listed = ", ".join(f"'{tier}'" for tier in trusted)
    return f"{TIER if needs_signatures(trusted) else 'entry.tier'} IN ({listed})"
