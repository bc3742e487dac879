"""Verdicts that nothing remembers: of a few entries, or in the files of somebody else.

Apart from `verdicts`, since the kinds of anchors and their parsers are loaded here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from git_knowl.anchors.base import World
from git_knowl.anchors.evaluate import judge_entries
from git_knowl.anchors.needs import Others
from git_knowl.model.verdict import Verdict
from git_knowl.services.context import Context
from git_knowl.services.listing import Listing, assemble
from git_knowl.store.cache import EntryRow


def judge(ctx: Context, ids: Iterable[str], world: World | None = None) -> dict[str, Verdict]:
    """Return the verdict of entries in a world, the caller's files for one, by id."""
    return judge_entries(ctx.cache.entries(list(ids)), world or ctx.world, others(ctx))


def list_some(ctx: Context, rows: Sequence[EntryRow], world: World | None = None) -> Listing:
    """Return the entries of the rows, in their order, judged in a world or the caller's files."""
    return assemble(ctx, rows, judge(ctx, [row.id for row in rows], world))


def list_all_in(ctx: Context, world: World) -> Listing:
    """Return all live entries, judged in any world."""
    verdicts = judge_entries(ctx.cache.entries(), world, others(ctx))
    return assemble(ctx, ctx.cache.entry_rows(), verdicts)


def others(ctx: Context) -> Others:
    """Return where the entries come from that entries need."""
    return Others(ctx.cache.entries, ctx.cache.retired)
