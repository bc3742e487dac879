"""How a text came in, and whether that is enough for whoever asks."""

from __future__ import annotations

from collections.abc import Sequence

from git_knowl.model.entry import SHARED
from git_knowl.model.tiers import HERE, OTHERS, SIGNED, UNATTENDED
from git_knowl.services.context import Context
from git_knowl.store.cache import EntryRow
from git_knowl.store.state import Doors, read_door, read_doors

#: Up to so many entries are looked up one by one in what was accepted here.
FEW = 10


def tiers_of(ctx: Context, rows: Sequence[EntryRow]) -> dict[str, str]:
    """Return the tier of every row by id; git is asked for signatures only where they matter."""
    doors = doors_here(ctx, rows)
    tiers = {row.id: tier(row, doors) for row in rows}
    shared = [row.id for row in rows if row.lane == SHARED and tiers[row.id] == OTHERS]
    return tiers | dict.fromkeys(signed_of(ctx, shared), SIGNED)


def is_withheld(ctx: Context, tier: str) -> bool:
    """Tell whether texts of a tier are kept from whoever asks: an agent host gets trusted ones."""
    return ctx.caller.host is not None and tier not in ctx.settings.trust


def tier(row: EntryRow, doors: Doors) -> str:
    """Return how a text came in: what this clone remembers decides, never what a file claims.

    A file can only take from its standing: it may say that nobody has confirmed it. Signatures are
    left out here.
    """
    return tier_of_text((row.id, row.digest), doors, is_unattended=row.is_unattended)


def tier_of_text(text: tuple[str, str], doors: Doors, *, is_unattended: bool) -> str:
    """Return the tier of a text by its id and digest, and by what its file says against itself."""
    door = doors.get(text)
    if is_unattended or door == UNATTENDED:
        return UNATTENDED
    return OTHERS if door is None else HERE


def doors_here(ctx: Context, rows: Sequence[EntryRow]) -> Doors:
    """Return by which door texts came in that were reviewed here, those of the rows at least."""
    view = ctx.store.view()
    if len(rows) > FEW:
        return read_doors(view)
    found = {(row.id, row.digest): read_door(view, row.id, row.digest) for row in rows}
    return {pair: door for pair, door in found.items() if door is not None}


def signed_of(ctx: Context, ids: Sequence[str]) -> list[str]:
    """Return those of the entries whose texts came in by a commit that an allowed key signed."""
    if not ids:
        return []
    from git_knowl.services.trust.signatures import know_signatures  # noqa: PLC0415 - rarely asked

    know_signatures(ctx)
    return [row.id for row in ctx.cache.by_ids(ids) if row.tier == SIGNED]
