"""`git knowl log`: what happened to the store or to one entry."""

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.cli.signature_text import signed_by
from git_knowl.interfaces.cli.views import operation_object, signature_object
from git_knowl.interfaces.door import open_context
from git_knowl.model import stored
from git_knowl.plumbing.signing import Signature
from git_knowl.services.gate import TERMINAL
from git_knowl.services.log import entry_log
from git_knowl.services.recording import HOST
from git_knowl.services.sync.since import only_since
from git_knowl.services.trust.told import signatures_of
from git_knowl.store.history import Operation

#: What plain git wrote went by no door: no trailer of it is believed.
FOREIGN = "not written by git-knowl"


@click.command()
@click.argument("name", required=False)
@click.option("-n", "limit", type=click.IntRange(1), help="So many operations at most.")
@click.option("--since-last", is_flag=True, help="What the last sync brought, and all since then.")
@json_option
def command(name: str | None, limit: int | None, *, since_last: bool, as_json: bool) -> None:
    """Show the history of the store or of one entry.

    One operation is one commit; 'git log refs/knowl/entries' shows the same. Works for retired
    entries too.

    Example: git knowl log cart-doubles
    """
    ctx = open_context()
    found = entry_log(ctx, name, None if since_last else limit)
    if since_last:
        found = only_since(ctx, found)[:limit]
    signed = signatures_of(ctx, found)
    output.notices(ctx.repo)
    if as_json:
        told = [
            {**operation_object(one), "signature": signature_object(signed.get(one.commit))}
            for one in found
        ]
        output.emit_json({"format": 1, "operations": told})
        return
    output.page(ctx.repo, [line(one, signed.get(one.commit)) for one in found])
    if not found:
        output.talk("no entry was ever written here")


def line(one: Operation, signature: Signature | None) -> str:
    """Return an operation as one line; nothing that the commit says can pass for its marks."""
    told = ", ".join([*marks(one), *signed_by(signature)])
    tail = f" [{told}]" if told else ""
    subject, author = stored.braced(one.subject), stored.braced(one.author)
    return f"{one.commit[:10]} {one.at} {subject} ({author}){tail}"


def marks(one: Operation) -> list[str]:
    """Return what sets an operation apart from that of a person at a terminal."""
    if not one.op:
        return [FOREIGN]
    doors = (stored.door(how) for how in one.values("Knowl-How") if how != TERMINAL)
    return [*doors, *map(stored.host, one.values(HOST))]
