"""`git knowl move`: another lane for an entry."""

import click

from git_knowl.interfaces.cli.options import json_option, reviewer_option, written
from git_knowl.interfaces.door import open_context
from git_knowl.model.entry import LANES
from git_knowl.services.rename import move


@click.command()
@click.argument("name")
@click.option("--lane", type=click.Choice(LANES), required=True, help="Where it shall be.")
@reviewer_option
@json_option
def command(name: str, lane: str, reviewer: str | None, *, as_json: bool) -> None:
    """Move an entry to the shared or the local lane.

    The local lane never leaves this clone. What was shared before stays in the history of the
    shared lane.

    Example: git knowl move no-full-lint --lane shared
    """
    ctx = open_context()
    done = move(ctx, name, lane, reviewer)
    written(ctx, [done.new.id], f"'{done.new.name}' is in lane '{done.lane}'", as_json=as_json)
