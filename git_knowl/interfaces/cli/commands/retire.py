"""`git knowl retire`: take an entry out, with a reason."""

import click

from git_knowl.interfaces.cli.options import json_option, reviewer_option, tell_redacted, written
from git_knowl.interfaces.door import open_context
from git_knowl.services.retire import retire


@click.command()
@click.argument("name")
@click.option("--reason", required=True, help="What makes it false or of no use.")
@reviewer_option
@json_option
def command(name: str, reason: str, reviewer: str | None, *, as_json: bool) -> None:
    """Take an entry out, with a reason.

    History keeps it, 'git knowl restore' brings it back. An entry whose file is damaged is named by
    the name or id in its path, or by the path itself.

    Example: git knowl retire cart-doubles --reason "the discount moved to the supplier service"
    """
    ctx = open_context()
    done = retire(ctx, name, reason, reviewer)
    tell_redacted(done.redacted)
    written(ctx, [done.id], f"'{done.name}' is retired", as_json=as_json)
