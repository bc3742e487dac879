"""A draft as a reviewer reads it: flags, warnings, evidence, and the raw source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.beside import beside
from git_knowl.interfaces.cli.evidence import evidence_lines
from git_knowl.interfaces.cli.inbox_text import places, sent_by, title
from git_knowl.model import stored
from git_knowl.model.draft import Draft
from git_knowl.model.text import for_terminal, unmarked
from git_knowl.services.evidence_diff import differences
from git_knowl.services.standing import differing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from git_knowl.model.entry import Entry
    from git_knowl.model.flag import Flag
    from git_knowl.services.brief import Brief
    from git_knowl.services.context import Context
    from git_knowl.services.verify import Evidence

_RULE = "-" * 72


def show_brief(found: Brief) -> None:
    """Print what a draft came from, what an update changes, and the raw source."""
    for line in head_lines(found):
        output.emit(line)
    if found.diff:
        output.emit()
        output.emit_diff(found.diff)
    if found.draft.kind != "discard":
        output.emit()
        output.emit_text(found.text.rstrip("\n"))
    for other, live in found.older:
        if live and found.draft.entry:
            output.emit()
            output.emit(f"  what '{other.name}' says, beside the text in its place:")
            output.emit()
            output.emit_lines(beside(said(live), said(found.draft.entry)))


def said(entry: Entry) -> str:
    """Return what an entry tells its readers, without what the program keeps of it."""
    return for_terminal(f"{entry.description}\n\n{entry.body}")


def show_evidence(ctx: Context, seen: Evidence) -> None:
    """Print what every anchor was accepted with, what is here, and how the files differ."""
    for line in evidence_lines(ctx, seen):
        output.emit(line)
    for found in differences(ctx, seen):
        output.emit_diff(found.text)


def head_lines(found: Brief) -> Iterator[str]:
    """Yield all that is told about a draft before its text."""
    draft = found.draft
    yield from origin_lines(draft)
    for other, live in found.older:
        yield f"  supersedes: {other.name or other.id}{'' if live else ', which is not live'}"
    for flag in found.flags:
        yield from flag_lines(flag)
    for test, answer in draft.tests.items():
        yield f"  {test}: {answer}"
    if draft.reason:
        yield f"  reason: {draft.reason}"
    for warning in (*draft.warnings, *differing(found.evidence)):
        yield f"  warning: {warning}"
    if found.trouble:
        yield f"  cannot be accepted: {found.trouble.message}"


def origin_lines(draft: Draft) -> Iterator[str]:
    """Yield what a draft is, who proposed it, and where it would be stored."""
    yield _RULE
    yield f"{draft.kind} {title(draft)}"
    yield f"  proposed by {author(draft)} at {draft.at}"
    if draft.sender:
        yield f"  received from {draft.sender}: nobody has checked who that is"
    if draft.kind == "capture":
        yield f"  lane: {draft.lane}"


def author(draft: Draft) -> str:
    """Return who wrote a draft, and in which agent host."""
    by = stored.named(draft.by)
    return f"{by} ({stored.host(draft.host)})" if draft.host else by


def flag_lines(flag: Flag) -> Iterator[str]:
    """Yield a flag with its paths and the words that somebody used."""
    cue = f" [{flag.cue}]" if flag.cue else ""
    yield f"  flag: {unmarked(flag.summary)}{places(flag)}{cue}{sent_by(flag)}"
    for line in (flag.quote or "").splitlines():
        yield f"    > {line}"
