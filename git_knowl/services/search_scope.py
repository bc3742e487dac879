"""What a search is narrowed to, and which entries it leaves out unless they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from git_knowl.model.status import ACTIVE
from git_knowl.services.context import Context
from git_knowl.services.resting import resting_on
from git_knowl.services.search import Scope
from git_knowl.store import search_index
from git_knowl.store.superseded import superseded


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to keep; None keeps everything.

    ``path`` is relative to the caller's folder, ``as_of`` a day or time of which the store is
    searched as it stood then. ``retired`` asks for those too that were retired or replaced.
    ``on_the_way`` is asked by who must answer at once, see ``semantic.likeness``.
    """

    type: str | None = None
    status: str | None = None
    path: str | None = None
    tag: str | None = None
    as_of: str | None = None
    retired: bool = False
    on_the_way: bool = False


ALL = Wanted()


def scope_of(ctx: Context, wanted: Wanted, statuses: Mapping[str, str]) -> Scope:
    """Return which entries may be found; ``statuses`` are those of entries that are not active."""
    hidden = frozenset() if wanted.retired else frozenset(superseded(ctx.cache))
    return Scope(narrowed(filters(ctx, wanted, statuses)), hidden)


def filters(ctx: Context, wanted: Wanted, statuses: Mapping[str, str]) -> Iterable[set[str]]:
    """Yield for every filter the entries it keeps."""
    if wanted.type is not None:
        yield {row.id for row in ctx.cache.entry_rows("entry.type = ?", [wanted.type])}
    if wanted.tag is not None:
        yield search_index.tagged(ctx.cache, wanted.tag)
    if wanted.path is not None:
        yield {row.id for row in resting_on(ctx, wanted.path)}
    if wanted.status == ACTIVE:
        yield {row.id for row in ctx.cache.entry_rows()} - statuses.keys()
    elif wanted.status is not None:
        yield {key for key, status in statuses.items() if status == wanted.status}


def narrowed(kept: Iterable[set[str]]) -> frozenset[str] | None:
    """Return what every filter keeps, None without any."""
    sets = list(kept)
    return frozenset(set.intersection(*sets)) if sets else None
