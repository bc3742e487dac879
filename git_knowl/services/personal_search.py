"""Hits of the personal store among those of the repository."""

from __future__ import annotations

from dataclasses import replace

from git_knowl.services.context import Context
from git_knowl.services.find_text import Found, Note, find_text, joined
from git_knowl.services.listing import Listing
from git_knowl.services.personal import listed
from git_knowl.services.personal_store import find_personal
from git_knowl.services.search import CANDIDATES, search
from git_knowl.services.search_scope import ALL, Wanted, scope_of
from git_knowl.services.semantic.likeness import likeness


def find_any(ctx: Context, query: str, limit: int, wanted: Wanted = ALL) -> Found:
    """Return what fits a query in the repository and in the personal store, the best first.

    Of the past, and of what was retired, the repository alone is asked.
    """
    own = find_text(ctx, query, limit, wanted)
    found = find_personal(ctx) if wanted.as_of is None else None
    return own if found is None else joined([own, find_own(ctx, found, query, wanted)], limit)


def find_on_the_way(ctx: Context, query: str, limit: int) -> Found:
    """Return the same to who must answer an agent at once."""
    return find_any(ctx, query, limit, Wanted(on_the_way=True))


def find_own(ctx: Context, found: Context, query: str, wanted: Wanted) -> Found:
    """Return what fits in the personal store, as far as no entry of the repository hides it."""
    here = replace(wanted, status=None, path=None, retired=False)
    alike = likeness(found, query, on_the_way=wanted.on_the_way)
    scope = scope_of(found, here, {})
    done = search(found.cache, query, CANDIDATES, scope=scope, alike=alike)
    hits = {hit.id: hit for hit in done.hits}
    rows = [row for row in found.cache.by_ids(hits) if rests(ctx, found, row.id, wanted.path)]
    entries = [
        one
        for one in listed(ctx, found, rows).entries
        if wanted.status in (None, one.verdict.status)
    ]
    entries.sort(key=lambda one: -hits[one.row.id].score)
    return Found(
        Listing(tuple(entries)),
        tuple(hits[one.row.id].score for one in entries),
        done.confident and bool(entries),
        done.corrected if entries else {},
        {one.row.id: Note(hits[one.row.id].fit) for one in entries},
    )


def rests(ctx: Context, found: Context, identifier: str, path: str | None) -> bool:
    """Tell whether a personal entry rests on a path of the caller's work tree, or on any."""
    if path is None:
        return True
    relative = ctx.repo.relative(path, ctx.caller.cwd)
    return any(row.id == identifier for row in found.cache.by_path(relative))
