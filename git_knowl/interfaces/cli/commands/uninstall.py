"""`git knowl uninstall`: remove what was set up here."""

import click

from git_knowl.errors import KnowlError
from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.agent_homes import homes
from git_knowl.interfaces.door import open_context
from git_knowl.services.setup import uninstall

WORD = "delete"


class NotConfirmedError(KnowlError):
    """A deletion that nobody confirmed."""


@click.command()
@click.option("--knowledge", is_flag=True, help="Delete flags, drafts and entries of this clone.")
def command(*, knowledge: bool) -> None:
    """Remove what init and agent install set up; knowledge stays until you say so.

    Settings of agents come back byte by byte, in every worktree; what is committed of it stays.
    With --knowledge, after asking in a terminal, the refs of the store in this clone go too. What
    was shared stays where it was sent, and texts you left unfinished stay where they are.

    Example: git knowl uninstall
    """
    ctx = open_context()
    if knowledge:
        confirm(terminal=ctx.caller.terminal and not ctx.caller.host)
    done = uninstall(ctx, homes(), knowledge=knowledge).done
    for sentence in done or ("there is nothing to remove",):
        output.talk(sentence)


def confirm(*, terminal: bool) -> None:
    """Have the person type a word; raise NotConfirmedError otherwise."""
    if not terminal:
        raise NotConfirmedError(
            "deleting knowledge is confirmed by a person in a terminal", "run it in one"
        )
    question = f"all knowledge of this clone goes; type '{WORD}' to go on"
    if click.prompt(question, default="", show_default=False, err=True) != WORD:
        raise NotConfirmedError("nothing was deleted", f"only '{WORD}', typed in full, deletes it")
