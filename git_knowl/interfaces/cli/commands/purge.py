"""`git knowl purge`: take a leaked text out of the store and of its history."""

from collections.abc import Iterable

import click

from git_knowl.errors import KnowlError
from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.ask import ask_line, can_ask
from git_knowl.interfaces.cli.input import read_text
from git_knowl.interfaces.cli.options import json_option, reviewer_option, written
from git_knowl.interfaces.cli.purge_text import found_lines, remaining_lines, replacement_lines
from git_knowl.interfaces.door import open_context
from git_knowl.services.context import Context
from git_knowl.services.gate import require_person
from git_knowl.services.purge.named import find_ids
from git_knowl.services.purge.purge import Order, look, purge
from git_knowl.services.purge.remote import look_at, replace
from git_knowl.services.purged.descent import wanted_known
from git_knowl.services.purged.wanted import PurgeError, Wanted, read_wanted_text

WORD = "purge"


class NotConfirmedError(KnowlError):
    """A purge that nobody confirmed."""


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME|ID]...")
@click.option("--text", metavar="FILE|-", help="Purge this text wherever it stands; - asks for it.")
@click.option("--redact", is_flag=True, help="Keep live texts, with a placeholder in them.")
@click.option("--known", is_flag=True, help="Purge what others purged, as fetched stores say.")
@click.option("--remote", metavar="REMOTE", help="Replace the history of a remote, after a purge.")
@click.option("--dry-run", is_flag=True, help="Show what holds it, and change nothing.")
@click.option("--yes", is_flag=True, help="Ask nothing; needs --reviewer.")
@reviewer_option
@json_option
def command(
    names: tuple[str, ...],
    text: str | None,
    remote: str | None,
    reviewer: str | None,
    *,
    redact: bool,
    known: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Take a leaked text out of the store and of its history.

    An entry, flag or draft goes with all of its versions; with --text only those versions go that
    hold the text, and without names all that do. Live entries leave a tombstone, or stay with
    [REDACTED:PURGED] for the text. History is written anew without what went, in one step, and the
    store remembers digests of it, so that no sync brings it back.

    This clone alone is changed. Where a remote holds it too, sync stops until 'git knowl purge
    --remote REMOTE' has put the history without it there; clones that synced before take it out
    with --known. A person does this in a terminal, after reading what goes and what stays.

    Example: git knowl purge --text - --redact --dry-run
    """
    given = [bool(names or text), known, bool(remote)]
    if sum(given) != 1:
        raise click.UsageError("expected names, --text or both, or --known, or --remote alone")
    if redact and not text:
        raise click.UsageError("--redact goes with --text")
    ctx = open_context()
    if remote:
        purge_remote(ctx, remote, reviewer, dry_run=dry_run, yes=yes, as_json=as_json)
        return
    reviewed = None if dry_run else require_person(ctx, WORD, reviewer)
    wanted = read_known(ctx) if known else read_wanted(ctx, names, text)
    found = look(ctx, wanted, redact=redact)
    show(["this clone holds it:", *found_lines(found), "a purge does not reach this:"])
    show(f"  {line}" for line in remaining_lines(found))
    if reviewed is None:
        return
    confirm("it goes from this clone for good", reviewer, yes=yes)
    done = purge(ctx, Order(wanted, reviewed, redact))
    told = "purged here; the reflogs of the refs it was in are emptied"
    written(ctx, done.ids, told, as_json=as_json)


def purge_remote(
    ctx: Context, name: str, reviewer: str | None, *, dry_run: bool, yes: bool, as_json: bool
) -> None:
    """Replace the history of a remote, once a person has read what becomes of it."""
    reviewed = None if dry_run else require_person(ctx, WORD, reviewer)
    plan = look_at(ctx, name)
    show(replacement_lines(plan))
    if reviewed is None:
        return
    confirm(f"the history at '{name}' is replaced for everybody", reviewer, yes=yes)
    tip = replace(ctx, plan, reviewed)
    written(ctx, (), f"'{name}' shows {tip} now", as_json=as_json)


def read_wanted(ctx: Context, names: Iterable[str], text: str | None) -> Wanted:
    """Return what the command line asks for."""
    ids = frozenset().union(*(find_ids(ctx, name) for name in names))
    return Wanted(ids, read_wanted_text(read_secret(text)) if text else "")


def read_known(ctx: Context) -> Wanted:
    """Return what this clone or a fetched store says was purged; raises PurgeError for nothing."""
    wanted = wanted_known(ctx.store)
    if not wanted.digests:
        raise PurgeError(
            "nothing was purged, as far as this clone and the stores it fetched say",
            "a sync that stopped for it has fetched what the remote says",
        )
    return wanted


def read_secret(source: str) -> str:
    """Return the text in a file; for - a person types it, and nothing shows it."""
    if source == "-" and can_ask():
        return str(click.prompt("the text that leaked", hide_input=True, err=True))
    return read_text(source)


def confirm(words: str, reviewer: str | None, *, yes: bool) -> None:
    """Have the person type the word; raises NotConfirmedError otherwise."""
    if yes and reviewer:
        return
    if yes:
        raise NotConfirmedError(
            "--yes asks nobody, so somebody must answer for it", "add --reviewer 'NAME <MAIL>'"
        )
    if not can_ask():
        raise NotConfirmedError("nothing was changed: nobody confirmed it", "run it in a terminal")
    if ask_line(f"{words}; type '{WORD}' to go on: ") != WORD:
        raise NotConfirmedError("nothing was changed", f"only '{WORD}', typed in full, goes on")


def show(lines: Iterable[str]) -> None:
    """Say some lines to the person."""
    for line in lines:
        output.talk(line)
