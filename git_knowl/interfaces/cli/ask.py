"""Questions to the person at the terminal, answered by a letter as in ``git add -p``."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from git_knowl.interfaces.cli import output

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HELP = "?"


def can_ask() -> bool:
    """Tell whether a person reads the questions and types the answers."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def ask(question: str, keys: Mapping[str, str]) -> str | None:
    """Return the key the person chose; None when the input ends.

    ``keys`` tells what each one does; ``?`` and everything else shows that and asks again.
    """
    while True:
        answer = ask_line(f"{question} [{','.join((*keys, HELP))}]? ")
        if answer is None or answer in keys:
            return answer
        for key, meaning in keys.items():
            output.talk(f"{key} - {meaning}")


def ask_line(prompt: str) -> str | None:
    """Return a line the person typed, without the space around it; None when the input ends."""
    sys.stdout.flush()
    click.echo(click.style(prompt, bold=True), nl=False, err=True)
    line = sys.stdin.readline()
    if not line:
        click.echo(err=True)
        return None
    return line.strip()


def confirm(question: str) -> bool:
    """Tell whether the person says yes."""
    return ask(question, {"y": "yes", "n": "no"}) == "y"


@contextmanager
def cancelled(words: str) -> Iterator[None]:
    """Say what became of the answers when the person interrupts the questions."""
    try:
        yield
    except KeyboardInterrupt:
        output.talk("")
        output.talk(words)
        raise
