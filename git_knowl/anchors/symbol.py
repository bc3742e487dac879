"""The kind ``symbol``: a named part of a source file, known by its syntax tree.

An accepted blob is active without parsing. Of another blob the symbol's tree is compared, so that
comments, layout and everything else in the file raise no alarm. What becomes of the file as a whole
is told as for file anchors.
"""

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import replace

from git_knowl.anchors import file
from git_knowl.anchors.base import AnchorError, Stamp, World, active, suspect, unknown
from git_knowl.anchors.file import SHORT, blamed, commit_words, ways
from git_knowl.anchors.symbol_case import (
    Case,
    accepted_digests,
    changes,
    culprit,
    held,
    ledger_of,
    place_of,
)
from git_knowl.anchors.symbol_went import found_or_gone, moved
from git_knowl.anchors.symbols import naming
from git_knowl.anchors.symbols.digest import digest_of
from git_knowl.anchors.symbols.grammars import SymbolsUnavailable, algorithm
from git_knowl.anchors.symbols.ledger import Reading, State
from git_knowl.anchors.symbols.outline import Outline, Symbol
from git_knowl.anchors.symbols.search import Went
from git_knowl.model.anchor import FileAnchor, FileFingerprint, SymbolAnchor, SymbolFingerprint
from git_knowl.model.status import SUSPECT
from git_knowl.model.verdict import AnchorVerdict
from git_knowl.plumbing.history import Commit
from git_knowl.plumbing.worktree import anchor_obstacle, is_untracked

LARGE_LINES = 100
HURRIED = "file changed, symbol not checked"
# Beyond so many files that differ, their history is walked once for all of them.
_FILES_BLAMED = 20
_NEAR = 5
_SIGNS = "the first '#' ends the path: in a path, '#' is written %23 and '%' is written %25"


def judge(anchor: SymbolAnchor, digest: str, world: World) -> AnchorVerdict:
    """Compare the symbol with every tree accepted for this text of the entry."""
    case = Case.of(anchor, digest, world)
    if not case.is_open:
        return _judge_file(case, digest)
    found = case.read(place_of(anchor.path, world))
    if found is None:
        return _cannot_tell(case, HURRIED)
    if found.reason:
        return _cannot_tell(case, found.reason)
    digests, is_sure = accepted_digests(case)
    if found.digest in digests:
        return active(anchor, case.seen.note)
    if not is_sure:
        reason = "accepted by another version of the comparison, and the accepted content is gone"
        return _cannot_tell(case, reason)
    verdict = _differs(case, found, digests)
    return replace(verdict, note=file.UNCOMMITTED) if case.was_dirty else verdict


def prepare(anchors: Sequence[tuple[SymbolAnchor, str]], world: World) -> None:
    """Read at once what judging the anchors, each with its digest, will ask one by one."""
    world.blobs(sorted({anchor.path for anchor, _ in anchors}))
    wanted: dict[str, list[str]] = {}
    closed = []
    for anchor, digest in anchors:
        if Case.of(anchor, digest, world).is_open:
            wanted.setdefault(anchor.path, []).append(anchor.symbol)
        else:
            closed.append((_as_file(anchor), digest))
    file.prepare(closed, world)
    for path, symbols in wanted.items() if not world.is_hurried else ():
        ledger_of(world).read_all(place_of(path, world), symbols)
    world.committed(sorted(wanted))
    if len(wanted) > _FILES_BLAMED:
        world.past(sorted(wanted))


def successors(anchor: SymbolAnchor, digest: str, world: World) -> list[str]:
    """Return the other path that has a say because the symbol is not at its own."""
    moved_to = judge(anchor, digest, world).moved_to
    return [followed(anchor, moved_to).path] if moved_to else []


def followed(anchor: SymbolAnchor, moved_to: str) -> SymbolAnchor:
    """Return the anchor at the place that a verdict names in ``moved_to``, as PATH#NAME."""
    path, _, symbol = moved_to.partition("#")
    return replace(anchor, path=path.replace("%23", "#").replace("%25", "%"), symbol=symbol)


def observe(anchor: SymbolAnchor, world: World, stamp: Stamp) -> SymbolAnchor:
    """Return the anchor with the present tree as its only accepted fingerprint.

    Raises AnchorError where the symbol is not there under exactly its name, or cannot be read.
    """
    there = _outline(anchor, world)
    symbol = there.find(anchor.symbol)
    if symbol is None and not there.may_hide(anchor.symbol):
        raise _no_such(anchor, there)
    if symbol is None or symbol.is_broken:
        raise AnchorError(
            f"{anchor.target} cannot be anchored: the file does not parse around the symbol",
            "quote the lines instead, as snippet:PATH:FROM-TO",
        )
    return replace(anchor, accepted=(_fingerprint(anchor, symbol, world, stamp),))


def complete(anchor: SymbolAnchor, world: World) -> SymbolAnchor:
    """Return the anchor with the qualified name that the given one stands for.

    A name that one symbol of the file ends in is enough. Raises AnchorError with near names where
    there is none, or more than one.
    """
    there = _outline(anchor, world)
    names = there.complete(anchor.symbol)
    if len(names) == 1:
        return replace(anchor, symbol=names[0])
    if names:
        raise AnchorError(
            f"{anchor.target}: more than one symbol ends in '{anchor.symbol}'",
            f"name one of {', '.join(names[:_NEAR])}",
        )
    raise _no_such(anchor, there)


