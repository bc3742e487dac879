"""`git knowl migrate`: raise the format of the store."""

import click

from git_knowl.errors import KnowlError
from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.ask import can_ask, confirm
from git_knowl.interfaces.cli.options import json_option, reviewer_option, written
from git_knowl.interfaces.door import open_context
from git_knowl.services.gate import require_person
from git_knowl.services.migrate import Step, migrate, plan

FEW = 20
LATER = "once it is raised, older programs read the store as far as they can and write it no more"


class NotConfirmedError(KnowlError):
    """A migration that nobody confirmed."""


@click.command()
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@reviewer_option
@json_option
def command(reviewer: str | None, *, dry_run: bool, as_json: bool) -> None:
    """Raise the format of the store, after a look at what changes.

    A store of an older format is read as ever; it is written again once its format is raised. That
    is one operation, in the name of a person. Older programs keep reading what they know of a newer
    format, and refuse to write it.

    Example: git knowl migrate --dry-run
    """
    ctx = open_context()
    steps = plan(ctx)
    if not steps:
        written(ctx, (), "the store has the newest format this program knows", as_json=as_json)
        return
    for step in steps:
        show(step)
    if dry_run:
        return
    reviewed = require_person(ctx, "migrate", reviewer)
    output.talk(LATER)
    if can_ask() and not confirm("raise the format"):
        raise NotConfirmedError("nothing was changed", "'git knowl migrate' asks again")
    migrate(ctx, steps, reviewed)
    written(ctx, (), f"the store has format {steps[-1].after} now", as_json=as_json)


def show(step: Step) -> None:
    """Say what becomes of a ref, and of the first of its files."""
    output.talk(f"{step.ref}: format {step.before} becomes format {step.after}")
    for path, what in step.files[:FEW]:
        output.talk(f"  {what} {path}")
    if len(step.files) > FEW:
        output.talk(f"  and {len(step.files) - FEW} more files")
