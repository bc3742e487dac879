"""`git knowl rename`: another name for an entry."""

import click

from git_knowl.interfaces.cli.options import json_option, reviewer_option, written
from git_knowl.interfaces.door import open_context
from git_knowl.services.rename import rename


@click.command()
@click.argument("old")
@click.argument("new")
@reviewer_option
@json_option
def command(old: str, new: str, reviewer: str | None, *, as_json: bool) -> None:
    """Give an entry another name.

    What it says and rests on stays; links go by id and stay right.

    Example: git knowl rename cart-doubles cart-discount-doubles
    """
    ctx = open_context()
    done = rename(ctx, old, new, reviewer)
    written(ctx, [done.new.id], f"'{done.old.name}' is now '{done.new.name}'", as_json=as_json)
