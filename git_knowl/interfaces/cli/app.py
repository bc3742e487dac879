"""The command line: a group that loads one verb at a time."""

from __future__ import annotations

import importlib
import os
import sys
from typing import TYPE_CHECKING

import click

from git_knowl import __version__
from git_knowl.interfaces.cli.table import COMMANDS, COMPLETE, SECTIONS
from git_knowl.interfaces.report import say

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM = "git knowl"
INTERRUPTED = 130


class LazyGroup(click.Group):
    """A group whose verbs are listed from the table and imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the verbs in the order of the table."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a verb and return its command."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(
            f"git_knowl.interfaces.cli.commands.{COMMANDS[cmd_name][0]}"
        )
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs by section without importing any."""
        del ctx
        for section, verbs in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(verb, spec[1]) for verb, spec in verbs.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the verb, and offer the nearest one for a misspelt word."""
        word = args[0]
        is_verb = word in COMMANDS or word.startswith("-")
        if not is_verb and not ctx.resilient_parsing:  # a shell that completes wants no error
            from difflib import get_close_matches

            near = get_close_matches(word, list(COMMANDS), n=1)
            offer = f", did you mean '{near[0]}'?" if near else ""
            raise click.UsageError(f"'{word}' is not a git-knowl command{offer}", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Settings are 'git config knowl.*'. The tour: git knowl tour",
)
@click.version_option(__version__, prog_name="git-knowl")
def cli() -> None:
    """Keep what a coding session found out, in this repository and off every branch.

    Entries are reviewed Markdown, visible at once in every worktree, and judged active, suspect or
    unknown against the very files of whoever asks.
    """


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; expected errors pass through as KnowlError.

    Not by click's own ``main``, which answers a closed pipe by itself, with another exit code.
    """
    instruction = os.environ.get(COMPLETE)
    if instruction:
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, PROGRAM, COMPLETE, instruction)
    try:
        with cli.make_context(PROGRAM, list(arguments)) as ctx:
            result = cli.invoke(ctx)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        error.show(sys.stderr)
        return error.exit_code
    except click.ClickException as error:
        return complain(error)
    except click.Abort:
        return INTERRUPTED
    return result if isinstance(result, int) else 0


def complain(error: click.ClickException) -> int:
    """Say what is wrong with a command line, in the form of all our errors."""
    message = error.format_message().rstrip(".")
    say("error", message[:1].lower() + message[1:])
    if isinstance(error, click.UsageError):
        path = error.ctx.command_path if error.ctx else PROGRAM
        say("hint", f"'{path} -h' shows how it is used")
    return error.exit_code
