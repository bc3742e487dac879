"""`git knowl status`: what waits and what is suspect."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.inbox_text import tell_expired
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.door import open_context
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from git_knowl.services.context import Context
from git_knowl.services.status import Status, status
from git_knowl.services.status_warm import porcelain as print_counts
from git_knowl.services.sync.owed import Owed, never_asked, owed

NAMED = 5
PERSONAL = "personal"


@click.command()
@click.option("--porcelain", is_flag=True, help="Print 'KEY NUMBER' lines that stay as they are.")
@json_option
def command(*, porcelain: bool, as_json: bool) -> None:
    """Show what waits and what is suspect.

    --porcelain is for prompts: 'flags', 'drafts', 'entries', 'active', 'suspect', 'unknown',
    'unattended', 'damaged' and 'conflicts', each with its number on a line of its own; more may
    follow later. All of them are about this repository; entries of the personal store are told in
    text and JSON.

    Example: git knowl status
    """
    ctx = open_context()
    found = status(ctx)
    tell_expired(found.expired)
    output.notices(ctx.repo)
    if as_json:
        due = (*owed(ctx), *never_asked(ctx))
        lacking = [{"remote": one.remote, "operations": one.operations} for one in due]
        told = {"suspects": list(found.suspects), "owed": lacking, **personal_object(ctx)}
        output.emit_json({"format": 1, **found.counts(), **told})
    elif porcelain:
        output.emit_lines(print_counts(found.counts()).splitlines())
    else:
        shown = (*lines(found), *personal_lines(ctx))
        output.emit_lines((*shown, *owed_lines(owed(ctx)), *new_lines(never_asked(ctx))))


def named(names: Sequence[str]) -> str:
    """Return the first few names, and how many more there are."""
    more = len(names) - NAMED
    return f"{', '.join(names[:NAMED])}{f' and {more} more' if more > 0 else ''}"


def lines(found: Status) -> Iterator[str]:
    """Yield the counts for people, each with the verb that deals with it."""
    told = f"{found.active} active, {found.suspect} suspect, {found.unknown} unknown here"
    yield f"{output.counted(found.entries, 'entry', 'entries')}: {told}"
    if found.suspects:
        yield f"to look at: {named(found.suspects)} (git knowl audit --review)"
    waiting = (
        (found.flags, "flag", "waiting to be written up (git knowl capture)"),
        (found.drafts, "draft", "waiting for a person (git knowl review)"),
        (found.conflicts, "conflict", "for a person to settle (git knowl review)"),
        (found.unattended, "unattended text", "to confirm (git knowl review --confirm)"),
        (found.damaged, "damaged file", "(git knowl ls and git knowl inbox name them)"),
    )
    yield from (f"{output.counted(n, what)} {tail}" for n, what, tail in waiting if n)


def personal_object(ctx: Context) -> dict[str, Any]:
    """Return the key that tells of the personal store, or nothing where none is set."""
    if not ctx.settings.personal:
        return {}
    from git_knowl.services.personal import counts, list_personal, suspects  # for few

    found = list_personal(ctx)
    return {PERSONAL: {**counts(found), "suspects": list(suspects(found))}}


def personal_lines(ctx: Context) -> Iterator[str]:
    """Yield a line about the personal entries, as they are judged here."""
    told = personal_object(ctx).get(PERSONAL)
    if not told or not told["entries"]:
        return
    judged = ", ".join(f"{told[word]} {word}" for word in (ACTIVE, SUSPECT, UNKNOWN))
    yield f"personal: {output.counted(told['entries'], 'entry', 'entries')}: {judged} here"
    if told["suspects"]:
        yield f"to look at: {named(told['suspects'])} (git knowl verify NAME)"


def owed_lines(found: Iterable[Owed]) -> Iterator[str]:
    """Yield a line for each remote that does not have everything."""
    for one in found:
        told = output.counted(one.operations, "operation")
        yield f"{told} not yet at '{one.remote}' (git knowl sync {one.remote})"


def new_lines(found: Sequence[Owed]) -> Iterator[str]:
    """Yield a line for the remote that was never told of the store, or that one is to be chosen."""
    names = [one.remote for one in found]
    if len(names) == 1:
        yield f"never synced with '{names[0]}': git knowl sync {names[0]}"
    elif names:
        told = output.counted(found[0].operations, "operation")
        yield f"{told} at no remote yet (git config knowl.remote NAME): {named(names)}"
