"""`git knowl restore`: bring a retired entry back."""

import click

from git_knowl.interfaces.cli.options import json_option, reviewer_option, written
from git_knowl.interfaces.door import open_context
from git_knowl.services.retire import restore


@click.command()
@click.argument("name")
@reviewer_option
@json_option
def command(name: str, reviewer: str | None, *, as_json: bool) -> None:
    """Bring a retired entry back.

    It comes back as it last was, under its name or, where two had that name, by its id.

    Example: git knowl restore cart-doubles
    """
    ctx = open_context()
    done = restore(ctx, name, reviewer)
    written(ctx, [done.id], f"'{done.name}' is live again", as_json=as_json)
