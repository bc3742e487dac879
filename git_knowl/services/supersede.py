"""In whose place an entry stands: named at the door, kept by id, and never in a circle.

What others supersede stays live and is found on request only (`git_knowl.store.superseded`).
Circles that come by a merge are left as they are: there they supersede nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from git_knowl.model import limits
from git_knowl.model.entry import Entry
from git_knowl.model.faults import too_many
from git_knowl.services.compose import UNFIT, EntryRefusedError
from git_knowl.services.context import Context
from git_knowl.services.filters import secrets
from git_knowl.services.find import find_row
from git_knowl.services.relations import named, says

FIELD = "entry.supersedes"
#: By the id of an entry the ids of those it supersedes.
Older = Mapping[str, Collection[str]]


def resolve(
    ctx: Context, given: Iterable[str | Mapping[str, Any]], known: Collection[str] = ()
) -> tuple[str, ...]:
    """Return the ids of live entries, given by name, id or ``{name, id}`` where the id decides.

    Those in ``known`` were superseded before and may be retired by now. Raises EntryRefusedError
    that names the positions, SecretError for a secret in the place of a name.
    """
    found, faults, hint = [], [], None
    for place, one in enumerate(given):
        text = one if isinstance(one, str) else str(one.get("id") or one["name"])
        secrets.refuse(FIELD, text)
        try:
            found.append(text if text in known else find_row(ctx, text).id)
        except UNFIT as error:
            faults.append(f"{FIELD}.{place}: {error.message}")
            hint = hint or error.hint
    more = len(set(found) - set(known))
    if more > limits.SUPERSEDES:
        faults.append(too_many(FIELD, limits.SUPERSEDES, more))
    if faults:
        raise EntryRefusedError(faults, hint)
    return tuple(dict.fromkeys(found))


def refuse_circle(
    ctx: Context, entry: Entry, known: Collection[str] = (), also: Older | None = None
) -> None:
    """Raise EntryRefusedError where an entry would stand in its own place, by others or by itself.

    Only what joins those in ``known`` counts; ``also`` are entries about to say something else.
    """
    fresh = [one for one in entry.supersedes if one not in known]
    ring = circle(entry.id, fresh, {**says(ctx.cache), **(also or {})}) if fresh else []
    if ring:
        names = named(ctx, ring)
        told = " > ".join(names[one].name or entry.name for one in ring)
        raise EntryRefusedError(
            [f"{FIELD}: expected entries that do not supersede this one, got {told}"],
            "entries that supersede each other supersede nothing: leave one of them out",
        )


def circle(start: str, first: Iterable[str], older: Older) -> list[str]:
    """Return the shortest way from an entry by the first steps back to it, [] where there is none.

    It begins and ends with the entry.
    """
    came = dict.fromkeys(first, start)
    waiting = deque(came)
    while waiting:
        now = waiting.popleft()
        if now == start:
            return way_back(start, came)
        for one in older.get(now, ()):
            if one not in came:
                came[one] = now
                waiting.append(one)
    return []


def way_back(start: str, came: Mapping[str, str]) -> list[str]:
    """Return the way that was gone to an entry from itself, given where each step came from."""
    steps = [start, came[start]]
    while steps[-1] != start:
        steps.append(came[steps[-1]])
    return steps[::-1]


def still_live(ctx: Context, wanted: Sequence[str]) -> list[str]:
    """Return the names of those of some superseded entries that nobody has retired yet."""
    return [row.name for row in ctx.cache.by_ids(wanted)] if wanted else []


def heir_of(ctx: Context, identifier: str) -> str | None:
    """Return the id of the live entry that supersedes a live one, if one does."""
    row = ctx.cache.by_id(identifier)
    return row.heir if row else None
