"""Live entries with their verdict for whoever asks, and the tier they came in by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from git_knowl.model.status import ACTIVE
from git_knowl.model.verdict import AnchorVerdict, Verdict
from git_knowl.services.context import Context
from git_knowl.services.relations import Named, Relations
from git_knowl.services.trust.tiers import is_withheld, tiers_of
from git_knowl.services.verdicts import judge_all
from git_knowl.store.cache import EntryRow
from git_knowl.store.layout import FORMAT_FILE

#: Up to so many entries have their anchors looked up one by one.
FEW = 10


@dataclass(frozen=True, slots=True)
class Listed:
    """One live entry with verdict and tier.

    Of one that is ``untrusted`` the caller gets name and verdict, and nothing of the text.
    ``supersedes`` are the entries in whose place it says it stands, ``superseded_by`` the one that
    stands in its place; one that ``circles`` names entries in a circle, and supersedes none.
    """

    row: EntryRow
    verdict: Verdict
    tier: str
    untrusted: bool = False
    supersedes: tuple[Named, ...] = ()
    superseded_by: Named | None = None
    circles: bool = False


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
    tiers, others = tiers_of(ctx, rows), Relations(ctx, rows)
    found = (
        Listed(
            row,
            verdicts.get(row.id) or holding(targets.get(row.id, ())),
            tiers[row.id],
            supersedes=others.older(row),
            superseded_by=others.newer(row),
            circles=others.circles(row),
        )
        for row in rows
    )
    return Listing(tuple(withheld(ctx, one) for one in found), damaged(ctx))


def withheld(ctx: Context, one: Listed) -> Listed:
    """Return an entry as the caller may see it.

    An agent host gets texts of trusted tiers only, and none between which nobody has decided.
    """
    untrusted = is_withheld(ctx, one.tier)
    if not untrusted and not (ctx.caller.host and one.row.conflict):
        return one
    anchors = (AnchorVerdict(anchor.kind, "", anchor.status) for anchor in one.verdict.anchors)
    bare, verdict = one.row.without_text(), Verdict(tuple(anchors))
    return replace(one, row=bare, verdict=verdict, untrusted=untrusted)


def damaged(ctx: Context) -> tuple[Damaged, ...]:
    """Return the files of both lanes that cannot be read."""
    return tuple(Damaged(*found) for found in ctx.cache.damaged())


def holding(targets: Sequence[tuple[str, str]]) -> Verdict:
    """Return the verdict that says nothing but that these anchors hold."""
    return Verdict(tuple(AnchorVerdict(kind, target, ACTIVE) for kind, target in targets))
