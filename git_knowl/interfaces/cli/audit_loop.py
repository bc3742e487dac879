"""One screen a suspect: evidence then and now, one key each, one commit at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_knowl.errors import KnowlError
from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.ask import ask, ask_line, can_ask, cancelled
from git_knowl.interfaces.cli.editor import edit_until
from git_knowl.interfaces.cli.evidence import show_evidence
from git_knowl.interfaces.cli.options import sync_after, tell
from git_knowl.interfaces.report import say_error
from git_knowl.services.audit.review import (
    RETIRE,
    SNOOZE,
    UPDATE,
    VERIFY,
    Decision,
    Settled,
    decide,
    settle,
    waiting,
)
from git_knowl.services.edit import document, unfinished
from git_knowl.services.files import replace_file, unfinished_path
from git_knowl.services.gate import authorise
from git_knowl.services.trust.ready import check_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_knowl.services.audit.audit import Audit
    from git_knowl.services.context import Context
    from git_knowl.services.verify import Evidence

SKIP = "s"
QUIT = "q"
KEYS = {
    "v": "verify: still true with the evidence as it is now; what moved is followed",
    "u": "update: edit the text against the evidence as it is now",
    "r": "retire: take it out, for a reason",
    "z": "snooze: leave it out of this round until a day",
    SKIP: "skip: decide another time",
    QUIT: "quit: carry out what was decided, leave the rest",
}
ACTIONS = {"v": VERIFY, "u": UPDATE, "r": RETIRE, "z": SNOOZE}
PROMPTS = {RETIRE: "Reason: ", SNOOZE: "Until (YYYY-MM-DD): "}


class NoTerminalError(KnowlError):
    """A walk that needs a person to ask."""


class LeftOutError(KnowlError):
    """Decisions that were not carried out, since the entries changed meanwhile."""

    exit_code = 4


def walk(ctx: Context, found: Audit) -> int:
    """Go through what needs a person, and return the exit code.

    Raises LeftOutError when some decisions could not be carried out; the others were.
    """
    if not (ctx.caller.terminal and can_ask()):
        raise NoTerminalError(
            "'audit --review' asks a person, and there is no terminal",
            "use 'git knowl verify', 'update' or 'retire' on single entries",
        )
    authorise(ctx, "review")
    check_key(ctx)
    screens = waiting(ctx, found)
    with cancelled("nothing was carried out: every entry is as it was"):
        decided = ask_all(ctx, screens)
    done = carry_out(ctx, decided)
    output.talk(f"{len(done.done)} of {len(screens)} settled")
    if done.done:
        sync_after(ctx)
        output.notices(ctx.repo)
    if done.moved:
        names = ", ".join(f"'{one.seen.entry.name}'" for one in done.moved)
        kept = keep_texts(ctx, done.moved)
        raise LeftOutError(f"changed meanwhile and left out: {names}", kept or "look at them again")
    return 0


def ask_all(ctx: Context, screens: Sequence[Evidence]) -> list[Decision]:
    """Show one screen after the other and return what was decided until the person quit."""
    decided: list[Decision] = []
    for place, seen in enumerate(screens, 1):
        show_evidence(ctx, seen)
        output.talk_text(seen.entry.body)
        answer = settle_one(ctx, seen, f"({place}/{len(screens)})")
        if answer is None:
            break
        decided += answer
    return decided


def settle_one(ctx: Context, seen: Evidence, place: str) -> list[Decision] | None:
    """Ask about an entry until it is decided on: [] leaves it, None ends the round."""
    while True:
        key = ask(f"{place} {seen.entry.name}", KEYS)
        if key is None or key == QUIT:
            return None
        if key == SKIP:
            return []
        try:
            return [take(ctx, seen, ACTIONS[key])]
        except KnowlError as error:
            say_error(error)


def take(ctx: Context, seen: Evidence, action: str) -> Decision:
    """Ask what an action needs, and work the decision out."""

    def work_out(text: str) -> Decision:
        return decide(ctx, seen, action, text, authorise(ctx, "review"))

    if action == UPDATE:
        old = seen.entry
        decision = edit_until(ctx.repo, unfinished(old), document(old), work_out)
    else:
        prompt = PROMPTS.get(action)
        decision = work_out((ask_line(prompt) or "") if prompt else "")
    tell(decision.warnings, decision.redacted)
    return decision


def carry_out(ctx: Context, decided: Sequence[Decision]) -> Settled:
    """Publish what was decided; texts that were edited are kept when that fails."""
    try:
        return settle(ctx, decided, authorise(ctx, "review"))
    except KnowlError as error:
        error.hint = "; ".join(filter(None, (error.hint, keep_texts(ctx, decided))))
        raise


def keep_texts(ctx: Context, decided: Sequence[Decision]) -> str:
    """Keep the edited texts among some decisions, and return in words where they are."""
    edited = [one for one in decided if one.action == UPDATE]
    for one in edited:
        name = f"{unfinished(one.seen.entry)}.md"
        replace_file(unfinished_path(ctx.repo, name), one.text)
    return f"what was edited is kept in '{unfinished_path(ctx.repo)}'" if edited else ""
