"""`git knowl ls`: entries with their verdict in this worktree."""

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.entry_text import NO_ENTRY, entry_lines, warn_damaged
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.cli.views import listing_object
from git_knowl.interfaces.door import open_context
from git_knowl.model.entry import TYPES
from git_knowl.model.status import STATUSES
from git_knowl.model.tiers import TIERS
from git_knowl.services.context import Context
from git_knowl.services.listing import Listing, list_all
from git_knowl.services.select import Filter, select


@click.command()
@click.option("--type", "type_", type=click.Choice(TYPES), help="Only entries of this type.")
@click.option("--status", type=click.Choice(STATUSES), help="Only entries with this verdict here.")
@click.option("--path", help="Only entries resting on this file, or on anything in this folder.")
@click.option("--tier", type=click.Choice(TIERS), help="Only entries that were reviewed like this.")
@json_option
def command(
    type_: str | None, status: str | None, path: str | None, tier: str | None, *, as_json: bool
) -> None:
    """List entries with their verdict in this worktree.

    A tier is 'here' for what was reviewed in this clone, 'signed' for what came reviewed from
    elsewhere by a commit that an allowed key signed, 'others' for what came without, 'unattended'
    for what no person at a terminal has confirmed.

    Example: git knowl ls --status suspect
    """
    ctx = open_context()
    every = list_every(ctx)
    found = select(every, ctx, Filter(type_, status, path, tier))
    output.notices(ctx.repo)
    if as_json:
        output.emit_json(listing_object(found))
        return
    warn_damaged(found.damaged)
    output.page(ctx.repo, entry_lines(found.entries))
    if every.entries and not found.entries:
        output.talk("no entry is like that; 'git knowl ls' lists all")
    elif not (every.entries or every.damaged):
        output.talk(NO_ENTRY)


def list_every(ctx: Context) -> Listing:
    """Return the entries of the repository, and the personal ones where there are any."""
    if not ctx.settings.personal:
        return list_all(ctx)
    from git_knowl.services.personal import with_personal

    return with_personal(ctx, list_all(ctx))
