"""`git knowl index`, as the help shows it; a warm one never comes here."""

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.entry_text import warn_damaged
from git_knowl.interfaces.door import open_context
from git_knowl.services.index_block import index_block
from git_knowl.services.listing import damaged


@click.command()
@click.option("--budget", type=click.IntRange(1), help="Tokens that entry lines may take.")
def command(budget: int | None) -> None:
    """Print the block that tells an agent what is known.

    One line an entry, those that need checking first, within a budget of tokens
    (knowl.indexBudget). The verdicts are those of this worktree now. An empty store prints nothing.

    Example: git knowl index --budget 600
    """
    ctx = open_context()
    click.echo(index_block(ctx, budget), nl=False)
    warn_damaged(damaged(ctx))
    output.notices(ctx.repo)
