"""`git knowl notes`: one-line records on commits, made from the history of the store."""

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.door import open_context
from git_knowl.services.notes import project as notes_project


@click.group()
def command() -> None:
    """Keep one line on each commit where something became known.

    That is, where something was captured, verified, retired or suspected. These notes belong to
    this clone and are written by themselves; git log --notes=knowl shows them.

    Example: git knowl notes rebuild
    """


@command.command()
def rebuild() -> int:
    """Make the notes anew from the history of the store.

    Notes on commits that were amended, rebased or cherry-picked go to the commits with the same
    patch. Commits that were squashed into one have no such heir.

    Example: git knowl notes rebuild && git log --notes=knowl
    """
    ctx = open_context()
    done = notes_project.rebuild(ctx)
    output.notices(ctx.repo)
    told = f", {done.followed} of them by patch" if done.followed else ""
    output.talk(f"notes on {output.counted(done.commits, 'commit')}{told}")
    return 0
