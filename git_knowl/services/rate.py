"""Say whether an entry was any use; one that was wrong is flagged for a person to look at."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from git_knowl.errors import KnowlError
from git_knowl.model import limits
from git_knowl.services.context import Context
from git_knowl.services.find import find_row
from git_knowl.services.flag import Flagged, flag, locate
from git_knowl.services.use import gather
from git_knowl.store.cache import EntryRow
from git_knowl.store.use import Tally, Used

USEFUL, WRONG = JUDGEMENTS = ("useful", "wrong")


@dataclass(frozen=True, slots=True)
class Rated:
    """The entry, and the flag that was raised for one that is wrong."""

    row: EntryRow
    raised: Flagged | None = None


def rate(ctx: Context, name: str, judgement: str, reason: str = "") -> Rated:
    """Count a judgement on an entry in this clone; a wrong one raises a flag with the reason.

    Said twice in one session, one flag waits for it.
    """
    row = find_row(ctx, name)
    raised = raise_flag(ctx, row, reason) if judgement == WRONG else None
    now = ctx.caller.now()
    tally = Tally(**{judgement: 1}, last=now)
    gather(ctx, Used({row.id: tally}, {}, now))
    return Rated(row, raised)


def raise_flag(ctx: Context, row: EntryRow, reason: str) -> Flagged:
    """Flag an entry as wrong, with the files it rests on."""
    said = f"The entry '{row.name}' is wrong"
    summary = f"{said}: {' '.join(reason.split())}" if reason.strip() else f"{said}, somebody says"
    return flag(ctx, summary, tuple(islice(files_of(ctx, row), limits.FLAG_PATHS)))


def files_of(ctx: Context, row: EntryRow) -> Iterator[str]:
    """Yield the files an entry rests on, as a flag can name them; others are left out."""
    top = ctx.repo.work_tree or ""
    found = {one.path for one in ctx.cache.anchored_paths() if one.entry == row.id}
    for path in sorted(found):
        try:
            locate(ctx, os.path.join(top, path))
        except KnowlError:
            continue
        yield os.path.join(top, path)
