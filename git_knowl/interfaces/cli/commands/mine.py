"""`git knowl mine`: flags out of an old history."""

from __future__ import annotations

import sys

import click

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.inbox_text import places
from git_knowl.interfaces.cli.options import json_option
from git_knowl.interfaces.door import open_context
from git_knowl.services.mining.mine import Mined, Progress, mine

WIDTH = 30


@click.command()
@click.option("--since", metavar="DATE", help="Since then only: a day, or '2 weeks ago'.")
@click.option("-n", "count", default=10, show_default=True, help="How many flags to make at most.")
@click.option("--dry-run", "dry", is_flag=True, help="Show what would be flagged.")
@json_option
def command(since: str | None, count: int, *, dry: bool, as_json: bool) -> None:
    """Flag the findings of an old history.

    Reads commit messages that say why, reverts with a reason, files that were fixed again and
    again, and comments that call the code a workaround; ranks them and flags the best. Called
    again it proposes the next ones; interrupted, it goes on where it stood.

    DATE is a day or moment as 2026-01-31 or 2026-01-31T10:00:00Z, 'yesterday', or a number of
    minutes to years ago; it limits comments too, by the commit that wrote them.

    Example: git knowl mine --since 2024-01-01 -n 5
    """
    ctx = open_context()
    done = mine(ctx, since, count, progress(), dry=dry)
    if as_json:
        output.emit_json({"ok": True, "ids": [flag.id for flag in done.flags]})
        return
    for line in output.columns((flag.id, f"{flag.summary}{places(flag)}") for flag in done.flags):
        output.emit(line)
    output.talk(told(done, dry=dry))


def told(done: Mined, *, dry: bool) -> str:
    """Return what was read and made, and what is left for the next time."""
    made = output.counted(len(done.flags), "flag")
    rest = f"; {done.left} more for the next time" if done.left else ""
    what = "would make" if dry else "made"
    return f"read {output.counted(done.read, 'commit')}, {what} {made}{rest}"


def progress() -> Progress:
    """Return a bar on standard error where that is a terminal, and silence elsewhere."""
    if not sys.stderr.isatty():
        return lambda *_: None

    def show(done: int, total: int) -> None:
        filled = WIDTH * done // max(total, 1)
        end = "\n" if done >= total else ""
        bar = "#" * filled + "." * (WIDTH - filled)
        click.echo(f"\rreading commits [{bar}] {done}/{total}{end}", err=True, nl=False)

    return show
