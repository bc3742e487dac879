"""Search as every door offers it: hits with their verdict, and how sure the answer is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from git_knowl.model.status import UNKNOWN
from git_knowl.model.verdict import Verdict
from git_knowl.services.context import Context
from git_knowl.services.listing import Listed, Listing, assemble
from git_knowl.services.search import Fit, Results, search
from git_knowl.services.search_fold import ranked
from git_knowl.services.search_scope import ALL, Wanted, scope_of
from git_knowl.services.semantic.likeness import likeness
from git_knowl.services.verdicts import judge_all
from git_knowl.store.cache import EntryRow
from git_knowl.store.superseded import superseded

Lister = Callable[[Context, Sequence[EntryRow], Mapping[str, Verdict]], Listing]


@dataclass(frozen=True, slots=True)
class Note:
    """What else is to be said of a hit.

    ``older`` names suspect entries on the same subject that stand behind it, ``gone`` says why it
    is not live any more, or "".
    """

    fit: Fit
    older: tuple[str, ...] = ()
    gone: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """The hits, the best first, with a score each, and a note each by id.

    ``corrected`` maps misspelt words to what they were taken for.
    """

    listing: Listing
    scores: tuple[float, ...]
    confident: bool
    corrected: Mapping[str, tuple[str, ...]]
    notes: Mapping[str, Note] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Place:
    """Where is searched: a store, its verdicts (of active entries they may be left out)."""

    ctx: Context
    verdicts: Mapping[str, Verdict]
    lister: Lister

    @property
    def statuses(self) -> dict[str, str]:
        """The status of every entry that is not active, by id."""
        return {key: one.status for key, one in self.verdicts.items() if not one.is_active}


def find_text(ctx: Context, query: str, limit: int, wanted: Wanted = ALL) -> Found:
    """Return what fits a query; entries that are not active rank behind equals.

    Raises DateError for a day that is none, PathError for a path outside the work tree.
    """
    place = place_of(ctx, wanted)
    live = find_live(place, query, limit, wanted)
    return joined([live, find_gone(place.ctx, query, limit, wanted)], limit)


def place_of(ctx: Context, wanted: Wanted) -> Place:
    """Return the store as it stands, or as it stood on the day that was asked for."""
    if wanted.as_of is None:
        return Place(ctx, judge_all(ctx).verdicts, assemble)
    from git_knowl.services.search_past import (  # noqa: PLC0415 - on request
        judge_aside,
        listed_aside,
        past,
    )

    then = past(ctx, wanted.as_of)
    return Place(then, judge_aside(then), listed_aside)


def find_live(place: Place, query: str, limit: int, wanted: Wanted) -> Found:
    """Return the live entries that fit, suspect ones behind their rivals."""
    cache, statuses = place.ctx.cache, place.statuses
    scope = scope_of(place.ctx, wanted, statuses)
    alike = likeness(place.ctx, query, on_the_way=wanted.on_the_way)
    done, behind = ranked(cache, query, limit, lambda _: statuses, scope, alike)
    heirs = superseded(cache) if wanted.retired else {}
    names = {row.id: row.name for row in cache.by_ids({*flat(behind), *heirs.values()})}
    notes = {
        hit.id: Note(
            hit.fit,
            tuple(names[one] for one in behind.get(hit.id, ())),
            f"superseded by {names[heirs[hit.id]]}" if hit.id in heirs else "",
        )
        for hit in done.hits
    }
    return told(place, done, notes)


def find_gone(ctx: Context, query: str, limit: int, wanted: Wanted) -> Found | None:
    """Return what fits of the entries that were retired, None where they are not asked for."""
    if not wanted.retired:
        return None
    from git_knowl.services.search_past import (  # noqa: PLC0415 - on request
        gone,
        judge_aside,
        listed_aside,
    )

    made, stones = gone(ctx)
    place = Place(made, judge_aside(made), listed_aside)
    scope = scope_of(made, wanted, place.statuses)
    alike = likeness(made, query)
    done = search(made.cache, query, limit, judge=all_gone, scope=scope, alike=alike)
    notes = {
        hit.id: Note(hit.fit, gone=f"retired {stones[hit.id].at[:10]}: {stones[hit.id].reason}")
        for hit in done.hits
    }
    return told(place, done, notes)


def all_gone(ids: Collection[str]) -> dict[str, str]:
    """Take every entry for one that is not active."""
    return dict.fromkeys(ids, UNKNOWN)


def told(place: Place, done: Results, notes: Mapping[str, Note]) -> Found:
    """Return hits with what a reader is told of their entries."""
    rows = {row.id: row for row in place.ctx.cache.by_ids([hit.id for hit in done.hits])}
    listing = place.lister(place.ctx, [rows[hit.id] for hit in done.hits], place.verdicts)
    scores = tuple(hit.score for hit in done.hits)
    return Found(listing, scores, done.confident, done.corrected, notes)


def joined(answers: Sequence[Found | None], limit: int) -> Found:
    """Return several answers as one, the best first; words were corrected as the first says."""
    parts = [one for one in answers if one is not None]
    pairs: list[tuple[Listed, float]] = []
    notes: dict[str, Note] = {}
    for one in parts:
        pairs += zip(one.listing.entries, one.scores, strict=True)
        notes = {**one.notes, **notes}
    best = sorted(pairs, key=lambda pair: (-pair[1], bool(notes[pair[0].row.id].gone)))[:limit]
    return Found(
        replace(parts[0].listing, entries=tuple(one for one, _ in best)),
        tuple(score for _, score in best),
        any(one.confident for one in parts),
        next((one.corrected for one in parts if one.corrected), {}),
        notes,
    )


def flat(behind: Mapping[str, tuple[str, ...]]) -> set[str]:
    """Return all ids that stand behind another."""
    return {one for ids in behind.values() for one in ids}
