"""`git knowl update`: propose a new text for an entry."""

import click

from git_knowl.interfaces.cli.commands.capture import show_submitted
from git_knowl.interfaces.cli.input import read_json
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.door import open_context
from git_knowl.services.submit import submit_update


@click.command()
@click.argument("name")
@click.option("--submit", "source", metavar="FILE|-", required=True, help="Where the payload is.")
@json_option
def command(name: str, source: str, *, as_json: bool) -> None:
    """Propose a new text for an entry.

    The payload is {"expected": DIGEST, "entry": {…}}; what 'entry' leaves out stays as it is, and
    DIGEST is what 'git knowl show NAME --json' gives. It becomes a draft that a person reviews.

    Example: git knowl update cart-doubles --submit payload.json
    """
    ctx = open_context()
    show_submitted(ctx, submit_update(ctx, name, read_json(source)), as_json=as_json)
