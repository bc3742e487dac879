"""Going through the entries that were let in unattended, at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_knowl.errors import KnowlError
from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.ask import ask, ask_line, cancelled
from git_knowl.interfaces.cli.options import tell_redacted
from git_knowl.interfaces.cli.review_text import show_evidence
from git_knowl.interfaces.report import say_error
from git_knowl.services.confirm import Confirmation, Confirmed, confirm, unattended
from git_knowl.services.edit import document
from git_knowl.services.review import check_reason

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_knowl.model.entry import Reviewed
    from git_knowl.services.context import Context
    from git_knowl.services.verify import Evidence

KEYS = {
    "y": "confirm: this stands, as reviewed by you",
    "n": "leave it unattended",
    "r": "retire it, for a reason",
    "q": "quit: carry out what was decided, leave the rest",
}


def walk(ctx: Context, reviewed: Reviewed) -> Confirmed:
    """Ask about every unattended entry and carry out the answers as one commit.

    What changed meanwhile is left as it is. Interrupted, nothing is carried out.
    """
    waiting = unattended(ctx)
    output.talk(f"unattended entries to confirm: {len(waiting)}")
    with cancelled("nothing was carried out: every entry is as it was"):
        decided = through(ctx, waiting)
    return confirm(ctx, decided, reviewed) if decided else Confirmed()


def through(ctx: Context, waiting: Sequence[Evidence]) -> list[Confirmation]:
    """Ask about each entry until the person quits or the input ends."""
    decided: list[Confirmation] = []
    for place, seen in enumerate(waiting, 1):
        show(ctx, seen)
        answer = settle(seen, f"({place}/{len(waiting)})")
        if answer is None:
            break
        decided += answer
    return decided


def show(ctx: Context, seen: Evidence) -> None:
    """Print the raw source of an entry and what it rests on."""
    output.emit_text(document(seen.entry))
    show_evidence(ctx, seen)


def settle(seen: Evidence, place: str) -> list[Confirmation] | None:
    """Ask about an entry until it is decided on: [] leaves it, None ends the walk."""
    while True:
        match ask(f"{place} {seen.entry.name}", KEYS):
            case "y":
                return [Confirmation(seen)]
            case "n":
                return []
            case "r":
                made = retire(seen)
                if made:
                    return [made]
            case _:
                return None


def retire(seen: Evidence) -> Confirmation | None:
    """Ask for the reason why an entry goes; None without a usable one."""
    try:
        clean = check_reason(ask_line("Reason: "))
    except KnowlError as error:
        say_error(error)
        return None
    tell_redacted(clean.found)
    return Confirmation(seen, clean.text)
