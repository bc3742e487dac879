"""Flags and drafts as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.entry_text import UPGRADE
from git_knowl.model.stored import braced
from git_knowl.model.text import unmarked
from git_knowl.store.layout import FORMAT_FILE

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from git_knowl.model.draft import Draft
    from git_knowl.model.flag import Flag
    from git_knowl.store.inbox import Inbox
    from git_knowl.store.records import Damaged


def inbox_lines(inbox: Inbox) -> Iterator[str]:
    """Yield the lines of `git knowl inbox`: drafts first, for they wait for a person."""
    if inbox.drafts:
        yield f"drafts ({len(inbox.drafts)}):"
        yield from draft_lines(inbox.drafts)
    if inbox.flags:
        waiting = {draft.id for draft in inbox.drafts}
        yield f"flags ({len(inbox.flags)}):"
        yield from output.columns(flag_row(flag, waiting) for flag in inbox.flags)


def draft_lines(drafts: Sequence[Draft]) -> list[str]:
    """Return one line a draft, columns aligned."""
    return output.columns(draft_row(draft) for draft in drafts)


def draft_row(draft: Draft) -> tuple[str, ...]:
    """Return the columns of a draft."""
    if draft.kind == "discard":
        told = f"{title(draft)}: {draft.reason}{sent_by(draft)}"
        return (f"  {draft.id}", draft.kind, told)
    marks = [count(len(draft.flags), "flag"), count(len(draft.warnings), "warning")]
    marks += [draft.lane] if draft.entry is not None else []
    told = f" ({', '.join(mark for mark in marks if mark)})" if any(marks) else ""
    return (f"  {draft.id}", draft.kind, f"{title(draft)}{told}{sent_by(draft)}")


def title(draft: Draft) -> str:
    """Return what a draft is about, in a few words."""
    if draft.name:
        return draft.name
    if draft.guideline:
        return str(draft.guideline.get("file") or "the guidelines")
    return count(len(draft.flags), "flag")


def flag_row(flag: Flag, waiting: Container[str | None] = ()) -> tuple[str, ...]:
    """Return the columns of a flag; one that a waiting draft was made of says so."""
    outcome = "drafted" if flag.is_pending and flag.draft in waiting else flag.outcome
    return (f"  {flag.id}", outcome, f"{unmarked(flag.summary)}{places(flag)}{sent_by(flag)}")


def sent_by(one: Flag | Draft) -> str:
    """Return where something was received from in brackets, or nothing."""
    return f" [from {braced(one.sender)}]" if one.sender else ""


def places(flag: Flag) -> str:
    """Return the paths of a flag in parentheses, or nothing."""
    paths = ", ".join(item.path for item in flag.paths)
    return f" ({paths})" if paths else ""


def count(number: int, what: str) -> str:
    """Return ``2 flags``; nothing for none."""
    return f"{number} {what}{'' if number == 1 else 's'}" if number else ""


def tell_expired(flags: Sequence[Flag]) -> None:
    """Say once which flags have expired, since nobody will be asked about them again."""
    for flag in flags:
        output.talk(f"note: a flag expired unused: {flag.summary}{places(flag)}")


def warning_of(one: Damaged) -> str:
    """Return what there is to say of a record that cannot be read."""
    what = "the inbox" if one.path == FORMAT_FILE else f"cannot read {one.path}"
    return f"{what}: {one.error}"


def tell_damaged(inbox: Inbox) -> None:
    """Say which records of the inbox cannot be read, and the way out."""
    is_newer = any(one.path == FORMAT_FILE for one in inbox.damaged)
    output.warn_few([warning_of(one) for one in inbox.damaged])
    if is_newer:
        output.talk(f"hint: {UPGRADE}")
    elif inbox.damaged:
        output.talk("hint: 'git knowl inbox drop' takes one away, by its id or this path")
