"""The store as it stood on an earlier day, and what was taken out of it, as contexts to search.

Both are caches in memory, made of history on request; the file of the cache is left alone, and so
is what this worktree remembers of verdicts. Anchors are judged in the caller's files of today.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date

from git_knowl.anchors.evaluate import judge_entries
from git_knowl.errors import KnowlError
from git_knowl.model.verdict import Verdict
from git_knowl.services.context import Context
from git_knowl.services.judging import others
from git_knowl.services.listing import Listed, Listing, withheld
from git_knowl.services.retired import retired
from git_knowl.services.trust.tiers import doors_here, tier
from git_knowl.store.cache import EntryRow, Retired
from git_knowl.store.cache_file import Tips
from git_knowl.store.cache_write import Files, open_aside
from git_knowl.store.last_texts import last_texts, tips_until

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


class DateError(KnowlError):
    """A day that is none."""


def past(ctx: Context, when: str) -> Context:
    """Return the store as it stood at the end of a day (UTC) or at a time; raises DateError."""
    return aside(ctx, tips_until(ctx.repo, ctx.tips, moment(when)))


def moment(when: str) -> str:
    """Return the time that a day ends or a time names; raises DateError."""
    text = when.strip()
    try:
        date.fromisoformat(text[:10])
        if TIME.fullmatch(text):
            return text
        return f"{date.fromisoformat(text).isoformat()}T23:59:59Z"
    except ValueError as error:
        raise DateError(
            "--as-of: expected a day as YYYY-MM-DD or a time as YYYY-MM-DDTHH:MM:SSZ,"
            f" got '{when}'",
            "such as 2026-11-29",
        ) from error


def gone(ctx: Context) -> tuple[Context, dict[str, Retired]]:
    """Return the last texts of all that was retired, and why each went, by id."""
    stones = {one.id: one for one in retired(ctx)}
    by_lane: dict[str, set[str]] = defaultdict(set)
    for stone in stones.values():
        by_lane[stone.lane].add(stone.id)
    texts = {
        lane: last_texts(ctx.repo, tip, ids)
        for lane, ids in by_lane.items()
        if (tip := ctx.tips[lane])
    }
    return aside(ctx, ctx.tips, texts), stones


def aside(ctx: Context, tips: Tips, files: Files | None = None) -> Context:
    """Return the same repository at other tips, or with other entries, and the same caller."""
    made = Context(ctx.repo, ctx.caller)
    made.settings = ctx.settings
    made.world = ctx.world
    made.tips = tips
    made.cache = open_aside(ctx.repo, tips, ctx.objects, files)
    return made


def judge_aside(made: Context) -> dict[str, Verdict]:
    """Return the verdict of every entry in the caller's files; nothing remembers them."""
    return judge_entries(made.cache.entries(), made.world, others(made))


def listed_aside(
    made: Context, rows: Sequence[EntryRow], verdicts: Mapping[str, Verdict]
) -> Listing:
    """Return the entries of the rows; of signatures nothing is asked for texts of the past."""
    doors = doors_here(made, rows)
    found = (Listed(row, verdicts[row.id], tier(row, doors)) for row in rows)
    return Listing(tuple(withheld(made, one) for one in found))
