"""What a sync did, or would do, and the one line about what others did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from git_knowl.errors import KnowlError
from git_knowl.model.draft import Draft
from git_knowl.model.stored import named
from git_knowl.store.merge import outcome
from git_knowl.store.merge.join import Outcome

NOTHING = "nothing"
IN_STEP = "in step"
RECEIVED = "received"
SENT = "sent"
EXCHANGED = "exchanged"

#: What the line says of each kind, in this order.
_WORDS = {
    "captured": (outcome.NEW,),
    "updated": (outcome.UPDATED, outcome.MERGED),
    "restored": (outcome.RESTORED,),
    "retired": (outcome.RETIRED,),
    "in conflict": (outcome.CONFLICT,),
    "refused": (outcome.REFUSED,),
    "unreadable": (outcome.INVALID,),
    "left out": (outcome.LEFT_OUT,),
}
_NAMED = 5


@dataclass(frozen=True, slots=True)
class Synced:
    """What went both ways: ``commit`` is the tip of the shared lane that the remote shows now.

    With ``dry_run`` nothing moved, with ``pull`` nothing was sent; ``owed`` are the operations
    that the remote does not have yet, ``drafts`` what came back for a person to decide, among
    them the ``proposals`` of the join. ``failed`` is what ended the sync after something came in.
    """

    remote: str
    commit: str | None
    received: tuple[Outcome, ...] = ()
    sent: tuple[Outcome, ...] = ()
    owed: int = 0
    drafts: int = 0
    proposals: tuple[Draft, ...] = ()
    dry_run: bool = False
    pull: bool = False
    failed: KnowlError | None = None

    @property
    def state(self) -> str:
        """In one word, which way something went."""
        if self.received:
            return EXCHANGED if self.sent else RECEIVED
        if self.sent:
            return SENT
        return IN_STEP if self.commit else NOTHING

    @property
    def by(self) -> tuple[str, ...]:
        """The people whose work was received, in the order of their names."""
        people = {one.by.partition(" <")[0] for one in self.received if one.by}
        return tuple(sorted(people))

    def count(self, *kinds: str) -> int:
        """Return how many of the received outcomes are of some kinds."""
        return sum(one.kind in kinds for one in self.received)


def merged(known: Iterable[Outcome], more: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """Return the outcomes of two rounds, each entry once; what came and changed is still new."""
    told = {_key(one): one for one in known}
    for one in more:
        before = told.get(_key(one))
        if one.kind == outcome.UNCHANGED:
            continue
        is_new = before is not None and before.kind == outcome.NEW and one.kind == outcome.UPDATED
        kind = outcome.NEW if is_new else one.kind
        told[_key(one)] = Outcome(one.id, one.name, kind, one.by, one.note)
    return tuple(told.values())


def with_shown_names(received: Iterable[Outcome], shown: Mapping[str, str]) -> tuple[Outcome, ...]:
    """Return the outcomes with a note where an entry has another name here; ``shown`` is by id."""
    return tuple(_noted(one, shown[one.id]) if one.id in shown else one for one in received)


def summary(done: Synced) -> str:
    """Return what others did in one line: ``3 captured, 1 retired by Ada, Bob``."""
    counts = ((done.count(*kinds), word) for word, kinds in _WORDS.items())
    told = ", ".join(f"{number} {word}" for number, word in counts if number)
    return f"{told} by {_names(done.by)}" if done.by else told


def _noted(one: Outcome, name: str) -> Outcome:
    told = f"shown as '{name}', another entry has the name"
    return replace(one, note=f"{one.note}; {told}" if one.note else told)


def _key(one: Outcome) -> str:
    """Return what an outcome is about: an id, or the path of a file that belongs to none."""
    return one.id or one.name


def _names(people: tuple[str, ...]) -> str:
    more = len(people) - _NAMED
    return ", ".join(map(named, people[:_NAMED])) + (f" and {more} more" if more > 0 else "")
