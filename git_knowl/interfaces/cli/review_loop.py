"""Going through the drafts at a terminal, one by one, in the manner of ``git add -p``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from git_knowl.errors import KnowlError
from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.ask import ask, ask_line, cancelled
from git_knowl.interfaces.cli.editor import edit_until
from git_knowl.interfaces.cli.inbox_text import count, title
from git_knowl.interfaces.cli.options import tell_redacted
from git_knowl.interfaces.cli.review_text import show_brief, show_evidence
from git_knowl.interfaces.report import say_error
from git_knowl.model.entry import LANES
from git_knowl.services import redraft
from git_knowl.services.brief import Brief, brief
from git_knowl.services.review import (
    Decided,
    Decision,
    check_next,
    check_reason,
    decide_what_holds,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from git_knowl.model.draft import Draft
    from git_knowl.model.entry import Reviewed
    from git_knowl.services.context import Context
    from git_knowl.store.inbox import Inbox

    #: What a key does: gives a decision, or the draft to ask about again.
    Act = Callable[["Walk", Brief], "Decision | Draft"]

LATER = "n"
QUIT = "q"
KEYS = {
    "y": "accept this draft",
    LATER: "leave it for later",
    "e": "edit it first",
    "d": "discard it, for a reason",
    "s": "show the evidence: what was accepted, and what is here",
    "l": "change the lane",
    QUIT: "quit: carry out what was decided, leave the rest",
}
KEYS_OF_DISCARD = {
    "y": "agree: let these flags go",
    LATER: "leave it for later",
    "r": "revive: keep the flags for another draft",
    "e": "edit the reason",
    QUIT: KEYS[QUIT],
}


def walk(ctx: Context, inbox: Inbox, reviewed: Reviewed) -> Decided:
    """Ask about every draft that waits and carry out the answers as one commit.

    What moved meanwhile is left waiting. Interrupted, nothing is carried out and every draft waits.
    """
    drafts = sorted(inbox.drafts, key=lambda draft: draft.kind == "discard")
    proposed = count(sum(draft.kind == "discard" for draft in drafts), "proposal")
    output.talk(f"{count(len(drafts), 'draft')} to review as {reviewed.by}")
    if proposed:
        output.talk(f"{proposed} to let flags go at the end: 'r' revives them")
    with cancelled("nothing was carried out: every draft still waits"):
        decisions = Walk(ctx, inbox, reviewed).through(drafts)
    return decide_what_holds(ctx, decisions, reviewed) if decisions else Decided({})


class Walk:
    """One way through the drafts: who goes, and what was decided so far."""

    def __init__(self, ctx: Context, inbox: Inbox, reviewed: Reviewed) -> None:
        self.ctx = ctx
        self.inbox = inbox
        self.reviewed = reviewed
        self.decisions: list[Decision] = []

    def through(self, drafts: Sequence[Draft]) -> list[Decision]:
        """Ask about each draft until the person quits or the input ends."""
        for place, draft in enumerate(drafts, 1):
            answer = self.settle(draft, f"({place}/{len(drafts)})")
            if answer is None:
                break
            self.decisions += answer
        return self.decisions

    def settle(self, draft: Draft, place: str) -> list[Decision] | None:
        """Ask about a draft until it is decided on: [] leaves it, None ends the walk."""
        found = self.show(draft)
        while True:
            key = ask(f"{place} {draft.kind} {title(found.draft)}", keys_for(found))
            if key is None or key == QUIT:
                return None
            if key == LATER:
                return []
            try:
                made = ACTS[key](self, found)
            except KnowlError as error:
                say_error(error)
                continue
            if isinstance(made, Decision):
                return [made]
            if made != found.draft:
                found = self.show(made)

    def show(self, draft: Draft) -> Brief:
        """Print all there is to know about a draft and return it."""
        found = brief(self.ctx, self.inbox, draft, self.reviewed)
        show_brief(found)
        return found


def keys_for(found: Brief) -> Mapping[str, str]:
    """Return the keys that mean something for a draft."""
    if found.draft.kind == "discard":
        return KEYS_OF_DISCARD
    unfit = set() if found.evidence else {"s"}
    unfit |= set() if found.draft.kind == "capture" else {"l"}
    return {key: meaning for key, meaning in KEYS.items() if key not in unfit}


def accept(walk: Walk, found: Brief) -> Decision:
    """Accept a draft as it was shown, provided that it can be carried out with the others."""
    made = Decision(found.draft.id, accepted=True, seen=found.draft)
    check_next(walk.ctx, walk.decisions, made, walk.reviewed)
    return made


def discard(walk: Walk, found: Brief) -> Decision | Draft:
    """Discard a draft once a reason is given; without one it is asked about again."""
    del walk
    told = ask_line("Reason: ")
    if not told:
        return found.draft
    clean = check_reason(told)
    tell_redacted(clean.found)
    return Decision(found.draft.id, accepted=False, reason=clean.text)


def revive(walk: Walk, found: Brief) -> Decision:
    """Keep the flags that the writer proposed to let go."""
    del walk
    return Decision(found.draft.id, accepted=False)


def edit(walk: Walk, found: Brief) -> Draft:
    """Let the person edit the draft; what cannot be stored is kept for the next try."""
    draft = found.draft
    made = edit_until(
        walk.ctx.repo,
        draft.id,
        redraft.source(draft),
        lambda text: redraft.redraft(walk.ctx, draft, text),
    )
    tell_redacted(made.redacted)
    return made.draft


def evidence(walk: Walk, found: Brief) -> Draft:
    """Show what the entry rests on."""
    if found.evidence:
        show_evidence(walk.ctx, found.evidence)
    return found.draft


def toggle_lane(walk: Walk, found: Brief) -> Draft:
    """Put a new entry into the other lane."""
    del walk
    other = LANES[1 - LANES.index(found.draft.lane)]
    return replace(found.draft, lane=other)


ACTS: dict[str, Act] = {
    "y": accept,
    "d": discard,
    "r": revive,
    "e": edit,
    "s": evidence,
    "l": toggle_lane,
}
