"""A person's decisions on drafts, published together: one review is one commit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from git_knowl.errors import KnowlError, MovedError
from git_knowl.model import ids, limits
from git_knowl.model.draft import Draft
from git_knowl.model.entry import Entry, Reviewed
from git_knowl.model.faults import line_faults
from git_knowl.model.flag import Flag
from git_knowl.services import guideline
from git_knowl.services.change import let_in, refuse_held
from git_knowl.services.context import Context
from git_knowl.services.evidence import sign
from git_knowl.services.filters import secrets
from git_knowl.services.filters.counts import Counts
from git_knowl.services.filters.secrets import Scrubbed
from git_knowl.services.gate import authorise
from git_knowl.services.project import put_project
from git_knowl.services.recording import record
from git_knowl.services.sift import carry_out, sift
from git_knowl.services.standing import differing, evidence_here
from git_knowl.services.supersede import heir_of, refuse_circle, still_live
from git_knowl.store import inbox
from git_knowl.store.decided import ACCEPTED, DISCARDED, find_decided
from git_knowl.store.operations import (
    Change,
    Decide,
    PutEntry,
    PutFlag,
    PutTombstone,
    RemoveDraft,
    RemoveEntry,
)
from git_knowl.store.rules import check as check_names
from git_knowl.store.snapshot import find_entry
from git_knowl.store.tombstones import Tombstone
from git_knowl.store.transaction import publish
from git_knowl.store.view import View

DISCARD = "discard"


class DraftError(KnowlError):
    """A draft that is not there, or cannot be decided on like this."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided on the draft of an id: to accept it, or to discard it for a reason.

    ``seen`` is the draft as the person saw or edited it; without it the stored one is meant.
    """

    draft: str
    accepted: bool
    reason: str = ""
    seen: Draft | None = None


@dataclass(frozen=True, slots=True)
class Decided:
    """What a review did: in words by draft id, and which drafts had been decided on before.

    ``files`` hold the guidelines that were accepted, as paths from the top of the work tree.
    ``warnings`` say where evidence is other here than when the text was written, ``redacted``
    counts what was scrubbed from the reason. ``left`` are drafts that still wait although a person
    decided on them, each with the reason. ``older`` names the live entries that what was accepted
    took the place of.
    """

    outcomes: dict[str, str]
    known: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    redacted: Counts = ()
    left: tuple[tuple[str, KnowlError], ...] = ()
    older: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Every draft the review was about."""
        return (*self.outcomes, *self.known)


def decide_named(
    ctx: Context,
    accepted: Sequence[str],
    discarded: Sequence[str],
    reviewer: str | None,
    reason: str | None,
) -> Decided:
    """Accept and discard drafts by id or unique part of it, for a person who is named.

    Raises GateError where no person is named or an agent host asks, DraftError for a draft that is
    not there or was decided on otherwise, MovedError as `decide` does.
    """
    reviewed = authorise(ctx, "accept" if accepted else DISCARD, reviewer)
    told = check_reason(reason) if discarded else Scrubbed("")
    taken, dropped = resolve(ctx, accepted), resolve(ctx, discarded)
    both = set(taken) & set(dropped)
    if both:
        raise DraftError(
            f"the draft {min(both)} is to be accepted and to be discarded",
            "name it with one of --accept and --discard",
        )
    decisions = [Decision(one, accepted=True) for one in taken]
    decisions += [Decision(one, accepted=False, reason=told.text) for one in dropped]
    warnings = tuple(other_evidence(ctx, taken))
    return replace(decide(ctx, decisions, reviewed), warnings=warnings, redacted=told.found)


def other_evidence(ctx: Context, accepted: Iterable[str]) -> Iterable[str]:
    """Yield in words what the entries of drafts rest on and what is not so here."""
    drafts = {draft.id: draft for draft in inbox.read_inbox(ctx.store.view()).drafts}
    for draft in (drafts[one] for one in accepted if one in drafts):
        for words in differing(evidence_here(ctx, draft, draft.entry)):
            yield f"{draft.name}: {words}"


