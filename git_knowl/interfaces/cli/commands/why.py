"""`git knowl why`: the entries that rest on a file or line."""

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.entry_text import entry_lines, warn_damaged
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.cli.views import listing_object
from git_knowl.interfaces.door import open_context
from git_knowl.services.use import note_shown
from git_knowl.services.why import why


@click.command()
@click.argument("path", metavar="PATH[:LINE]")
@json_option
def command(path: str, *, as_json: bool) -> None:
    """List the entries that rest on a file.

    A folder stands for everything below it. A line is taken and does not narrow the answer as long
    as anchors name whole files.

    Example: git knowl why lib/cart.ts
    """
    ctx = open_context()
    found = why(ctx, path)
    note_shown(ctx, [one.row.id for one in found.entries])
    output.notices(ctx.repo)
    if as_json:
        output.emit_json(listing_object(found))
        return
    warn_damaged(found.damaged)
    output.page(ctx.repo, entry_lines(found.entries))
    if not found.entries:
        output.talk(f"no entry rests on '{path}'")
