"""What the command line says of hooks, and what it has them start."""

from __future__ import annotations

import sys
from itertools import groupby
from typing import TYPE_CHECKING, Any

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.hooks import start
from git_knowl.services.hooks.look import FIRES, PRINTS
from git_knowl.services.hooks.program import Program

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from git_knowl.services.hooks.install import Advice, Installed
    from git_knowl.services.hooks.look import Spot


def program() -> Program:
    """Return what the shims start: this interpreter, with the door of this very package."""
    return Program(sys.executable, start.__file__)


def tell(done: Installed) -> None:
    """Say what was done and at what events nothing fires, with the way out."""
    for sentence in done.done:
        output.talk(sentence)
    if not done.done and not done.silent:
        output.talk("the hooks are installed")
    for _, spots in groupby(done.silent, key=lambda spot: spot.reason.replace(spot.event, "")):
        same = list(spots)
        events = ", ".join(spot.event for spot in same)
        output.talk(f"warning: nothing fires at {events} in {same[0].worktree}: {same[0].reason}")
        way = same[0].way
        output.talk(f"hint: {'add the lines below to its files' if way == PRINTS else way}")


def advice_lines(advice: Advice) -> Iterator[str]:
    """Yield what a manager has to be told, or may be."""
    if advice.is_needed:
        yield f"{advice.manager} manages hooks here and runs us only when you tell it to;"
    else:
        yield f"Nothing has to be told to {advice.manager}; for everybody who works here you can,"
    yield advice.text


def spot_object(spot: Spot) -> dict[str, Any]:
    """Return one event of one worktree as `hooks status --json` lists it."""
    fires = spot.state == FIRES
    return {
        "worktree": spot.worktree,
        "event": spot.event,
        "file": spot.file,
        "fires": fires,
        "state": spot.state,
        "reason": spot.reason,
        "manager": spot.manager.name if spot.manager else None,
        "hint": None if fires else spot.way,
    }


def spot_lines(spots: Iterable[Spot]) -> Iterator[str]:
    """Yield each worktree with what fires at each event."""
    for worktree, own in groupby(spots, key=lambda spot: spot.worktree):
        yield worktree
        rows = []
        for spot in own:
            fires = spot.state == FIRES
            rows.append((f"  {spot.event}", "fires" if fires else "silent", spot.reason))
        yield from output.columns(rows)
