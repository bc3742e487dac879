"""Where a symbol is that does not stand under its name any more, as far as one world can tell."""

from collections.abc import Iterable
from dataclasses import replace

from git_knowl.anchors.base import active
from git_knowl.anchors.symbol_case import Case, ledger_of, own_blob, place_of
from git_knowl.anchors.symbols.digest import words_of
from git_knowl.anchors.symbols.grammars import SymbolsUnavailable
from git_knowl.anchors.symbols.ledger import Place
from git_knowl.anchors.symbols.outline import Outline
from git_knowl.anchors.symbols.search import Lost, Went, readable, whereabouts
from git_knowl.anchors.unreadable import UNREADABLE
from git_knowl.model.anchor import SymbolAnchor
from git_knowl.model.verdict import AnchorVerdict
from git_knowl.plumbing.moves import touched_in


def found_or_gone(
    case: Case, gone: AnchorVerdict, digests: frozenset[str], first: Iterable[str]
) -> AnchorVerdict:
    """Return that the symbol moved where its very tree is found, else ``gone`` with the likeliest.

    Searched are the paths given and what was written together with the anchor's file, there by the
    commit that ``gone`` names or since.
    """
    if case.world.is_hurried:
        return gone
    places = _places(case, first, gone.commit)
    try:
        went = whereabouts(_lost(case, digests), ledger_of(case.world), places)
    except UNREADABLE:  # what it was like cannot be told; that it went can
        return gone
    if went is None:
        return gone
    if went.is_same:
        return moved(case.anchor, went)
    target = _target(case.anchor, went)
    reason = f"{gone.reason}; {went.score:.0%} alike is {target}"
    return replace(gone, reason=reason, found=target, moved_to=target)


def moved(anchor: SymbolAnchor, went: Went) -> AnchorVerdict:
    """Return the verdict that the symbol is elsewhere, unchanged."""
    target = _target(anchor, went)
    offer = f"moved to {target}; verify with --follow anchors the entry there"
    return replace(active(anchor, offer), moved_to=target)


def _target(anchor: SymbolAnchor, went: Went) -> str:
    return replace(anchor, path=went.path, symbol=went.name).target.partition(":")[2]


def _lost(case: Case, digests: frozenset[str]) -> Lost:
    """Return what to look for, with the words of the newest accepted content that is still here."""
    anchor = case.anchor
    for item in reversed(case.accepted):
        blob = own_blob(item, case.world)
        there = _outline(case, case.stored(blob)) if blob else None
        symbol = there.find(anchor.symbol) if there else None
        if symbol:
            return Lost(anchor.path, anchor.symbol, digests, words_of(symbol), symbol.length)
    return Lost(anchor.path, anchor.symbol, digests, None)


def _outline(case: Case, place: Place) -> Outline | None:
    try:
        return ledger_of(case.world).outline(place)
    except SymbolsUnavailable:
        return None


def _places(case: Case, first: Iterable[str], commit: str | None) -> list[Place]:
    """Return the files to search that are here, those of the same suffix before others."""
    path, world = case.anchor.path, case.world
    together = touched_in(world.repo, commit) if commit else []
    suffix = path.rpartition(".")[2]
    others = sorted(
        (*together, *world.companions(path)), key=lambda other: other.rpartition(".")[2] != suffix
    )
    candidates = readable(dict.fromkeys((*first, *others)))
    seen = world.blobs(candidates)
    return [place_of(candidate, world) for candidate in candidates if seen[candidate].blob]