def decide(ctx: Context, decisions: Sequence[Decision], reviewed: Reviewed) -> Decided:
    """Carry out the decisions all together; those that were made before change nothing.

    Raises DraftError for a draft nobody knows, MovedError when an entry has changed since an
    update or retire was written; then nothing is stored and every draft still waits.
    """
    done: list[Decided] = []

    def operation(view: View) -> list[Change]:
        review = Review(ctx, view, reviewed)
        changes = review.plan(decisions)
        files = dict.fromkeys(guideline.write(ctx, one) for one in review.guidelines)
        told = (review.outcomes, tuple(review.known), tuple(files))
        done[:] = [Decided(*told, older=tuple(review.replaced))]
        return changes

    told = record(ctx, "review", subject(ctx, decisions), reviewed)
    publish(ctx.store, operation, told, fsync=True)
    ctx.refresh()
    return replace(done[0], older=tuple(still_live(ctx, done[0].older)))


def decide_what_holds(ctx: Context, decisions: Sequence[Decision], reviewed: Reviewed) -> Decided:
    """Carry out those decisions that still can be, all together; the other drafts go on waiting.

    Raises the error of the first one when that is none of them.
    """
    done, left = carry_out(
        decisions,
        lambda some: rehearse(ctx, some, reviewed),
        lambda held: decide(ctx, held, reviewed),
    )
    return replace(done, left=tuple((one.draft, error) for one, error in left))


def check_next(
    ctx: Context, before: Sequence[Decision], made: Decision, reviewed: Reviewed
) -> None:
    """Raise what would keep a decision from being carried out with those before it that hold."""
    held, _ = sift(before, lambda some: rehearse(ctx, some, reviewed))
    rehearse(ctx, [*held, made], reviewed)


def rehearse(ctx: Context, decisions: Sequence[Decision], reviewed: Reviewed) -> None:
    """Raise what would keep the decisions from being carried out now; nothing is written."""
    view = ctx.store.view()
    for change in Review(ctx, view, reviewed).plan(decisions):
        change.apply(view)
    check_names(view)


