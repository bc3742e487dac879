"""A suspect entry steps behind the active one on the same subject: what is true now wins.

Two entries are on one subject when one says so (it replaces the other, or is related to it), or
when they have a tag or an anchored path in common and the one has enough of the words in the
other's name and tags, rare ones counting more: a tag that many entries have says little. A suspect
entry without such a rival is a result like any other, marked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from git_knowl.model.entry import Entry
from git_knowl.model.status import SUSPECT
from git_knowl.services.search import (
    NAME,
    Hit,
    Scope,
    candidates,
    content_words,
    cover,
    fitted,
    weigh,
)
from git_knowl.store import search_index
from git_knowl.store.cache_write import Cache

#: This share of the words makes another entry one on the subject, beside a tag or path in common.
#: Round on purpose; what it does on public suites is printed by tests/bench/retrieval.py.
SAME_SUBJECT = 1 / 3

#: Entries that are not active, by id, with their status.
Statuses = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Folded:
    """The hits that are left, and the suspect entries behind each of them, by its id."""

    hits: tuple[Hit, ...]
    behind: Mapping[str, tuple[str, ...]]


def fold(cache: Cache, hits: Sequence[Hit], statuses: Statuses, scope: Scope, limit: int) -> Folded:
    """Put suspect hits behind their active rivals, until so many hits are left.

    A rival takes the better of the two places. Who asks for an entry by its very name gets it.
    """
    kept: dict[str, Hit] = {}
    behind: dict[str, list[str]] = {}
    for hit in hits:
        if len(kept) == limit:
            break
        rival = None
        if statuses.get(hit.id) == SUSPECT and hit.fit.exact != NAME:
            rival = find_rival(cache, hit.id, statuses, scope)
        if rival is None:
            kept.setdefault(hit.id, hit)
            continue
        behind.setdefault(rival, []).append(hit.id)
        known = next((one for one in hits if one.id == rival), replace(hit, id=rival))
        kept.setdefault(rival, replace(known, score=max(known.score, hit.score)))
    return Folded(tuple(kept.values()), {key: tuple(ids) for key, ids in behind.items()})


def find_rival(cache: Cache, identifier: str, statuses: Statuses, scope: Scope) -> str | None:
    """Return the active entry on the subject of another one that fits it best, None without one."""

    def counts(one: str) -> bool:
        return one != identifier and one not in statuses and scope.holds(one)

    entry = cache.entries([identifier])[0]
    return linked(cache, entry, counts) or likest(cache, entry, counts)


def linked(cache: Cache, entry: Entry, counts: Callable[[str], bool]) -> str | None:
    """Return the entry that replaces this one, or one that this one is said to be related to."""
    newer = [new for old, new in search_index.replaced(cache) if old == entry.id]
    named = [*newer, *(one.id for one in entry.related)]
    live = {row.id for row in cache.by_ids(named)}
    return next((one for one in named if one in live and counts(one)), None)


def likest(cache: Cache, entry: Entry, counts: Callable[[str], bool]) -> str | None:
    """Return the entry that has most of the words of this one's name and tags, if enough."""
    words = content_words(" ".join((entry.name, *entry.tags)))
    scope = Scope(hidden=frozenset([entry.id]))
    near = [one for one in candidates(cache, words, scope) if counts(one)]
    near = sorted(search_index.sharing(cache, entry.id, near))
    total = cache.size()
    terms = [weigh(cache, total, (word,)) for word in words]
    had = cover(cache, terms, near)
    shares = {one: fitted(terms, had[one]).share for one in near}
    best = max(near, key=lambda one: shares[one], default=None)
    return best if best is not None and shares[best] >= SAME_SUBJECT else None
