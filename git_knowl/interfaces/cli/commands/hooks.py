"""`git knowl hooks`: put the git hooks in, take them out, say what fires where."""

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.hooks_text import (
    advice_lines,
    program,
    spot_lines,
    spot_object,
    tell,
)
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.door import open_context
from git_knowl.interfaces.hooks import run as door
from git_knowl.plumbing.hooks import EVENTS
from git_knowl.services.hooks import install as hooks
from git_knowl.services.hooks.look import look

SILENT = 1


@click.group()
def command() -> None:
    """Put the git hooks in, take them out, say what fires where.

    They tell after a commit, checkout, merge or rewrite what became suspect. Nothing depends on
    them: every verdict is right without.

    Example: git knowl hooks status
    """


@command.command()
@click.option("--outside", is_flag=True,
              help="Write into a hooks folder outside of this repository too.")  # fmt: skip
def install(*, outside: bool) -> int:
    """Have git run us, beside whatever hooks there are.

    Prints the lines for a hook manager, whose files are never edited. The exit code is 1 when an
    event is left at which nothing fires.

    Example: git knowl hooks install
    """
    done = hooks.install(open_context().repo, program(), outside=outside)
    tell(done)
    for advice in done.advice:
        output.emit_lines(advice_lines(advice))
    return SILENT if done.silent else 0


@command.command()
@click.option("--outside", is_flag=True,
              help="Take them out of a hooks folder outside of this repository too.")  # fmt: skip
def uninstall(*, outside: bool) -> None:
    """Take the hooks out again, every other byte left as it was.

    In a hooks folder outside of this repository they stay, since others may run them, unless
    --outside is given.

    Example: git knowl hooks uninstall
    """
    done = hooks.uninstall(open_context().repo, outside=outside)
    for sentence in done or ("no hooks are installed",):
        output.talk(sentence)


@command.command()
@json_option
def status(*, as_json: bool) -> None:
    """Say what fires where, in every worktree.

    Example: git knowl hooks status
    """
    ctx = open_context()
    ctx.repo.require_work_tree()
    spots = look(ctx.repo)
    if as_json:
        output.emit_json({"format": 1, "hooks": [spot_object(spot) for spot in spots]})
    else:
        output.emit_lines(spot_lines(spots))


@command.command(context_settings={"ignore_unknown_options": True})
@click.argument("event", type=click.Choice(EVENTS))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def run(event: str, arguments: tuple[str, ...]) -> None:
    """Do what a hook does at an event; never fails.

    Example: git knowl hooks run post-commit
    """
    door.run((event, *arguments))
