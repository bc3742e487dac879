"""Going through the entries that were changed in two ways at once, at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_knowl.errors import KnowlError
from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.ask import ask, cancelled
from git_knowl.interfaces.cli.beside import beside
from git_knowl.interfaces.cli.editor import edit_until
from git_knowl.interfaces.cli.inbox_text import count
from git_knowl.interfaces.cli.options import tell
from git_knowl.interfaces.report import say_error
from git_knowl.model import stored
from git_knowl.model.text import for_terminal
from git_knowl.services.conflicts import Choice, Settled, settle, write_choice
from git_knowl.services.edit import document, unfinished
from git_knowl.services.evidence import without_fingerprints

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_knowl.model.entry import Entry, Reviewed
    from git_knowl.services.context import Context
    from git_knowl.store.conflicts import Conflict

EDIT = "e"
LATER = "n"
QUIT = "q"
KEYS = {
    EDIT: "edit a text that stands from now on, beginning with the one that is live",
    LATER: "leave both texts for later",
    QUIT: "quit: carry out what was decided, leave the rest",
}
_RULE = "-" * 72


def walk(ctx: Context, waiting: Sequence[Conflict], reviewed: Reviewed) -> Settled:
    """Ask about every conflict and carry out the answers as one commit.

    Interrupted, nothing is carried out.
    """
    output.talk(f"{count(len(waiting), 'conflict')} to settle as {reviewed.by}")
    with cancelled("nothing was carried out: every entry is as it was"):
        choices = through(ctx, waiting, reviewed)
    return settle(ctx, choices, reviewed) if choices else Settled()


def through(ctx: Context, waiting: Sequence[Conflict], reviewed: Reviewed) -> list[Choice]:
    """Ask about each conflict until the person quits or the input ends."""
    choices: list[Choice] = []
    for place, seen in enumerate(waiting, 1):
        show(seen)
        answer = choose(ctx, seen, reviewed, f"({place}/{len(waiting)})")
        if answer is None:
            break
        choices += answer
    return choices


def show(seen: Conflict) -> None:
    """Print the live text beside each of the others, as agents would get them."""
    output.emit(_RULE)
    for place, other in enumerate(seen.sides[1:], 2):
        output.emit_lines(beside(title(1, seen.live), title(place, other)))
        output.emit()
        output.emit_lines(beside(plain(seen.live), plain(other)))
        output.emit(_RULE)


def title(place: int, side: Entry) -> str:
    """Return who vouches for a text, under the number that chooses it."""
    live = " (live)" if place == 1 else ""
    made = side.reviewed
    who = f"{stored.named(made.by)}, {stored.time(made.at)}" if made else "nobody"
    return for_terminal(f"{place}{live}: reviewed by {who}", single_line=True)


def plain(side: Entry) -> str:
    """Return the document of a text without what the program keeps of its evidence."""
    return for_terminal(document(without_fingerprints(side)))


def choose(ctx: Context, seen: Conflict, reviewed: Reviewed, place: str) -> list[Choice] | None:
    """Ask about a conflict until it is decided: [] leaves it, None ends the walk."""
    sides = {str(number): side for number, side in enumerate(seen.sides, 1)}
    keys = {number: f"the text {number} stands from now on" for number in sides} | KEYS
    while True:
        key = ask(f"{place} conflict {seen.live.name}", keys)
        if key is None or key == QUIT:
            return None
        if key == LATER:
            return []
        if key in sides:
            return [Choice(seen, sides[key])]
        made = edit(ctx, seen, reviewed)
        if made is not None:
            return [made]


def edit(ctx: Context, seen: Conflict, reviewed: Reviewed) -> Choice | None:
    """Let the person write the text that stands; None when it cannot be stored."""
    try:
        made = edit_until(
            ctx.repo,
            f"conflict-{unfinished(seen.live)}",
            document(seen.live),
            lambda text: write_choice(ctx, seen, text, reviewed),
        )
    except KnowlError as error:
        say_error(error)
        return None
    tell(made.warnings, made.redacted)
    return made.choice
