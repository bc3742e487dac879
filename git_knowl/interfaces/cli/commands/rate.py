"""`git knowl rate`: say whether an entry was useful or wrong."""

import click

from git_knowl.interfaces.cli.options import json_option, tell_redacted, written
from git_knowl.interfaces.door import open_context
from git_knowl.services.rate import JUDGEMENTS, Rated, rate


@click.command()
@click.argument("name")
@click.argument("judgement", type=click.Choice(JUDGEMENTS))
@click.option("--reason", default="", help="What is wrong about it, for whoever looks.")
@json_option
def command(name: str, judgement: str, reason: str, *, as_json: bool) -> None:
    """Say whether an entry was useful or wrong.

    This clone alone counts it. A wrong one is flagged for a person to look at; its text and its
    verdict stay what they are until somebody does.

    Example: git knowl rate cart-doubles wrong --reason "it doubles above five pieces"
    """
    ctx = open_context()
    done = rate(ctx, name, judgement, reason)
    if done.raised:
        tell_redacted(done.raised.redacted)
    written(ctx, ids_of(done), sentence(done, judgement), as_json=as_json)


def ids_of(done: Rated) -> list[str]:
    """Return the entry, and the flag that was raised."""
    return [done.row.id, *([done.raised.flag.id] if done.raised else [])]


def sentence(done: Rated, judgement: str) -> str:
    """Return what was done."""
    raised = f", flag {done.raised.flag.id} waits for a person" if done.raised else ""
    return f"'{done.row.name}' is rated {judgement}{raised}"
