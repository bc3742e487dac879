"""`git knowl undo`: take back the last operation on entries."""

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.options import json_option, reviewer_option, written
from git_knowl.interfaces.door import open_context
from git_knowl.services.undo import undo_last


@click.command()
@reviewer_option
@json_option
def command(reviewer: str | None, *, as_json: bool) -> None:
    """Take back the last operation on entries.

    History only grows: the operation and its undoing both stay in 'git knowl log'. Undoing twice
    brings back what was undone.

    Example: git knowl undo
    """
    ctx = open_context()
    done = undo_last(ctx, reviewer)
    if done.foreign:
        output.talk("note: that commit was not written by git-knowl")
    verb = "redid" if done.again else "undid"
    written(ctx, done.ids, f"{verb} '{done.subject}'", as_json=as_json)
