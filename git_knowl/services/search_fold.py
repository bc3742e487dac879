"""A suspect entry steps behind the active one on the same subject: what is true now wins.

Two entries are on one subject when one says so (it replaces the other, or is related to it), or
when they have a tag or an anchored path in common and the one has enough of the words in the
other's name and tags, rare ones counting more: a tag that many entries have says little. A suspect
entry without such a rival is a result like any other, marked.
"""

from __future__ import annotations

from git_knowl.model.light import dataclass
from git_knowl.model.status import SUSPECT
from git_knowl.services.search import (
    CANDIDATES,
    NAME,
    NOTHING_ALIKE,
    Hit,
    Results,
    Scope,
    candidates,
    content_words,
    cover,
    fitted,
    search,
    weigh,
)
from git_knowl.store import search_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from git_knowl.services.search import Judge
    from git_knowl.store.cache import CacheReader, EntryRow

#: This share of the words makes another entry one on the subject, beside a tag or path in common.
#: Round on purpose; what it does on public suites is printed by tests/bench/retrieval.py.
SAME_SUBJECT = 1 / 3


@dataclass(frozen=True, slots=True)
class Folded:
    """The hits that are left, and the suspect entries behind each of them, by its id."""

    hits: tuple[Hit, ...]
    behind: Mapping[str, tuple[str, ...]]


def ranked(
    cache: CacheReader,
    question: str,
    limit: int,
    judge: Judge,
    scope: Scope,
    alike: Mapping[str, float] = NOTHING_ALIKE,
) -> tuple[Results, Mapping[str, tuple[str, ...]]]:
    """Return what every door shows for a question, and the suspect entries behind each hit."""
    done = search(cache, question, CANDIDATES, judge=judge, scope=scope, alike=alike)
    folded = fold(cache, done.hits, judge, scope, limit)
    return Results(folded.hits, done.confident, done.corrected), folded.behind


def fold(cache: CacheReader, hits: Sequence[Hit], judge: Judge, scope: Scope, limit: int) -> Folded:
    """Put suspect hits behind their active rivals, until so many hits are left.

    A rival takes the better of the two places. Who asks for an entry by its very name gets it.
    """
    kept: dict[str, Hit] = {}
    behind: dict[str, list[str]] = {}
    known = {hit.id: hit for hit in hits}
    statuses = judge(known) if known else {}
    for hit in hits:
        if len(kept) == limit:
            break
        rival = None
        if statuses.get(hit.id) == SUSPECT and hit.fit.exact != NAME:
            rival = find_rival(cache, hit.id, judge, scope)
        if rival is None:
            kept.setdefault(hit.id, hit)
            continue
        behind.setdefault(rival, []).append(hit.id)
        better = known.get(rival, hit)
        placed = Hit(rival, max(better.score, hit.score), better.fit)
        kept.setdefault(rival, placed)
    return Folded(tuple(kept.values()), {key: tuple(ids) for key, ids in behind.items()})


def find_rival(cache: CacheReader, identifier: str, judge: Judge, scope: Scope) -> str | None:
    """Return the active entry on the subject of another one that fits it best, None without one."""
    row = cache.by_id(identifier)
    if row is None:
        return None
    linked = search_index.linked(cache, identifier)
    return next(iter(active(linked, row, judge, scope)), None) or likest(cache, row, judge, scope)


def active(ids: Iterable[str], than: EntryRow, judge: Judge, scope: Scope) -> list[str]:
    """Return those of the entries that may be found and are active, without the one itself."""
    asked = [one for one in ids if one != than.id and scope.holds(one)]
    doubtful = judge(asked) if asked else {}
    return [one for one in asked if one not in doubtful]


def likest(cache: CacheReader, row: EntryRow, judge: Judge, scope: Scope) -> str | None:
    """Return the entry that has most of the words of this one's name and tags, if enough."""
    words = content_words(" ".join((row.own_name, *search_index.tags(cache, row.id))))
    found = candidates(cache, words, Scope(hidden=frozenset([row.id])))
    near = sorted(active(search_index.sharing(cache, row.id, list(found)), row, judge, scope))
    total = cache.size()
    terms = [weigh(cache, total, (word,)) for word in words]
    had = cover(cache, terms, near)
    shares = {one: fitted(terms, had[one]).share for one in near}
    best = max(near, key=lambda one: shares[one], default=None)
    return best if best is not None and shares[best] >= SAME_SUBJECT else None
