"""The daily round over suspects: what a person decided on each, published as one commit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from git_knowl.errors import KnowlError, MovedError
from git_knowl.model.document import parse
from git_knowl.model.entry import Entry, Reviewed
from git_knowl.model.status import SUSPECT
from git_knowl.services.audit.audit import Audit
from git_knowl.services.change import Step, find_unchanged, replaced
from git_knowl.services.context import Context
from git_knowl.services.edit import compose_edit, edit_changes, told
from git_knowl.services.filters.counts import Counts
from git_knowl.services.recording import record
from git_knowl.services.review import check_reason, retirement
from git_knowl.services.snooze import check_day
from git_knowl.services.supersede import heir_of
from git_knowl.services.verify import Evidence, check_unchanged, confirmation
from git_knowl.store.operations import Change, Snooze
from git_knowl.store.transaction import publish
from git_knowl.store.view import View

VERIFY = "verify"
UPDATE = "update"
RETIRE = "retire"
SNOOZE = "snooze"


class UnchangedError(KnowlError):
    """An update that says what the entry said before."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided on one entry, worked out as far as it can be before it is published.

    ``text`` is the edited document of an update, the reason of a retire, the day of a snooze.
    """

    seen: Evidence
    action: str
    text: str
    step: Step
    warnings: tuple[str, ...] = ()
    redacted: Counts = ()


@dataclass(frozen=True, slots=True)
class Settled:
    """The decisions that were carried out, and those on entries that changed meanwhile."""

    done: tuple[Decision, ...] = ()
    moved: tuple[Decision, ...] = ()


def waiting(ctx: Context, found: Audit) -> list[Evidence]:
    """Return what needs a person and is awake, one screen each: suspects, and what moved."""
    listed = [
        one
        for one in found.found.entries
        if one.row.id not in found.snoozed
        and (one.verdict.status == SUSPECT or any(a.moved_to for a in one.verdict.anchors))
    ]
    entries = {entry.id: entry for entry in ctx.cache.entries([one.row.id for one in listed])}
    return [Evidence(entries[one.row.id], one.row.lane, one.verdict) for one in listed]


def decide(ctx: Context, seen: Evidence, action: str, text: str, reviewed: Reviewed) -> Decision:
    """Work a decision out against the files as they are now.

    Raises whatever the verb of the same name raises, and MovedError when the evidence changed while
    it was looked at; then it is for the person to decide again.
    """
    return MAKERS[action](ctx, seen, text, reviewed)


def decide_verify(ctx: Context, seen: Evidence, text: str, reviewed: Reviewed) -> Decision:
    """Accept the evidence as it is; what moved is followed."""
    check_unchanged(ctx, seen)
    confirm = confirmation(ctx, seen, reviewed)

    def step(view: View, lane: str, live: Entry) -> list[Change]:
        return replaced(view, lane, live, confirm(live))

    return Decision(seen, VERIFY, text, step)


def decide_update(ctx: Context, seen: Evidence, text: str, reviewed: Reviewed) -> Decision:
    """Put the edited document in the place of the entry."""
    old, new = seen.entry, parse(text.encode())
    if told(new) == told(old):
        raise UnchangedError("the text is as it was", "verify says that it is still true")
    check_unchanged(ctx, seen)
    made = compose_edit(ctx, old, new, reviewed)

    def step(view: View, lane: str, live: Entry) -> list[Change]:
        del view
        return edit_changes(lane, live, old, made.entry)

    return Decision(seen, UPDATE, text, step, made.warnings, made.redacted)


def decide_retire(ctx: Context, seen: Evidence, text: str, reviewed: Reviewed) -> Decision:
    """Take the entry out."""
    reason, heir = check_reason(text), heir_of(ctx, seen.entry.id)

    def step(view: View, lane: str, live: Entry) -> list[Change]:
        del view
        return retirement(lane, live, reason.text, reviewed, heir)

    return Decision(seen, RETIRE, reason.text, step, redacted=reason.found)


def decide_snooze(ctx: Context, seen: Evidence, text: str, reviewed: Reviewed) -> Decision:
    """Leave the entry out of the round until a day."""
    del reviewed
    day = check_day(ctx, text)

    def step(view: View, lane: str, live: Entry) -> list[Change]:
        del view, lane
        return [Snooze(live.id, day)]

    return Decision(seen, SNOOZE, day, step)


MAKERS: dict[str, Callable[[Context, Evidence, str, Reviewed], Decision]] = {
    VERIFY: decide_verify,
    UPDATE: decide_update,
    RETIRE: decide_retire,
    SNOOZE: decide_snooze,
}


def settle(ctx: Context, decided: Sequence[Decision], reviewed: Reviewed) -> Settled:
    """Carry out the decisions together, but for those on entries that changed meanwhile."""
    if not decided:
        return Settled()
    results: list[Settled] = []

    def operation(view: View) -> list[Change]:
        changes: list[Change] = []
        done, left = [], []
        for one in decided:
            try:
                changes += one.step(view, *find_unchanged(view, one.seen.entry))
                done.append(one)
            except MovedError:
                left.append(one)
        results[:] = [Settled(tuple(done), tuple(left))]
        return changes

    publish(ctx.store, operation, record(ctx, "audit", subject(decided), reviewed), fsync=True)
    ctx.refresh()
    return results[0]


def subject(decided: Sequence[Decision]) -> str:
    """Return what history says of the round."""
    if len(decided) == 1:
        return f"{decided[0].action} {decided[0].seen.entry.name}"
    return f"audit {len(decided)} entries"
