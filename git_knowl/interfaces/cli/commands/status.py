"""`git knowl status`: what waits and what is suspect."""

from collections.abc import Iterator

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.inbox_text import tell_expired
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.door import open_context
from git_knowl.services.status import Status, status
from git_knowl.services.status_warm import porcelain as print_counts

NAMED = 5


@click.command()
@click.option("--porcelain", is_flag=True, help="Print 'KEY NUMBER' lines that stay as they are.")
@json_option
def command(*, porcelain: bool, as_json: bool) -> None:
    """Show what waits and what is suspect.

    --porcelain is for prompts: 'flags', 'drafts', 'entries', 'active', 'suspect', 'unknown',
    'unattended' and 'damaged', each with its number on a line of its own; more may follow later.

    Example: git knowl status
    """
    ctx = open_context()
    found = status(ctx)
    tell_expired(found.expired)
    output.notices(ctx.repo)
    if as_json:
        output.emit_json({"format": 1, **found.counts(), "suspects": list(found.suspects)})
    elif porcelain:
        output.emit(print_counts(found.counts()).rstrip("\n"))
    else:
        output.emit("\n".join(lines(found)))


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
        (found.unattended, "unattended text", "to confirm (git knowl review --confirm)"),
        (found.damaged, "damaged file", "(git knowl ls and git knowl inbox name them)"),
    )
    yield from (f"{output.counted(n, what)} {tail}" for n, what, tail in waiting if n)
