"""The kind ``snippet``: a few lines of a file, wherever in it they stand.

Trailing space and a shared indent do not count. Lines that a person found as true as those quoted
are known by their digest; the quote itself stays what the entry says.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from git_knowl.anchors import folding
from git_knowl.anchors.base import (
    AnchorError,
    Stamp,
    World,
    accepted_for,
    active,
    suspect,
    unknown,
)
from git_knowl.anchors.file import SHORT, absence, blamed, change_words, ways
from git_knowl.anchors.folding import Place
from git_knowl.model import limits
from git_knowl.model.anchor import SnippetAnchor, SnippetFingerprint
from git_knowl.model.verdict import AnchorVerdict
from git_knowl.plumbing.worktree import anchor_obstacle, is_untracked

_SAID = 40
_HERE = ("present", "absent", "directory")


def judge(anchor: SnippetAnchor, digest: str, world: World) -> AnchorVerdict:
    """Look for the quoted lines, or for others accepted for this text of the entry."""
    case = _Case(anchor, digest, world)
    if not case.accepted:
        reason = "nobody has accepted the lines for the present text of the entry"
        return replace(unknown(anchor, reason), expected="nothing accepted", found=case.found)
    seen = world.blobs([anchor.path])[anchor.path]
    if seen.state not in _HERE or case.is_binary:
        reason = "the file is binary here" if case.is_binary else f"the file is {seen.state}"
        return replace(unknown(anchor, seen.note or reason), expected=case.expected)
    if case.place:
        return active(anchor, case.drift)
    elsewhere = case.elsewhere
    if elsewhere:
        offer = f"moved to {elsewhere}; verify with --follow anchors the entry there"
        return replace(active(anchor, offer), moved_to=elsewhere)
    return _judge_change(case) if case.lines is not None else _judge_absence(case)


def prepare(anchors: Sequence[tuple[SnippetAnchor, str]], world: World) -> None:
    """Ask the world at once what judging the anchors, each with its digest, will ask one by one."""
    world.contents(sorted({anchor.path for anchor, _ in anchors}))


def successors(anchor: SnippetAnchor, digest: str, world: World) -> list[str]:
    """Return the other files that were looked through because the lines are not in their own."""
    case = _Case(anchor, digest, world)
    return case.candidates if case.accepted and not case.place else []


def observe(anchor: SnippetAnchor, world: World, stamp: Stamp) -> SnippetAnchor:
    """Return the anchor with the present lines as its only accepted ones.

    Where the quoted lines are gone, those most like them are taken, provided that somebody found
    the quote there once. Raises AnchorError when there are none.
    """
    case = _Case(anchor, stamp.text, world)
    place = case.place or (case.nearest if _was_found(anchor) else None)
    if place is None or not place.text.strip():
        raise AnchorError(f"{anchor.target} cannot be anchored: {_missing(case)}", _LOOK_AGAIN)
    if place.length > limits.SNIPPET_LINES:
        grown = f"the lines became {place.length}, more than {limits.SNIPPET_LINES}"
        raise AnchorError(f"{anchor.target} cannot be anchored: {grown}", _LOOK_AGAIN)
    return replace(anchor, accepted=(_fingerprint(anchor, place, world, stamp),))


def complete(anchor: SnippetAnchor, world: World) -> SnippetAnchor:
    """Return the anchor with its lines read, or those it brings folded and found in the file.

    Raises AnchorError for lines that are not there, a binary file, or lines that are all empty.
    """
    obstacle = anchor_obstacle(world.repo, anchor.path)
    content = None if obstacle else world.content(anchor.path)
    if content is None or b"\0" in content:
        reason = obstacle or ("there is no such file here" if content is None else "it is binary")
        raise AnchorError(f"{anchor.target} cannot be anchored: {reason}")
    lines = folding.lines_of(content)
    return _found(anchor, lines) if anchor.quote.strip() else _read(anchor, lines)


def warnings(anchor: SnippetAnchor, world: World) -> list[str]:
    """Return what a person should know before resting an entry on the lines."""
    if is_untracked(world.repo, anchor.path):
        return [f"{anchor.path} is untracked: in other checkouts the entry will be unknown"]
    return []


_LOOK_AGAIN = "'git knowl edit' quotes what is there, or anchors the entry to something else"


class _Case:
    """An anchor beside what was accepted for the text and what its file holds."""

    def __init__(self, anchor: SnippetAnchor, digest: str, world: World) -> None:
        self.anchor = anchor
        self.world = world
        self.accepted = accepted_for(anchor.accepted, digest)

    @cached_property
    def content(self) -> bytes | None:
        return self.world.content(self.anchor.path)

    @property
    def is_binary(self) -> bool:
        return b"\0" in (self.content or b"")

    @cached_property
    def lines(self) -> list[str] | None:
        """The lines of the file; None without one."""
        return None if self.content is None else folding.lines_of(self.content)

    @cached_property
    def place(self) -> Place | None:
        """Where the lines stand in their file."""
        return None if self.lines is None else self.find(self.lines)

    @cached_property
    def nearest(self) -> Place | None:
        """The lines most like them."""
        return folding.nearest(self.lines or [], self.anchor.quote)

    @cached_property
    def candidates(self) -> list[str]:
        """The files that the lines may have gone to."""
        path = self.anchor.path
        went = self.world.renamed_to(path) or self.world.past([path])[path].renamed_to
        return [went] if went else self.world.companions(path)

    @cached_property
    def elsewhere(self) -> str | None:
        """The one other file that has the lines now."""
        texts = self.world.contents(self.candidates)
        found = [path for path, data in texts.items() if data and self._is_in(data)]
        return found[0] if len(found) == 1 else None

    def _is_in(self, data: bytes) -> bool:
        return b"\0" not in data and self.find(folding.lines_of(data)) is not None

    def find(self, lines: list[str]) -> Place | None:
        """Return where accepted lines stand: as quoted, the place nearest to the old one first."""
        quote, line = self.anchor.quote, self.anchor.line
        items = {(i.sha256, i.lines or self.anchor.length) for i in self.accepted}
        if not items or folding.digest(quote) in {sha256 for sha256, _ in items}:
            found = min(
                folding.places(lines, quote), key=lambda one: abs(one.line - line), default=None
            )
            if found:
                return found
        others = sorted(item for item in items if item[0] != folding.digest(quote))
        tried = (folding.place_of_digest(lines, *item) for item in others)
        return next(filter(None, tried), None)

    @property
    def expected(self) -> str:
        """The quoted lines in short."""
        return _short(self.anchor.quote)

    @property
    def found(self) -> str | None:
        """What is there instead: the nearest lines, with a mark that tells texts apart."""
        place = self.nearest
        if place is None:
            return None
        mark = folding.digest(place.text)[:SHORT]
        return f"{place.lines} ({mark}), {place.alike:.0%} alike"

    @property
    def drift(self) -> str | None:
        """What a reader should know of lines that are there."""
        place = self.place
        if place is None or place.line == self.anchor.line:
            return None
        return f"now at {place.lines}"


def _judge_change(case: _Case) -> AnchorVerdict:
    path, world = case.anchor.path, case.world
    near = f"the nearest is {case.found}" if case.found else "nothing there is like them"
    seen = world.blobs([path])[path].blob
    held = world.committed([path])[path]
    change = None if _is_in_head(case) else world.past([path])[path].change
    told = ways(world, "changed") if _is_in_head(case) else change_words(change)
    if change and held != seen:
        told = f"{told}, and {ways(world, 'changed again')}"
    reason = f"the lines are not in {path} any more, {told}; {near}"
    return blamed(suspect(case.anchor, reason, case.expected, case.found), change)


def _is_in_head(case: _Case) -> bool:
    """Tell whether the commit itself still has the lines: then they were changed here."""
    path = case.anchor.path
    if case.world.committed([path])[path] is None:
        return True
    held = case.world.committed_content(path)
    return held is not None and case.find(folding.lines_of(held)) is not None


def _judge_absence(case: _Case) -> AnchorVerdict:
    gone = absence(case.anchor.path, case.accepted, case.world)
    if not gone.is_proven:
        verdict = replace(unknown(case.anchor, gone.words), expected=case.expected)
        return replace(verdict, found="absent")
    verdict = suspect(
        case.anchor, gone.words, case.expected, gone.went and f"changed at {gone.went}"
    )
    return blamed(replace(verdict, moved_to=gone.went), gone.change)


def _was_found(anchor: SnippetAnchor) -> bool:
    return folding.digest(anchor.quote) in {item.sha256 for item in anchor.accepted}


def _missing(case: _Case) -> str:
    if case.lines is None:
        return "there is no such file here"
    return f"the quoted lines are not in it{f'; the nearest is {case.found}' if case.found else ''}"


def _found(anchor: SnippetAnchor, lines: list[str]) -> SnippetAnchor:
    text = folding.fold(anchor.quote.split("\n")).strip("\n")
    around = max(anchor.line, 1)
    place = min(folding.places(lines, text), key=lambda one: abs(one.line - around), default=None)
    if place is None and not anchor.line:
        raise AnchorError(f"{anchor.target}: the quoted lines are not in {anchor.path}")
    return replace(anchor, quote=text, line=anchor.line or (place.line if place else 1))


def _read(anchor: SnippetAnchor, lines: list[str]) -> SnippetAnchor:
    last = anchor.line + anchor.length - 1
    if last > len(lines):
        raise AnchorError(
            f"{anchor.target}: expected lines from 1 to {len(lines)}, got up to {last}",
            f"{anchor.path} has {len(lines)} lines",
        )
    text = folding.fold(lines[anchor.line - 1 : last])
    if not text.strip():
        raise AnchorError(f"{anchor.target}: expected lines with text, got empty ones")
    before = len(text) - len(text.lstrip("\n"))
    return replace(anchor, quote=text.strip("\n"), line=anchor.line + before)


def _short(quote: str) -> str:
    first, *others = quote.split("\n")
    said = first if len(first) <= _SAID else f"{first[:_SAID]}…"
    return f"{said!r} and {len(others)} more lines" if others else repr(said)


def _fingerprint(
    anchor: SnippetAnchor, place: Place, world: World, stamp: Stamp
) -> SnippetFingerprint:
    seen = world.blobs([anchor.path])[anchor.path]
    return SnippetFingerprint(
        text=stamp.text,
        sha256=folding.digest(place.text),
        at=stamp.at,
        by=stamp.by,
        how=stamp.how,
        commit=world.head,
        dirty=world.committed([anchor.path])[anchor.path] != seen.blob,
        lines=None if place.length == anchor.length else place.length,
    )
