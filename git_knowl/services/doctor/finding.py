"""What a check has found, and what can safely be done about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from git_knowl.services.context import Context
from git_knowl.services.hooks.program import Program

#: Mends one finding and says in a sentence what was done; raises KnowlError or OSError.
Do = Callable[[Context, Program], str]


@dataclass(frozen=True, slots=True)
class Repair:
    """What would be done about a finding, as a question to a person, and the doing.

    A repair touches derived data alone, or goes through a verb that `git knowl undo` takes back.
    """

    question: str
    do: Do


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong, and the way out where there is one."""

    problem: str
    hint: str | None = None
    repair: Repair | None = None


def shortened(names: list[str], most: int = 3) -> str:
    """Return the first of some names, and how many there are beyond them."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def counted(number: int, one: str, many: str) -> str:
    """Return a number with its noun."""
    return f"{number} {one if number == 1 else many}"
