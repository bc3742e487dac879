"""`git knowl log`: what happened to the store or to one entry."""

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.cli.views import operation_object
from git_knowl.interfaces.door import open_context
from git_knowl.services.log import entry_log
from git_knowl.services.recording import HOST
from git_knowl.store.history import Operation

#: What plain git wrote went by no door: no trailer of it is believed.
FOREIGN = "not written by git-knowl"


@click.command()
@click.argument("name", required=False)
@click.option("-n", "limit", type=click.IntRange(1), help="So many operations at most.")
@json_option
def command(name: str | None, limit: int | None, *, as_json: bool) -> None:
    """Show the history of the store or of one entry.

    One operation is one commit; 'git log refs/knowl/entries' shows the same. Works for retired
    entries too.

    Example: git knowl log cart-doubles
    """
    ctx = open_context()
    found = entry_log(ctx, name, limit)
    output.notices(ctx.repo)
    if as_json:
        output.emit_json({"format": 1, "operations": [operation_object(one) for one in found]})
        return
    output.page(ctx.repo, "\n".join(line(one) for one in found))
    if not found:
        output.talk("no entry was ever written here")


def line(one: Operation) -> str:
    """Return an operation as one line."""
    told = ", ".join(marks(one))
    tail = f" [{told}]" if told else ""
    return f"{one.commit[:10]} {one.at} {one.subject} ({one.author}){tail}"


def marks(one: Operation) -> list[str]:
    """Return what sets an operation apart from that of a person at a terminal."""
    if not one.op:
        return [FOREIGN]
    return [*(how for how in one.values("Knowl-How") if how != "terminal"), *one.values(HOST)]
