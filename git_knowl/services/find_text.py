"""Search as every door offers it: hits with their verdict, and how sure the answer is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from git_knowl.services.context import Context
from git_knowl.services.listing import Listing, assemble
from git_knowl.services.search import search
from git_knowl.services.verdicts import judge_all


@dataclass(frozen=True, slots=True)
class Found:
    """The hits, the best first, with a score each.

    ``corrected`` maps misspelt words to what they were taken for.
    """

    listing: Listing
    scores: tuple[float, ...]
    confident: bool
    corrected: Mapping[str, tuple[str, ...]]


def find_text(ctx: Context, query: str, limit: int) -> Found:
    """Return what fits a query; entries that are not active rank behind equals."""
    judged = judge_all(ctx)
    done = search(ctx.cache, query, limit, doubtful=judged.statuses)
    rows = {row.id: row for row in ctx.cache.by_ids([hit.id for hit in done.hits])}
    found = assemble(ctx, [rows[hit.id] for hit in done.hits], judged.verdicts)
    return Found(found, tuple(hit.score for hit in done.hits), done.confident, done.corrected)
