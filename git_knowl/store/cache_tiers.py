"""The live entries that reach agents unasked: of a trusted tier, and without such an heir."""

from __future__ import annotations

from git_knowl.model.tiers import TIERS, needs_signatures
from git_knowl.plumbing import allowed
from git_knowl.store.cache import TIER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_knowl.plumbing.repository import Repository
    from git_knowl.store.cache import CacheReader, EntryRow

CURRENT = "entry.heir IS NULL"


class Admitted:
    """The entries of a cache that may be told to agents, as the index asks for them.

    What supersedes an entry must reach agents itself: else nothing would be told in its place.
    Where it matters which entries are signed, the cache must know (``signatures_for``).
    """

    __slots__ = ("_cache", "_current", "_trusted", "_where")

    def __init__(self, cache: CacheReader, trusted: tuple[str, ...]) -> None:
        self._cache = cache
        self._trusted = trusted
        self._current = current(trusted)
        self._where = f"{self._current} AND {condition(trusted)}"

    def by_ids(self, ids: Iterable[str]) -> list[EntryRow]:
        """Return those of the entries that are live, by shown name."""
        return self._cache.by_ids(ids, self._where)

    def conflicts(self) -> list[EntryRow]:
        """Return the entries of which a sync stored more than one side, by shown name."""
        return self._cache.conflicts(self._where)

    def promoted(self) -> list[EntryRow]:
        """Return the entries that were promoted into a guideline file, by shown name."""
        return self._cache.promoted(self._where)

    def first_rows(self, limit: int) -> list[EntryRow]:
        """Return the first of the live entries by shown name."""
        return self._cache.first_rows(limit, self._where)

    def all_rows(self) -> list[EntryRow]:
        """Return all of the live entries by shown name."""
        return self._cache.entry_rows(self._where)

    def size(self) -> int:
        """Return how many entries are live."""
        return self._cache.size(self._where)

    def kept_out(self) -> int:
        """Return how many live entries are left out for their tier."""
        return 0 if self._trusted == TIERS else self._cache.size(self._current) - self.size()

    def places(self, limit: int) -> list[tuple[str, int]]:
        """Return the places that most live entries have, with their number, the fullest first."""
        return self._cache.places(limit, self._where)

    def placeless(self) -> list[tuple[str, int]]:
        """Return the types of the live entries that have no place, with their number."""
        return self._cache.placeless(self._where)


def are_known(repo: Repository, cache: CacheReader, now: str, trusted: tuple[str, ...]) -> bool:
    """Tell whether no signature must be judged to say which entries are of a trusted tier."""
    if not needs_signatures(trusted):
        return True
    return cache.signatures_for() == allowed.fingerprint(repo, now[:10])


def current(trusted: tuple[str, ...]) -> str:
    """Return the SQL that picks entries which no entry of these tiers supersedes."""
    if trusted == TIERS:
        return CURRENT
    named = "entry.id IN (SELECT heir FROM entry WHERE heir IS NOT NULL)"
    newer = f"SELECT entry.id FROM entry WHERE {named} AND {condition(trusted)}"
    return f"({CURRENT} OR entry.heir NOT IN ({newer} AND shown_name IS NOT NULL))"


def condition(trusted: tuple[str, ...]) -> str:
    """Return the SQL that picks entries of these tiers, which are words of ours."""
    if trusted == TIERS:
        return "1"
    listed = ", ".join(f"'{tier}'" for tier in trusted)
    return f"{TIER if needs_signatures(trusted) else 'entry.tier'} IN ({listed})"
