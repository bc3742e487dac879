"""What the other side says, as far as it is let in."""

from __future__ import annotations

from dataclasses import replace

from git_knowl.model.entry import Entry
from git_knowl.store.merge.evidence import carried
from git_knowl.store.merge.outcome import Admit
from git_knowl.store.merge.reader import Reader
from git_knowl.store.merge.sides import sides_of
from git_knowl.store.merge.states import State, Three, read_state, spelled
from git_knowl.store.purged import PLACEHOLDER, REASON

OF_PURGED = "made of a text that was purged, and not reviewed since: who wrote it reviews it anew"


def admitted(reader: Reader, three: Three, admit: Admit) -> State | str:
    """Return the other side's state with its new texts as they may stand, or why one may not.

    A text that was changed on the way in is a change of ours on top of theirs: its rev is one
    higher, and its evidence counts on.
    """
    theirs = three.theirs
    known = {*three.base.files.values(), *three.ours.files.values()}
    new = [side for digest, side in theirs.sides.items() if theirs.blobs[digest] not in known]
    purged = _purged_at(three)
    answers = {
        side.digest: OF_PURGED if _is_of_purged(side, purged) else admit(side) for side in new
    }
    refused = [answer for answer in answers.values() if isinstance(answer, str)]
    if refused:
        return refused[0]
    sides = sides_of(_let_in(side, answers.get(side.digest)) for side in theirs.sides.values())
    if sides == theirs.sides:
        return theirs
    found = read_state(reader, {**theirs.damaged, **spelled(reader, sides, [theirs])})
    return replace(found, purged=theirs.purged)


def _purged_at(three: Three) -> str:
    """Return when a text of an entry was purged here, "" for never, as what is left of it says.

    What is left counts until the other side has gone on from it.
    """
    stone = three.ours.stone
    if stone is not None:
        return stone.at if stone.reason == REASON else ""
    gone_on = three.base.sides.keys() - three.theirs.sides.keys()
    left = [side for digest, side in three.ours.sides.items() if digest not in gone_on]
    return max((one.reviewed.at for one in left if one.reviewed and _is_redacted(one)), default="")


def _is_of_purged(side: Entry, purged: str) -> bool:
    """Tell whether a text was let in before the one it stands beside was purged.

    No digest knows it, and it may hold what was purged all the same.
    """
    let_in = side.reviewed.at if side.reviewed else ""
    return bool(purged) and let_in <= purged and not _is_redacted(side)


def _is_redacted(side: Entry) -> bool:
    source = side.source
    told = (side.description, side.body, *((source.ref, source.quote) if source else ()))
    return any(PLACEHOLDER in text for text in told if text)


def _let_in(side: Entry, answer: Entry | str | None) -> Entry:
    if not isinstance(answer, Entry) or answer == side:
        return side
    before, after = side.digest, answer.digest
    made = answer.resting_on(carried(anchor, before, after) for anchor in answer.evidence)
    return replace(made, rev=side.rev + 1)
