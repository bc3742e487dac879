"""What changed in the files an entry rests on, as a unified diff from the accepted content."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from itertools import islice

from git_knowl.anchors.base import accepted_for
from git_knowl.model.anchor import FileAnchor, FileFingerprint
from git_knowl.model.status import SUSPECT
from git_knowl.plumbing.objects import MissingObject
from git_knowl.services.context import Context
from git_knowl.services.verify import Evidence

#: More than a screen or two is looked at with git itself.
MOST_LINES = 200
NO_NEWLINE = "\\ No newline at end of file"


@dataclass(frozen=True, slots=True)
class Difference:
    """What became of one file: a unified diff, or in words why there is none."""

    target: str
    text: str


def differences(ctx: Context, seen: Evidence) -> Iterator[Difference]:
    """Yield what changed in each file that is not as it was accepted for this text."""
    for anchor, verdict in seen.pairs():
        if isinstance(anchor, FileAnchor) and verdict.status == SUSPECT:
            accepted = accepted_for(anchor.accepted, seen.entry.digest)
            yield Difference(anchor.target, difference(ctx, anchor.path, accepted))


def difference(ctx: Context, path: str, accepted: list[FileFingerprint]) -> str:
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
    went = ctx.world.past([path])[path].renamed_to or path
    return went, ctx.world.content(went) or b""


def accepted_content(ctx: Context, blob: str) -> bytes | None:
    """Return an accepted content, or None where this clone does not hold it."""
    object_format, _, oid = blob.partition(":")
    if object_format != ctx.repo.object_format:
        return None
    try:
        return next(iter(ctx.objects.read_blobs([oid])))[1]
    except MissingObject:
        return None


def compare(then: tuple[str, bytes], now: tuple[str, bytes]) -> str:
    """Return the unified diff of two (path, content) pairs, cut after some screens."""
    if b"\0" in then[1] or b"\0" in now[1]:
        return f"{then[0]}: binary content differs"
    before, after = lines_of(then[1]), lines_of(now[1])
    names = f"then/{then[0]}", f"now/{now[0]}"
    lines = list(islice(unified_diff(before, after, *names, lineterm=""), MOST_LINES + 1))
    if len(lines) > MOST_LINES:
        lines[MOST_LINES:] = ["… and more"]
    return "\n".join(lines) or f"{then[0]}: the content differs in no line of its text"


def lines_of(content: bytes) -> list[str]:
    """Return the lines of a text; only a line feed ends one, and one without is told, as by git."""
    *lines, last = content.decode("utf-8", "backslashreplace").split("\n")
    return [*lines, f"{last}\n{NO_NEWLINE}"] if last else lines
