"""What became of the evidence of an entry: each suspect anchor's then and now, as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import unified_diff
from itertools import islice
from typing import Any

from git_knowl.anchors import folding, tree
from git_knowl.anchors.base import accepted_for, own_object
from git_knowl.anchors.folding import lines_of
from git_knowl.model.anchor import (
    CommitAnchor,
    EntryLink,
    FileAnchor,
    FileFingerprint,
    PackageAnchor,
    SnippetAnchor,
    SymbolAnchor,
    SymbolFingerprint,
    TreeAnchor,
)
from git_knowl.model.document import render
from git_knowl.model.entry import Entry
from git_knowl.model.status import SUSPECT
from git_knowl.model.verdict import AnchorVerdict
from git_knowl.plumbing import between, patches
from git_knowl.plumbing.objects import MissingObject
from git_knowl.services.context import Context
from git_knowl.services.verify import Evidence
from git_knowl.store import history
from git_knowl.store.snapshot import DamagedEntryError, read_snapshot

#: More than a screen or two is looked at with git itself.
MOST_LINES = 200
NO_NEWLINE = "\\ No newline at end of file"
#: So many earlier states of an entry are read to find the one that was accepted.
MOST_STATES = 50


@dataclass(frozen=True, slots=True)
class Difference:
    """What became of one piece of evidence: a diff, or in words why there is none."""

    target: str
    text: str


def differences(ctx: Context, seen: Evidence) -> Iterator[Difference]:
    """Yield what changed in each piece of evidence that is not as it was accepted for this text."""
    for anchor, verdict in seen.pairs():
        show = SHOWN.get(anchor.kind)
        if show and verdict.status == SUSPECT:
            yield Difference(anchor.target, show(ctx, seen.entry, anchor, verdict))


def show_file(
    ctx: Context, entry: Entry, anchor: FileAnchor | SymbolAnchor, verdict: AnchorVerdict
) -> str:
    """Return the diff of the whole file, also where only a symbol of it counts."""
    del verdict
    return difference(ctx, anchor.path, accepted_for(anchor.accepted, entry.digest))


def show_snippet(ctx: Context, entry: Entry, anchor: SnippetAnchor, verdict: AnchorVerdict) -> str:
    """Return the diff of the quoted lines to those most like them."""
    del entry
    path = verdict.moved_to or anchor.path
    lines = lines_of(ctx.world.content(path) or b"")
    place = folding.nearest(lines, anchor.quote)
    if place is None:
        return "\n".join((f"{path}: nothing is like", *(f"-{o}" for o in anchor.quote.split("\n"))))
    now = f"{path}, {place.lines}"
    return compare((anchor.target, anchor.quote.encode()), (now, place.text.encode()))


def show_tree(ctx: Context, entry: Entry, anchor: TreeAnchor, verdict: AnchorVerdict) -> str:
    """Return the list of what was changed, added and removed."""
    del verdict
    accepted = accepted_for(anchor.accepted, entry.digest)
    old = tree.accepted_files(anchor, accepted, ctx.world)
    if old is None:
        return f"{anchor.target}: no state that was accepted is in this clone"
    changes = tree.Changes.between(old, ctx.world.files(anchor.pathspec).blobs)
    lines = [
        *(f"M {path}" for path in changes.changed),
        *(f"A {path}" for path in changes.added),
        *(f"D {path}" for path in changes.removed),
    ]
    return "\n".join(cut(lines))


def show_package(ctx: Context, entry: Entry, anchor: PackageAnchor, verdict: AnchorVerdict) -> str:
    """Return the version that was accepted and the one that is resolved now."""
    del ctx
    items = accepted_for(anchor.accepted, entry.digest)
    then = f"-{items[-1].version} {items[-1].integrity or ''}".rstrip()
    return "\n".join((f"{anchor.purl} in {anchor.lockfile}", then, f"+{verdict.found or 'gone'}"))


def show_commit(ctx: Context, entry: Entry, anchor: CommitAnchor, verdict: AnchorVerdict) -> str:
    """Return the commit, and the one that took it back or let it count again."""
    del entry
    oids = between.present(ctx.repo, [anchor.commit])
    told = [patches.commit_named(ctx.repo, oid) for oid in (*oids, verdict.commit) if oid]
    return "\n".join(f"{one.oid} {one.at} {one.author}: {one.subject}" for one in told)


def show_entry(ctx: Context, entry: Entry, link: EntryLink, verdict: AnchorVerdict) -> str:
    """Return the diff of the other entry's text, or what is suspect about it."""
    digests = {item.digest for item in accepted_for(link.accepted, entry.digest)}
    now = next(iter(ctx.cache.entries([link.id])), None)
    if now is not None and now.digest in digests:
        return f"{link.target}: its text is as it was; {verdict.reason}"
    then = text_then(ctx, link.id, digests)
    if then is None:
        return f"{link.target}: no text that was accepted is in this clone"
    return compare((link.target, told(then)), (link.target, told(now)))