class Review:
    """The decisions of one review against one state of the store.

    ``outcomes`` tells in words what became of each draft, ``known`` which ones had been decided on
    before, ``guidelines`` what is to be written into files. ``older`` has for every entry that is
    accepted the ids of those it supersedes, ``replaced`` those that it did not supersede before.
    """

    def __init__(self, ctx: Context, view: View, reviewed: Reviewed) -> None:
        self.ctx = ctx
        self.view = view
        self.reviewed = reviewed
        self.inbox = inbox.read_inbox(view)
        self.flags = {flag.id: flag for flag in self.inbox.flags}
        self.outcomes: dict[str, str] = {}
        self.known: list[str] = []
        self.guidelines: list[dict[str, object]] = []
        self.touched: set[str] = set()
        self.older: dict[str, tuple[str, ...]] = {}
        self.replaced: list[str] = []

    def plan(self, decisions: Sequence[Decision]) -> list[Change]:
        """Return what the decisions change."""
        waiting = {draft.id: draft for draft in self.inbox.drafts}
        self.older |= _replacing(decisions, waiting)
        changes: list[Change] = []
        for one in decisions:
            draft = waiting.pop(one.draft, None)
            if draft is None:
                self.repeat(one)
            elif one.accepted:
                changes += self.accept(one.seen or draft)
            else:
                changes += self.discard(draft, one.reason)
        return [*changes, *inbox.leftovers(self.inbox)]

    def accept(self, draft: Draft) -> Iterable[Change]:
        """Return the changes that make a draft real, and settle its flags."""
        outcome = inbox.outcome(draft)
        self.outcomes[draft.id] = outcome
        return [
            *MAKERS[draft.kind](self, draft),
            RemoveDraft(draft.id),
            Decide(draft.id, ACCEPTED),
            *self.settle(draft, outcome),
        ]

    def discard(self, draft: Draft, reason: str) -> Iterable[Change]:
        """Let a draft go; a proposal to discard flags that goes leaves them to the next draft."""
        signed = self.reviewed
        decided = Decide(draft.id, DISCARDED, signed.at, signed.by, reason)
        gone: list[Change] = [RemoveDraft(draft.id), decided]
        if draft.kind == DISCARD:
            self.outcomes[draft.id] = "revived its flags"
            return [*gone, *(PutFlag(replace(flag, draft=None)) for flag in self.pending(draft))]
        outcome = f"discarded: {reason}"
        self.outcomes[draft.id] = outcome
        return [*gone, *self.settle(draft, outcome)]

    def settle(self, draft: Draft, outcome: str) -> Iterable[PutFlag]:
        """Return the flags of a draft with what became of them."""
        for flag in self.pending(draft):
            yield PutFlag(replace(flag, outcome=outcome, draft=draft.id))

    def pending(self, draft: Draft) -> list[Flag]:
        """Return the flags of a draft that nothing else has settled."""
        found = (self.flags.get(identifier) for identifier in draft.flags)
        return [flag for flag in found if flag is not None and flag.is_pending]

    def repeat(self, decision: Decision) -> None:
        """Take a decision as done that was made before; raises DraftError for the contrary."""
        left = any(draft.id == decision.draft for draft in self.inbox.settled)
        was_accepted = left or self.find_outcome(decision.draft)
        if was_accepted != decision.accepted:
            done = "accepted" if was_accepted else "discarded"
            raise DraftError(
                f"the draft {decision.draft} was {done} before",
                "'git knowl inbox' lists what waits",
            )
        self.known.append(decision.draft)

    def find_outcome(self, identifier: str) -> bool:
        """Tell whether a draft that waits no more was accepted; raises DraftError for none."""
        decided = find_decided(self.view, identifier)
        if self.view.is_known(identifier):
            return True
        if decided is not None:
            return decided[1] == ACCEPTED
        for damaged in self.inbox.damaged:
            if identifier in damaged.path:
                raise DraftError(
                    f"the draft {identifier} cannot be read: {damaged.error}",
                    f"'git knowl inbox drop {identifier}' takes it away; hand the text in again",
                )
        raise DraftError(
            f"no draft has the id '{identifier}'", "'git knowl inbox' lists what waits"
        )

    def put_in_place(self, entry: Entry, known: Sequence[str] = ()) -> None:
        """Note whose place an entry takes beside those in ``known``; raises for a circle."""
        refuse_circle(self.ctx, entry, known, self.older)
        self.replaced += [one for one in entry.supersedes if one not in known]

    def live(self, draft: Draft) -> tuple[str, Entry]:
        """Return lane and entry an update or retire is about, unchanged since it was written."""
        found = find_entry(self.view, draft.target or "")
        if found is None:
            raise MovedError(f"'{draft.name}' is not live any more", "discard the draft")
        if found[1].digest != draft.expected:
            raise MovedError(
                f"'{draft.name}' has changed since the draft {draft.id} was written",
                "discard the draft and propose the change against the present text",
            )
        if found[1].id in self.touched:
            raise MovedError(
                f"'{draft.name}' is changed by another draft of the same review",
                "leave one of the two for later",
            )
        self.touched.add(found[1].id)
        return found


def _replacing(
    decisions: Iterable[Decision], waiting: Mapping[str, Draft]
) -> dict[str, tuple[str, ...]]:
    """Return what each text that is accepted now supersedes, by the id of its entry."""
    taken = [
        one.seen or waiting[one.draft] for one in decisions if one.accepted and one.draft in waiting
    ]
    return {draft.entry.id: draft.entry.supersedes for draft in taken if draft.entry}


