"""`git knowl status`: what waits and what is suspect."""

from collections.abc import Iterable, Iterator

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.inbox_text import tell_expired
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.door import open_context
from git_knowl.services.status import Status, status
from git_knowl.services.status_warm import porcelain as print_counts
from git_knowl.services.sync.owed import Owed, never_asked, owed

NAMED = 5


@click.command()
@click.option("--porcelain", is_flag=True, help="Print 'KEY NUMBER' lines that stay as they are.")
@json_option
def command(*, porcelain: bool, as_json: bool) -> None:
    """Show what waits and what is suspect.

    --porcelain is for prompts: 'flags', 'drafts', 'entries', 'active', 'suspect', 'unknown',
    'unattended', 'damaged' and 'conflicts', each with its number on a line of its own; more may
    follow later.

    Example: git knowl status
    """
    ctx = open_context()
    found = status(ctx)
    tell_expired(found.expired)
    output.notices(ctx.repo)
    if as_json:
        lacking = [{"remote": one.remote, "operations": one.operations} for one in owed(ctx)]
        told = {"suspects": list(found.suspects), "owed": lacking}
        output.emit_json({"format": 1, **found.counts(), **told})
    elif porcelain:
        output.emit_lines(print_counts(found.counts()).splitlines())
    else:
        output.emit_lines((*lines(found), *owed_lines(owed(ctx)), *new_lines(never_asked(ctx))))


def lines(found: Status) -> Iterator[str]:
    """Yield the counts for people, each with the verb that deals with it."""
    told = f"{found.active} active, {found.suspect} suspect, {found.unknown} unknown here"
    yield f"{output.counted(found.entries, 'entry', 'entries')}: {told}"
    if found.suspects:
        more = len(found.suspects) - NAMED
        tail = f" and {more} more" if more > 0 else ""
        yield f"to look at: {', '.join(found.suspects[:NAMED])}{tail} (git knowl audit --review)"
    waiting = (
        (found.flags, "flag", "waiting to be written up (git knowl capture)"),
        (found.drafts, "draft", "waiting for a person (git knowl review)"),
        (found.conflicts, "conflict", "for a person to settle (git knowl review)"),
        (found.unattended, "unattended text", "to confirm (git knowl review --confirm)"),
        (found.damaged, "damaged file", "(git knowl ls and git knowl inbox name them)"),
    )
    yield from (f"{output.counted(n, what)} {tail}" for n, what, tail in waiting if n)


def owed_lines(found: Iterable[Owed]) -> Iterator[str]:
    """Yield a line for each remote that does not have everything."""
    for one in found:
        told = output.counted(one.operations, "operation")
        yield f"{told} not yet at '{one.remote}' (git knowl sync {one.remote})"


def new_lines(remote: str | None) -> Iterator[str]:
    """Yield a line for a remote that was never told of the store."""
    if remote:
        yield f"never synced with '{remote}': git knowl sync"
