"""`git knowl add`: a person writes an entry by hand."""

from typing import Any

import click

from git_knowl.errors import KnowlError
from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.editor import edit_until
from git_knowl.interfaces.cli.input import read_text
from git_knowl.interfaces.cli.options import fresh_option, sync_after, tell, tell_older
from git_knowl.interfaces.door import open_context
from git_knowl.model.entry import LANES, TYPES, Source
from git_knowl.services.add import (
    Added,
    Plan,
    add,
    check_name,
    find_flag,
    lend,
    with_body,
    with_older,
)
from git_knowl.services.compose import Text
from git_knowl.services.context import Context
from git_knowl.services.personal_add import add_personal
from git_knowl.services.personal_store import PERSONAL, open_personal, reach


class NoBodyError(KnowlError):
    """No text, and nobody to write one in an editor."""


@click.command()
@click.option("--name", required=True, help="Name in kebab-case, unique among live entries.")
@click.option("--type", "type_", type=click.Choice(TYPES), required=True, help="Kind of entry.")
@click.option("-d", "--description", required=True, help="One line: when to open the entry.")
@click.option("-a", "--anchor", "anchors", multiple=True, help="Evidence (can be repeated).")
@click.option("--source", help="Who or what vouches for it, in their words.")
@click.option("--body", metavar="FILE|-", help="Where the text is; without it the editor opens.")
@click.option(
    "--lane", type=click.Choice((*LANES, PERSONAL)), help="Lane; feedback starts in 'local'."
)
@click.option("--tag", "tags", multiple=True, help="Tag (can be repeated).")
@click.option("--supersedes", "older", multiple=True, metavar="NAME",
              help="Entry in whose place this one stands (can be repeated).")  # fmt: skip
@click.option("--from-flag", "flag", metavar="ID", help="Flag this settles; lends paths and quote.")
@click.option("--reviewer", metavar="'NAME <MAIL>'", help="Who vouches for the text.")
@click.option("-e", "--edit", is_flag=True, help="Open the editor on the text first.")
@fresh_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(**options: Any) -> None:
    """Write an entry by hand.

    In a terminal the entry is live at once. Without a terminal it needs --reviewer; without both it
    becomes a draft that a person reviews. Prints the id of the entry.

    With --lane personal it goes into the store that knowl.personal names, and is valid in every
    repository; it rests on pages and packages, or on what somebody said.

    An entry that --supersedes names stays live and is found on request only: 'search --retired',
    'show' and 'ls' tell of it.

    An anchor is file:PATH, symbol:PATH#QUALIFIED.NAME, snippet:PATH:FROM-TO, tree:PATHSPEC,
    package:TYPE/NAME[!LOCKFILE] such as package:npm/@scope/x, url:[DAYSd:]URL such as
    url:30d:https://example.org/api, commit:REV, or entry:NAME. In the PATH of a symbol # is %23,
    and % is %25.

    Example: git knowl add --name cart-doubles --type project -d "Read before touching discounts"
    -a file:lib/cart.ts --body note.md
    """
    if options["flag"] and options["lane"] == PERSONAL:
        raise click.UsageError("--from-flag settles a flag of this repository, by an entry of it")
    ctx = open_context()
    plan = plan_of(ctx, options)
    for note in plan.notes:
        output.talk(f"note: {note}")
    done = store(ctx, plan, options)
    show(ctx, done, plan, as_json=options["as_json"])


def plan_of(ctx: Context, options: dict[str, Any]) -> Plan:
    """Return what the options ask for, a flag lending what they leave out."""
    source = options["source"]
    text = Text(
        name=options["name"],
        description=options["description"],
        type=options["type_"],
        body=read_text(options["body"]) if options["body"] else "",
        anchors=options["anchors"],
        source=Source("quote", quote=source) if source else None,
        supersedes=options["older"],
        tags=options["tags"],
    )
    plan = Plan(text, options["lane"], options["reviewer"])
    return lend(ctx, plan, find_flag(ctx, options["flag"])) if options["flag"] else plan


def store(ctx: Context, plan: Plan, options: dict[str, Any]) -> Added:
    """Store the entry, with the body from the editor where none was given or it was asked for."""
    put = add_personal if plan.lane == PERSONAL else add
    if options["body"] and not options["edit"]:
        return put(ctx, plan)
    asks_nobody = ctx.caller.host or not ctx.caller.terminal
    if asks_nobody and not options["edit"]:
        raise NoBodyError("body: expected a text, got nothing", "name it with --body FILE|-")
    check_name(ctx, plan.text.name)
    plan = with_older(open_personal(ctx) if plan.lane == PERSONAL else ctx, plan)
    start = plan.text.body or (f"{plan.flag.summary}\n" if plan.flag else "")
    return edit_until(
        ctx.repo,
        f"add-{plan.text.name}",
        start,
        lambda body: put(ctx, with_body(plan, body)),
        fresh=options["fresh"],
    )


def show(ctx: Context, done: Added, plan: Plan, *, as_json: bool) -> None:
    """Print the id, and on the side what a person should know."""
    name = plan.text.name
    tell(done.warnings, done.redacted)
    if done.live and plan.lane != PERSONAL:
        sync_after(ctx)
    output.notices(ctx.repo)
    if done.known:
        output.talk(f"note: the same text for '{name}' was proposed before: {done.note}")
    elif not done.live:
        output.talk(f"note: '{name}' is a draft: 'git knowl review' makes it live")
    if done.older:
        personal = plan.lane == PERSONAL
        tell_older(done.older, *([reach(open_personal(ctx))] if personal else ()))
    if as_json:
        output.emit_json({"ok": True, "ids": [done.id], "id": done.id, "live": done.live})
    else:
        output.emit(done.id)
