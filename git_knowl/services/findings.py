"""What an audit has to report, anchor by anchor, with the place in the project it is about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from git_knowl.anchors import symbol_case
from git_knowl.anchors.base import World
from git_knowl.anchors.symbols.grammars import SymbolsUnavailable
from git_knowl.model.anchor import Anchor, SnippetAnchor, SymbolAnchor, TreeAnchor
from git_knowl.model.status import ACTIVE
from git_knowl.model.targets import TargetError, parse_anchor
from git_knowl.model.verdict import AnchorVerdict
from git_knowl.services.audit.audit import Audit
from git_knowl.services.listing import Listed
from git_knowl.store.touched import TOP, reach

FIRST = 1


@dataclass(frozen=True, slots=True)
class Place:
    """A path from the top (a folder ends in a slash) and a line of it."""

    path: str
    line: int = FIRST


@dataclass(frozen=True, slots=True)
class Finding:
    """One anchor that is not active; ``place`` is None where it names nothing in the project.

    ``snoozed`` is the day until which the entry sleeps; ``counts`` tells whether this is news: with
    a base to compare with, only what became worse since is.
    """

    entry: Listed
    anchor: AnchorVerdict
    place: Place | None
    snoozed: str | None
    counts: bool


def findings(done: Audit, world: World) -> Iterator[Finding]:
    """Yield what an audit of a world found, entry by entry."""
    counted = {one.row.id for one in done.counted()}
    for one in done.found.entries:
        key = one.row.id
        for anchor in one.verdict.anchors:
            if anchor.status != ACTIVE:
                place = place_of(anchor, world)
                yield Finding(one, anchor, place, done.snoozed.get(key), key in counted)


def place_of(verdict: AnchorVerdict, world: World) -> Place | None:
    """Return where the evidence of an anchor is, or was when it is gone."""
    try:
        anchor = parse_anchor(verdict.target)
    except TargetError:
        return None
    path = str(getattr(anchor, "path", "") or getattr(anchor, "lockfile", ""))
    if isinstance(anchor, TreeAnchor):
        folder = reach(anchor.pathspec)
        return Place("" if folder == TOP else f"{folder}/")
    return Place(path, line_of(anchor, world)) if path else None


def line_of(anchor: Anchor, world: World) -> int:
    """Return the line at which an anchored part of a file begins."""
    if isinstance(anchor, SnippetAnchor):
        return anchor.line
    if not isinstance(anchor, SymbolAnchor):
        return FIRST
    try:
        place = symbol_case.place_of(anchor.path, world)
        symbol = symbol_case.ledger_of(world).outline(place).find(anchor.symbol)
    except SymbolsUnavailable:
        return FIRST
    return symbol.parts[0].first if symbol else FIRST