SHOWN: dict[str, Callable[[Context, Entry, Any, AnchorVerdict], str]] = {
    "file": show_file,
    "symbol": show_file,
    "snippet": show_snippet,
    "tree": show_tree,
    "package": show_package,
    "commit": show_commit,
    "entry": show_entry,
}


def text_then(ctx: Context, identifier: str, digests: set[str]) -> Entry | None:
    """Return the latest state of an entry whose digest is one of these."""
    view = ctx.store.view()
    for one in history.log(ctx.store, view, identifier=identifier)[:MOST_STATES]:
        with suppress(DamagedEntryError):
            found = read_snapshot(view, one.lane, one.commit).entry(identifier)
            if found and found.digest in digests:
                return found
    return None


def told(entry: Entry | None) -> bytes:
    """Return what a reader of an entry is told, without what only tells of its review."""
    if entry is None:
        return b""
    head, _, body = render(entry).partition(b"\n---\n")
    kept = (b"name:", b"description:", b"type:", b"tags:")
    return b"\n".join([*(line for line in head.split(b"\n") if line.startswith(kept)), body])


def difference(
    ctx: Context, path: str, accepted: Sequence[FileFingerprint | SymbolFingerprint]
) -> str:
    """Return the diff from the newest accepted content that this clone still has."""
    went, new = present(ctx, path)
    for item in reversed(accepted):
        old = accepted_content(ctx, item.blob)
        if old is not None:
            return compare((path, old), (went, new))
    return f"{path}: no content that was accepted is in this clone"


def present(ctx: Context, path: str) -> tuple[str, bytes]:
    """Return what stands there now, or where git finds the file again; nothing for a gone one."""
    content = ctx.world.content(path)
    if content is not None:
        return path, content
    went = ctx.world.renamed_to(path) or ctx.world.past([path])[path].renamed_to or path
    return went, ctx.world.content(went) or b""


def accepted_content(ctx: Context, blob: str) -> bytes | None:
    """Return an accepted content, or None where this clone does not hold it."""
    oid = own_object(blob, ctx.repo)
    if oid is None:
        return None
    try:
        return next(iter(ctx.objects.read_blobs([oid])))[1]
    except MissingObject:
        return None


def compare(then: tuple[str, bytes], now: tuple[str, bytes]) -> str:
    """Return the unified diff of two (path, content) pairs, cut after some screens."""
    if b"\0" in then[1] or b"\0" in now[1]:
        return f"{then[0]}: binary content differs"
    before, after = told_lines(then[1]), told_lines(now[1])
    names = f"then/{then[0]}", f"now/{now[0]}"
    lines = cut(unified_diff(before, after, *names, lineterm=""))
    return "\n".join(lines) or f"{then[0]}: the content differs in no line of its text"


def cut(lines: Iterator[str] | Sequence[str]) -> list[str]:
    """Return the lines of some screens."""
    kept = list(islice(lines, MOST_LINES + 1))
    return kept if len(kept) <= MOST_LINES else [*kept[:MOST_LINES], "… and more"]


def told_lines(content: bytes) -> list[str]:
    """Return the lines of a text; only a line feed ends one, and one without is told, as by git."""
    *lines, last = content.decode("utf-8", "backslashreplace").split("\n")
    return [*lines, f"{last}\n{NO_NEWLINE}"] if last else lines
