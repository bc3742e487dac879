"""Entries as people read them: one line each, or anchor by anchor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_knowl.interfaces.cli import output
from git_knowl.model import stored
from git_knowl.model.entry import SHARED
from git_knowl.model.status import ACTIVE
from git_knowl.model.text import unmarked
from git_knowl.model.tiers import HERE, UNTRUSTED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from git_knowl.model.verdict import AnchorVerdict
    from git_knowl.services.listing import Damaged, Listed

INDENT = " " * 9
#: The way out of what a newer program wrote.
UPGRADE = "upgrade git-knowl"
#: What is said on the side where there is nothing to list at all.
NO_ENTRY = "no entry yet: 'git knowl flag' bookmarks a finding, 'git knowl inbox' lists what waits"
#: So many letters of a commit tell it from others, here and in the reasons.
SHORT = 10


def entry_lines(entries: Iterable[Listed]) -> list[str]:
    """Return one line an entry: verdict, type, name, and when to read it."""
    return output.columns(entry_row(one) for one in entries)


def entry_row(one: Listed) -> tuple[str, ...]:
    """Return the columns of an entry; what is out of the ordinary stands in brackets at the end."""
    row = one.row
    told = (
        (UNTRUSTED, one.untrusted),
        (one.tier, one.tier != HERE),
        (row.lane, row.lane != SHARED),
        ("conflict", row.conflict),
        (superseded(one), one.superseded_by),
    )
    marks = ", ".join(word for word, holds in told if holds)
    tail = f" [{marks}]" if marks else ""
    return (one.verdict.status, row.type, row.name, f"{unmarked(row.description)}{tail}")


def superseded(one: Listed) -> str:
    """Return which entry stands in the place of one, "" for none."""
    return f"superseded by {one.superseded_by.name}" if one.superseded_by else ""


def anchor_lines(anchors: Iterable[AnchorVerdict], *, telling: bool = False) -> Iterator[str]:
    """Yield every anchor with what there is to say; ``telling`` leaves out silent ones."""
    for anchor in anchors:
        said = list(said_of(anchor))
        if said or not telling:
            yield f"{anchor.status:<7}  {anchor.target}"
            yield from (f"{INDENT}{line}" for line in said)


def said_of(anchor: AnchorVerdict) -> Iterator[str]:
    """Yield what speaks against an anchor, where it went, and what else a reader should know."""
    reason, note = anchor.reason or "", anchor.note or ""
    commit = (anchor.commit or "")[:SHORT]
    if reason:
        named = "" if commit in reason else f"{commit} "
        yield f"{reason} ({named}by {stored.named(anchor.author)})" if anchor.author else reason
    if anchor.moved_to and anchor.moved_to not in note:
        yield f"moved to {anchor.moved_to}"
    if note:
        yield note


def says_something(one: Listed) -> bool:
    """Tell whether an audit has something to tell of an entry."""
    return one.verdict.status != ACTIVE or any(any(said_of(a)) for a in one.verdict.anchors)


def warning_of(one: Damaged) -> str:
    """Return what there is to say of a file that cannot be read."""
    what = "" if one.is_newer else f"cannot read {one.path} in "
    return f"{what}lane {one.lane}: {one.error}"


def warn_damaged(damaged: Iterable[Damaged]) -> None:
    """Say on the side what could not be read, and the ways out.

    In a lane of a newer program what this one cannot read need not be damaged.
    """
    found = list(damaged)
    newer = {one.lane for one in found if one.is_newer}
    output.warn_few([warning_of(one) for one in sorted(found, key=lambda one: not one.is_newer)])
    if newer:
        output.talk(f"hint: {UPGRADE}")
    if any(one.lane not in newer for one in found):
        output.talk(
            "hint: 'git knowl undo' takes the last operation back, 'git knowl retire PATH --reason"
            " TEXT' takes a damaged file out; history keeps it"
        )
