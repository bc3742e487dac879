"""Live entries with their verdict for whoever asks, and the tier they came in by."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from git_knowl.model.status import ACTIVE
from git_knowl.model.verdict import AnchorVerdict, Verdict
from git_knowl.services.context import Context
from git_knowl.services.verdicts import judge_all
from git_knowl.store.cache import EntryRow
from git_knowl.store.state import is_accepted, read_accepted

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
    accepted = accepted_here(ctx, rows)
    return Listing(
        tuple(
            Listed(
                row,
                verdicts.get(row.id) or holding(targets.get(row.id, ())),
                tier(row, accepted),
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


def accepted_here(ctx: Context, rows: Sequence[EntryRow]) -> set[tuple[str, str]]:
    """Return (id, digest) of texts that were reviewed in this clone, those of the rows at least."""
    view = ctx.store.view()
    if len(rows) > FEW:
        return read_accepted(view)
    pairs = [(row.id, row.digest) for row in rows]
    return {pair for pair in pairs if is_accepted(view, *pair)}


def tier(row: EntryRow, accepted: Collection[tuple[str, str]]) -> str:
    """Return how a text came in: what this clone remembers decides, never what a file claims."""
    if row.is_unattended:
        return UNATTENDED
    return HERE if (row.id, row.digest) in accepted else OTHERS
