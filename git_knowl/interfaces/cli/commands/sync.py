"""`git knowl sync`: exchange the shared lane with a remote."""

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.ask import can_ask, confirm
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.cli.sync_text import lines, sync_object, talk
from git_knowl.interfaces.door import open_context
from git_knowl.services.context import Context
from git_knowl.services.sync.result import Synced
from git_knowl.services.sync.sync import attempt
from git_knowl.store.merge.join import ForeignProject


@click.command()
@click.argument("remote", required=False)
@click.option("--dry-run", is_flag=True, help="Show what would move, and move nothing.")
@click.option("--pull", is_flag=True, help="Take what the remote has, and send nothing.")
@click.option("--same-project", is_flag=True, help="Join a store that began with other code.")
@json_option
def command(
    remote: str | None, *, dry_run: bool, pull: bool, same_project: bool, as_json: bool
) -> None:
    """Exchange the shared lane with a remote.

    What others captured, changed and retired comes in, entry by entry, what is new here goes out,
    and it counts as sent when the remote shows it. Flags, drafts and the local lane stay here. The
    remote is the one that was named, else knowl.remote, else the only one.

    Nobody is asked for a password: a remote must answer without a question. Texts that two people
    changed in different ways are stored with both sides, 'git knowl review' asks about them.

    Example: git knowl sync --dry-run
    """
    ctx = open_context()
    try:
        done = attempt(ctx, remote, dry_run=dry_run, pull=pull, same_project=same_project)
    except ForeignProject as error:
        if not is_the_same(error):
            raise ForeignProjectHere(error) from error
        done = attempt(ctx, remote, dry_run=dry_run, pull=pull, same_project=True)
    tell(ctx, done, as_json=as_json)
    if done.failed:
        raise done.failed


class ForeignProjectHere(ForeignProject):
    """The same, with the option that joins the two."""

    def __init__(self, error: ForeignProject) -> None:
        super().__init__(error.ours, error.theirs)
        self.hint = (
            "if both are the same project all the same, or somebody changed the list of first"
            " commits there, repeat with --same-project: it keeps those of both, for everybody"
        )


def is_the_same(error: ForeignProject) -> bool:
    """Ask the person at the terminal whether two stores are about one project."""
    if not can_ask():
        return False
    output.talk(error.message)
    return confirm("are both the same project")


def tell(ctx: Context, done: Synced, *, as_json: bool) -> None:
    """Print what went both ways, entry by entry, and in one line what others did."""
    if as_json:
        output.notices(ctx.repo)
        output.emit_json(sync_object(done))
        return
    for line in lines(done):
        output.emit(line)
    output.notices(ctx.repo)
    for line in talk(done):
        output.talk(line)
