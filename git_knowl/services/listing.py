"""Live entries with their verdict for whoever asks, and the tier they came in by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from git_knowl.model.status import ACTIVE
from git_knowl.model.verdict import AnchorVerdict, Verdict
from git_knowl.services.context import Context
from git_knowl.services.verdicts import judge_all
from git_knowl.store.cache import EntryRow
from git_knowl.store.layout import FORMAT_FILE
from git_knowl.store.state import Doors, read_door, read_doors

HERE = "here"
OTHERS = "others"
UNATTENDED = "unattended"
TIERS = (HERE, OTHERS, UNATTENDED)
#: Up to so many entries are looked up one by one in what was accepted here.
FEW = 10


@dataclass(frozen=True, slots=True)
class Listed:
    """One live entry with verdict and tier."""

    row: EntryRow
    verdict: Verdict
    tier: str


@dataclass(frozen=True, slots=True)
class Damaged:
    """A file of the store that cannot be read; it hides no other."""

    lane: str
    path: str
    error: str

    @property
    def is_newer(self) -> bool:
        """Tell whether nothing is damaged: a newer program wrote this lane."""
        return self.path == FORMAT_FILE


@dataclass(frozen=True, slots=True)
class Listing:
    """Entries by shown name, and what is damaged."""

    entries: tuple[Listed, ...]
    damaged: tuple[Damaged, ...] = ()


def list_all(ctx: Context) -> Listing:
    """Return all live entries, judged in the caller's files."""
    return assemble(ctx, ctx.cache.entry_rows(), judge_all(ctx).verdicts)


def assemble(ctx: Context, rows: Sequence[EntryRow], verdicts: Mapping[str, Verdict]) -> Listing:
    """Return the entries of the rows; of one without a verdict every anchor holds."""
    sound = [row.id for row in rows if row.id not in verdicts]
    targets = ctx.cache.targets(None if len(sound) > FEW else sound)
    doors = doors_here(ctx, rows)
    return Listing(
        tuple(
            Listed(
                row,
                verdicts.get(row.id) or holding(targets.get(row.id, ())),
                tier(row, doors),
            )
            for row in rows
        ),
        damaged(ctx),
    )


def damaged(ctx: Context) -> tuple[Damaged, ...]:
    """Return the files of both lanes that cannot be read."""
    return tuple(Damaged(*found) for found in ctx.cache.damaged())


def holding(targets: Sequence[tuple[str, str]]) -> Verdict:
    """Return the verdict that says nothing but that these anchors hold."""
    return Verdict(tuple(AnchorVerdict(kind, target, ACTIVE) for kind, target in targets))


def doors_here(ctx: Context, rows: Sequence[EntryRow]) -> Doors:
    """Return by which door texts came in that were reviewed here, those of the rows at least."""
    view = ctx.store.view()
    if len(rows) > FEW:
        return read_doors(view)
    found = {(row.id, row.digest): read_door(view, row.id, row.digest) for row in rows}
    return {pair: door for pair, door in found.items() if door is not None}


def tier(row: EntryRow, doors: Doors) -> str:
    """Return how a text came in: what this clone remembers decides, never what a file claims.

    A file can only take from its standing: it may say that nobody has confirmed it.
    """
    door = doors.get((row.id, row.digest))
    if row.is_unattended or door == UNATTENDED:
        return UNATTENDED
    return OTHERS if door is None else HERE
