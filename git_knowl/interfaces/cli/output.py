"""How the command line prints: data on stdout, talk on stderr, colour only on a terminal."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from git_knowl.model.text import BLANK, for_terminal
from git_knowl.plumbing import config
from git_knowl.plumbing.pager import feed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from git_knowl.plumbing.repository import Repository

#: Stands before every line of a text that is quoted.
QUOTED = " " * 4
#: So many files that cannot be read are named; a store can be made to hold thousands.
MOST_WARNINGS = 5
DIFF_COLOURS = {"+": "green", "-": "red", "@": "cyan"}
COLOURS = {ACTIVE: "green", SUSPECT: "yellow", UNKNOWN: "bright_black"}


def emit_json(value: dict[str, Any]) -> None:
    """Print one JSON object on one line; text is ASCII, so that it survives any encoding."""
    click.echo(json.dumps(value))


def emit(line: str = "") -> None:
    """Print one line of data, with what a terminal obeys or hides made visible.

    Nothing of a foreign text begins a line of its own; one of many lines takes `emit_text`.
    """
    click.echo(visible([line]))


def emit_lines(lines: Iterable[str]) -> None:
    """Print lines of data, if there are any."""
    for line in lines:
        emit(line)


def emit_text(text: str) -> None:
    """Print a text of many lines, such as a document, set off from what the program says.

    None of its lines can be taken for a heading, a verdict or a question of ours.
    """
    emit_lines(f"{QUOTED}{line}".rstrip() for line in text.split("\n"))


def visible(lines: Iterable[str]) -> str:
    """Return lines as a terminal may see them, with the verdict that begins one coloured."""
    return "\n".join(_painted(one_line(line)) for line in lines)


def one_line(text: str) -> str:
    """Return a text as one line for a terminal; its tabs stay."""
    return for_terminal(text).replace("\n", r"\x0a").replace(BLANK, r"\u2800")


def _painted(line: str) -> str:
    word = line.partition(" ")[0]
    if word not in COLOURS or not coloured():
        return line
    return click.style(word, fg=COLOURS[word]) + line[len(word) :]


def emit_diff(text: str) -> None:
    """Print a unified diff, in git's colours where the terminal takes colour."""
    for line in text.splitlines():
        colour = DIFF_COLOURS.get(line[:1]) if coloured() else None
        click.echo(click.style(for_terminal(line), fg=colour) if colour else for_terminal(line))


def talk(text: str) -> None:
    """Say one line to the person without mixing it into the data; nothing quoted can begin one."""
    click.echo(one_line(text), err=True)


def warn_few(told: Sequence[str]) -> None:
    """Say what is wrong, a line each: the first of many, and where the rest is told."""
    for one in told[:MOST_WARNINGS]:
        talk(f"warning: {one}")
    more = len(told) - MOST_WARNINGS
    if more > 0:
        talk(f"warning: and {more} more (git knowl doctor)")


def talk_text(text: str) -> None:
    """Say a text of many lines, set off from what the program says."""
    talk("")
    for line in text.split("\n"):
        talk(f"{QUOTED}{line}".rstrip())


def notices(repo: Repository) -> None:
    """Say what a person must be told although the work went on."""
    for notice in repo.notices:
        talk(f"note: {notice}")
    repo.notices.clear()


def coloured() -> bool:
    """Tell whether standard output is a terminal whose user did not turn colour off."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and sys.stdout.isatty()


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: ``1 entry``, ``2 files``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def columns(rows: Iterable[tuple[str, ...]], widest: int | None = None) -> list[str]:
    """Align the columns of plain text rows, a line each; the last one is left ragged.

    A cell longer than ``widest`` makes no other line longer.
    """
    table = [tuple(for_terminal(cell, single_line=True) for cell in row) for row in rows]
    if not table:
        return []
    lengths = [max(len(row[i]) for row in table) for i in range(len(table[0]) - 1)]
    widths = [min(one, widest or one) for one in lengths]
    return [
        "  ".join(
            [*(cell.ljust(w) for cell, w in zip(row, widths, strict=False)), row[-1]]
        ).rstrip()
        for row in table
    ]


def page(repo: Repository, lines: Iterable[str]) -> None:
    """Print lines through git's pager on a terminal, plainly elsewhere; none prints nothing."""
    text = visible(lines)
    if not text:
        return
    command = config.pager(repo) if sys.stdout.isatty() else ""
    if command in ("", "cat"):
        click.echo(text)
    else:
        sys.stdout.flush()
        feed(command, f"{text}\n".encode("utf-8", "replace"), os.environ)
