"""Old and new evidence of an entry, as a person compares them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_knowl.anchors.base import accepted_for
from git_knowl.errors import KnowlError
from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.ask import can_ask, confirm
from git_knowl.model import stored
from git_knowl.model.anchor import (
    CommitFingerprint,
    FileFingerprint,
    PackageFingerprint,
    SnippetFingerprint,
    TreeFingerprint,
    UrlAnchor,
    fingerprints,
)
from git_knowl.services.evidence_diff import differences
from git_knowl.services.verify import check_unchanged

if TYPE_CHECKING:
    from collections.abc import Iterator

    from git_knowl.model.anchor import Anchor, Fingerprint
    from git_knowl.services.context import Context
    from git_knowl.services.verify import Evidence

_SHORT = 10


class NotReviewedError(KnowlError):
    """Evidence that nobody said they compared."""


def look(ctx: Context, seen: Evidence, question: str, *, looked: bool) -> None:
    """Show the evidence, and ask unless somebody said before that they ``looked``.

    Raises NotReviewedError for a no and where nobody can be asked, MovedError when the files were
    changed in the meantime.
    """
    show_evidence(ctx, seen)
    if looked:
        return
    name = seen.entry.name
    if not (ctx.caller.terminal and can_ask()):
        raise NotReviewedError(
            f"nobody said that the evidence of '{name}' was looked at",
            "compare old and new above, then repeat with --reviewed",
        )
    if not confirm(question):
        raise NotReviewedError(
            f"'{name}' stays as it is",
            "'git knowl edit' changes its text, 'git knowl retire' takes it out",
        )
    check_unchanged(ctx, seen)


def show_evidence(ctx: Context, seen: Evidence) -> None:
    """Say on the side what every anchor was accepted with, what is here, and how files differ."""
    output.talk(f"{seen.entry.name}: {seen.entry.description}")
    for line in evidence_lines(ctx, seen):
        output.talk(line)
    for found in differences(ctx, seen):
        for line in found.text.split("\n"):
            output.talk(line)


def evidence_lines(ctx: Context, seen: Evidence) -> Iterator[str]:
    """Yield what every anchor was accepted with, and what is here."""
    yield f"evidence in {ctx.repo.work_tree or ctx.repo.git_dir}: {seen.verdict.status}"
    digest = seen.entry.digest
    for anchor, verdict in seen.pairs():
        told = verdict.reason or verdict.note
        yield f"  {verdict.status:<7}  {anchor.target}{f': {told}' if told else ''}"
        yield from (f"           accepted  {line}" for line in accepted(anchor, digest))
        found = verdict.found or ("the same" if verdict.status == "active" else "nothing")
        yield f"           here      {found}"


def accepted(anchor: Anchor, digest: str) -> Iterator[str]:
    """Yield the fingerprints that count for a text, each with who took it and when."""
    if isinstance(anchor, UrlAnchor):
        yield f"read at {anchor.verified}, good for {anchor.max_age_days} days"
    for item in accepted_for(fingerprints(anchor), digest):
        state = " (uncommitted)" if getattr(item, "dirty", False) else ""
        yield f"{content(item)}{state} by {stored.named(item.by)} at {stored.time(item.at)}"


def content(item: Fingerprint) -> str:
    """Return in short what a fingerprint was taken of."""
    match item:
        case PackageFingerprint():
            return item.version
        case CommitFingerprint():
            return item.state
        case TreeFingerprint():
            mark = item.digest.rpartition(":")[2][:_SHORT]
            return f"{item.files} file{'' if item.files == 1 else 's'} ({mark})"
        case FileFingerprint():
            return item.blob.rpartition(":")[2][:_SHORT]
        case SnippetFingerprint():
            return item.sha256[:_SHORT]
        case _:
            return item.digest[:_SHORT]
