"""Hits of the personal store among those of the repository."""

from __future__ import annotations

from dataclasses import replace

from git_knowl.services.context import Context
from git_knowl.services.find_text import Found, find_text
from git_knowl.services.personal import find_personal, listed
from git_knowl.services.search import search


def find_any(ctx: Context, query: str, limit: int) -> Found:
    """Return what fits a query in the repository and in the personal store, the best first."""
    own = find_text(ctx, query, limit)
    found = find_personal(ctx)
    if found is None:
        return own
    done = search(found.cache, query, limit)
    scores = {hit.id: hit.score for hit in done.hits}
    hits = listed(ctx, found, found.cache.by_ids(scores)).entries
    pairs = [*zip(own.listing.entries, own.scores, strict=True)]
    pairs += [(one, scores[one.row.id]) for one in hits]
    best = sorted(pairs, key=lambda pair: -pair[1])[:limit]
    return Found(
        replace(own.listing, entries=tuple(one for one, _ in best)),
        tuple(score for _, score in best),
        own.confident or (done.confident and bool(hits)),
        own.corrected or (done.corrected if hits else {}),
    )