def accept_capture(review: Review, draft: Draft) -> Iterable[Change]:
    """Make the new entry live, vouched for by the reviewer."""
    entry = sign(entry_of(draft), review.reviewed)
    refuse_held(review.ctx, entry.name)
    review.put_in_place(entry)
    roots = put_project(review.ctx, review.view) if draft.lane == "shared" else []
    return [PutEntry(draft.lane, entry), let_in(entry), *roots]


def accept_update(review: Review, draft: Draft) -> Iterable[Change]:
    """Replace the text of the entry, in the lane where it is."""
    lane, old = review.live(draft)
    entry = sign(replace(entry_of(draft), rev=old.rev + 1), review.reviewed)
    if entry.name != old.name:
        refuse_held(review.ctx, entry.name)
    review.put_in_place(entry, old.supersedes)
    return [PutEntry(lane, entry), let_in(entry)]


def accept_retire(review: Review, draft: Draft) -> Iterable[Change]:
    """Take the entry out and leave its tombstone."""
    lane, old = review.live(draft)
    heir = next((new for new, older in review.older.items() if old.id in older), None)
    return retirement(
        lane, old, draft.reason or "", review.reviewed, heir or heir_of(review.ctx, old.id)
    )


def retirement(
    lane: str, old: Entry, reason: str, reviewed: Reviewed, heir: str | None = None
) -> list[Change]:
    """Return the changes that retire an entry with a reason; it points on to who superseded it."""
    tombstone = Tombstone(old.id, old.name, reason, reviewed.by, reviewed.at, old.digest, heir)
    return [RemoveEntry(lane, old.id), PutTombstone(lane, tombstone)]


def accept_discard(review: Review, draft: Draft) -> Iterable[Change]:
    """Agree that the flags lead nowhere: settling them is all there is to do."""
    del review, draft
    return []


def accept_guideline(review: Review, draft: Draft) -> Iterable[Change]:
    """Have the guideline written into its file; the store holds nothing of it."""
    guideline.check(review.ctx, draft.guideline)
    review.guidelines.append(dict(draft.guideline))
    return []


MAKERS: dict[str, Callable[[Review, Draft], Iterable[Change]]] = {
    "capture": accept_capture,
    "update": accept_update,
    "retire": accept_retire,
    "discard": accept_discard,
    "guideline": accept_guideline,
}


def entry_of(draft: Draft) -> Entry:
    """Return the entry of a capture or update."""
    if draft.entry is None:
        raise DraftError(f"the draft {draft.id} has no entry in it", "discard it")
    return draft.entry


def subject(ctx: Context, decisions: Sequence[Decision]) -> str:
    """Return ``capture NAME`` for one decision, a count for several."""
    if len(decisions) != 1:
        return f"review {len(decisions)} drafts"
    one = decisions[0]
    drafts = {draft.id: draft for draft in inbox.read_inbox(ctx.store.view()).drafts}
    draft = one.seen or drafts.get(one.draft)
    verb = draft.kind if draft and one.accepted else DISCARD
    name = draft.name if draft and draft.name else one.draft
    return f"{verb} {name}"


def resolve(ctx: Context, given: Iterable[str]) -> list[str]:
    """Return the ids of drafts from ids or unique parts; full ids pass, they may be settled."""
    waiting = [draft.id for draft in inbox.read_inbox(ctx.store.view()).drafts]
    found = (text if ids.is_id(text) else ids.resolve(text, waiting, "draft") for text in given)
    return list(dict.fromkeys(found))


def check_reason(reason: str | None) -> Scrubbed:
    """Return a reason on one line, scrubbed; raise DraftError for none, or one that is too long."""
    clean = secrets.scrub(" ".join((reason or "").split()))
    faults = line_faults("reason", clean.text, limits.REASON)
    if faults:
        raise DraftError("; ".join(faults), "say in a sentence why it goes")
    return clean
