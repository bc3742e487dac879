"""Pick entries out of a listing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from git_knowl.services.context import Context
from git_knowl.services.listing import Listing
from git_knowl.services.resting import resting_on


@dataclass(frozen=True, slots=True)
class Filter:
    """What to keep; None keeps everything. ``path`` is relative to the caller's folder."""

    type: str | None = None
    status: str | None = None
    path: str | None = None
    tier: str | None = None


def select(found: Listing, ctx: Context, wanted: Filter) -> Listing:
    """Return the listing with only what the filter keeps."""
    if wanted == Filter():
        return found
    resting = None if wanted.path is None else {row.id for row in resting_on(ctx, wanted.path)}
    kept = tuple(
        one
        for one in found.entries
        if wanted.type in (None, one.row.type)
        and wanted.status in (None, one.verdict.status)
        and wanted.tier in (None, one.tier)
        and (resting is None or one.row.id in resting)
    )
    return replace(found, entries=kept)
