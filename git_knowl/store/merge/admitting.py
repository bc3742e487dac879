"""What the other side says, as far as it is let in."""

from __future__ import annotations

from dataclasses import replace

from git_knowl.model.entry import Entry
from git_knowl.store.merge.evidence import carried
from git_knowl.store.merge.outcome import Admit
from git_knowl.store.merge.reader import Reader
from git_knowl.store.merge.sides import sides_of
from git_knowl.store.merge.states import State, Three, read_state, spelled


def admitted(reader: Reader, three: Three, admit: Admit) -> State | str:
    """Return the other side's state with its new texts as they may stand, or why one may not.

    A text that was changed on the way in is a change of ours on top of theirs: its rev is one
    higher, and its evidence counts on.
    """
    theirs = three.theirs
    known = {*three.base.files.values(), *three.ours.files.values()}
    new = [side for digest, side in theirs.sides.items() if theirs.blobs[digest] not in known]
    answers = {side.digest: admit(side) for side in new}
    refused = [answer for answer in answers.values() if isinstance(answer, str)]
    if refused:
        return refused[0]
    sides = sides_of(_let_in(side, answers.get(side.digest)) for side in theirs.sides.values())
    if sides == theirs.sides:
        return theirs
    found = read_state(reader, {**theirs.damaged, **spelled(reader, sides, [theirs])})
    return replace(found, purged=theirs.purged)


def _let_in(side: Entry, answer: Entry | str | None) -> Entry:
    if not isinstance(answer, Entry) or answer == side:
        return side
    before, after = side.digest, answer.digest
    made = answer.resting_on(carried(anchor, before, after) for anchor in answer.evidence)
    return replace(made, rev=side.rev + 1)