def warnings(anchor: SymbolAnchor, world: World) -> list[str]:
    """Return what a person should know before resting an entry on the symbol."""
    said = []
    if is_untracked(world.repo, anchor.path):
        said.append(f"{anchor.path} is untracked: in other checkouts the entry will be unknown")
    symbol = _outline(anchor, world).find(anchor.symbol)
    said += _size_warnings(anchor, symbol) if symbol else ()
    churn = [before for _, before, after in changes(anchor, world) if after not in before]
    number = sum(before != {None} for before in churn)
    if number > file.CHURN_CHANGES:
        said.append(
            f"{anchor.target} itself changed {number} times in its file's last commits:"
            " the entry will often be suspect"
        )
    return said


def _size_warnings(anchor: SymbolAnchor, symbol: Symbol) -> Iterator[str]:
    if symbol.is_scope:
        yield (
            f"{anchor.target} holds members and changes with each of them:"
            " anchored to the one that matters, the entry would raise fewer alarms"
        )
    if symbol.lines > LARGE_LINES:
        yield (
            f"{anchor.target} has {symbol.lines} lines: beyond {LARGE_LINES}, a symbol raises five"
            " times as many alarms; anchor the innermost part that matters"
        )


def _judge_file(case: Case, digest: str) -> AnchorVerdict:
    """Judge what needs no look at the symbol: an accepted content, or none to look into."""
    anchor = case.anchor
    verdict = file.judge(_as_file(anchor), digest, case.world)
    verdict = replace(verdict, kind=anchor.kind, target=anchor.target)
    if verdict.status != SUSPECT:
        went = verdict.moved_to
        return moved(anchor, Went(went, anchor.symbol, 1)) if went else verdict
    heir = verdict.moved_to
    gone = replace(verdict, expected=case.expected, found=None, moved_to=None)
    digests, _ = accepted_digests(case)
    return found_or_gone(case, gone, digests, [heir] if heir else [])


def _as_file(anchor: SymbolAnchor) -> FileAnchor:
    """Return the anchor of the whole file, accepted in the contents the symbol was accepted in."""
    return FileAnchor(
        anchor.path,
        tuple(
            FileFingerprint(item.text, "", item.blob, item.at, item.by, item.how, dirty=item.dirty)
            for item in anchor.accepted
        ),
    )


def _differs(case: Case, found: Reading, digests: frozenset[str]) -> AnchorVerdict:
    change, words = _change(case, found, digests)
    if found.state is State.FOUND:
        verdict = suspect(case.anchor, f"symbol {words}", case.expected, str(found.digest)[:SHORT])
        return blamed(verdict, change)
    gone = blamed(suspect(case.anchor, f"symbol {words}", case.expected), change)
    return found_or_gone(case, gone, digests, [case.anchor.path])


def _change(case: Case, found: Reading, digests: frozenset[str]) -> tuple[Commit | None, str]:
    """Return the commit that made the symbol what it is, and how people say so."""
    path, world = case.anchor.path, case.world
    verb = "changed" if found.digest else "removed"
    in_head = held(case)
    if in_head is None or in_head.digest in digests or (in_head.digest and not found.digest):
        return None, ways(world, verb)
    again = f", and {ways(world, 'changed again')}" if in_head != found else ""
    commit = culprit(case)
    if commit:
        return commit, f"{verb} by {commit_words(commit)}{again}"
    last = None if world.is_hurried else world.past([path])[path].change
    return last, f"{verb}, its file {file.change_words(last)}{again}"


def _outline(anchor: SymbolAnchor, world: World) -> Outline:
    """Return the symbols of the anchor's file as it is here; raises AnchorError."""
    obstacle = anchor_obstacle(world.repo, anchor.path)
    if obstacle is None and world.blobs([anchor.path])[anchor.path].blob is None:
        obstacle = "there is no such file here"
    if obstacle:
        hint = _SIGNS if "#" in f"{anchor.path}{anchor.symbol}" else None
        raise AnchorError(f"{anchor.target} cannot be anchored: {obstacle}", hint)
    try:
        return ledger_of(world).outline(place_of(anchor.path, world))
    except SymbolsUnavailable as error:
        message = f"{anchor.target} cannot be anchored: {error.message}"
        raise AnchorError(message, error.hint) from error


def _no_such(anchor: SymbolAnchor, there: Outline) -> AnchorError:
    """Return the refusal of a name, with those that somebody may have meant."""
    asked = naming.plain(anchor.symbol)
    last = asked.rpartition(".")[2]
    by_last = {name.rpartition(".")[2]: name for name in there.symbols}
    near = [
        *(name for name in there.symbols if name.rpartition(".")[2].lower() == last.lower()),
        *difflib.get_close_matches(asked, there.symbols, _NEAR),
        *(by_last[name] for name in difflib.get_close_matches(last, by_last, _NEAR)),
    ]
    names = list(dict.fromkeys(near))[:_NEAR]
    hint = f"near names there are {', '.join(names)}" if names else "the file has no such name"
    return AnchorError(f"{anchor.target} cannot be anchored: there is no such symbol", hint)


def _fingerprint(
    anchor: SymbolAnchor, symbol: Symbol, world: World, stamp: Stamp
) -> SymbolFingerprint:
    blob = world.blobs([anchor.path])[anchor.path].blob
    return SymbolFingerprint(
        text=stamp.text,
        blob=f"{world.repo.object_format}:{blob}",
        algorithm=algorithm(),
        digest=digest_of(symbol),
        at=stamp.at,
        by=stamp.by,
        how=stamp.how,
        commit=world.head,
        dirty=world.committed([anchor.path])[anchor.path] != blob,
    )


def _cannot_tell(case: Case, reason: str) -> AnchorVerdict:
    found = case.seen.blob[:SHORT] if case.seen.blob else case.seen.state
    return replace(unknown(case.anchor, reason), expected=case.expected, found=found)
