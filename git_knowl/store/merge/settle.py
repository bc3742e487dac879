"""What stands of one id after a merge of three states of it.

The rules are symmetric in the two sides. Neither side takes anything out without a tombstone, and
no side goes back to an older text: history only grows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from git_knowl.model.entry import Entry
from git_knowl.store import tombstones
from git_knowl.store.merge.outcome import INVALID, REFUSED
from git_knowl.store.merge.reader import Reader
from git_knowl.store.merge.sides import merge_sides
from git_knowl.store.merge.states import State, Three, spelled, spelled_stone
from git_knowl.store.tombstones import Tombstone

GONE = "gone there without a tombstone, kept here"
OLDER = "an older text there, kept as it is here"
UNREADABLE = "the file there cannot be read"


@dataclass(frozen=True, slots=True)
class Settled:
    """What stands of an id: blobs by path, and what they say.

    ``comebacks`` are texts of an entry that is retired now and that nobody retired. ``trouble`` is
    the kind of an outcome for what the other side has and that was not followed, ``note`` says why.
    """

    files: Mapping[str, str]
    comebacks: tuple[Entry, ...] = ()
    trouble: str = ""
    note: str = ""


def settle(reader: Reader, three: Three) -> Settled:
    """Merge three states of an id; new contents are kept in the reader."""
    base, ours, theirs = three.base, three.ours, three.theirs
    why = _why_not_followed(three, theirs)
    if why:
        return Settled(ours.files, trouble=REFUSED, note=why)
    if _why_not_followed(three, ours):
        ours = base
    if theirs.is_unreadable or ours.is_unreadable:
        return _settle_unreadable(base, ours, theirs)
    if ours.files in (base.files, theirs.files):
        return Settled(theirs.files)
    if theirs.files == base.files:
        return Settled(ours.files)
    return _combine(reader, base, ours, theirs)


def _why_not_followed(three: Three, side: State) -> str:
    """Return why a side cannot have changed an entry like this, "" when it can.

    A base that was folded may have a higher rev than what both sides have seen.
    """
    if three.base.files and not side.files:
        return GONE
    return OLDER if not three.is_folded and three.base.rev > side.rev > 0 else ""


def _settle_unreadable(base: State, ours: State, theirs: State) -> Settled:
    """Prefer what can be read; of two files that nobody can read take the one that changed."""
    if not theirs.is_unreadable:
        return Settled(theirs.files or ours.files)
    if ours.files and not ours.is_unreadable:
        return Settled(ours.files, trouble=REFUSED, note=f"{UNREADABLE}, the one here stays")
    changed = [side.files for side in (ours, theirs) if side.files != base.files]
    files = max(changed or [theirs.files], key=lambda found: sorted(found.items()))
    return Settled(files, trouble=INVALID, note=f"{UNREADABLE}, kept as it is")


def _combine(reader: Reader, base: State, ours: State, theirs: State) -> Settled:
    """Merge an id that both sides changed."""
    stone = _standing_stone(base, ours, theirs)
    known = (ours, theirs)
    if stone is not None:
        files = spelled_stone(reader, stone, known)
        return Settled(files, tuple(_comebacks(base, known, stone)))
    sides = merge_sides(base.sides, ours.sides, theirs.sides)
    return Settled(_carried(known) | spelled(reader, sides, known))


def _standing_stone(base: State, ours: State, theirs: State) -> Tombstone | None:
    """Return the tombstone that stands, None when the entry is live.

    Of two the lower one in bytes that came first by its own account. An entry that was retired
    before and is live on one side was restored there, which wins.
    """
    stones = [side.stone for side in (ours, theirs) if side.stone is not None]
    if not stones or (len(stones) == 1 and base.stone is not None):
        return None
    return min(stones, key=lambda stone: (stone.at, tombstones.encode(stone)))


def _comebacks(base: State, known: Sequence[State], stone: Tombstone) -> list[Entry]:
    """Return the texts that one side wrote while the other retired the entry."""
    seen = {*base.sides, stone.digest}
    found = {digest: side for state in known for digest, side in state.sides.items()}
    return [side for digest, side in sorted(found.items()) if digest not in seen]


def _carried(known: Sequence[State]) -> dict[str, str]:
    """Return files that say nothing, as they are; of two at one path the higher blob."""
    found: dict[str, str] = {}
    for state in known:
        for path, blob in state.damaged.items():
            found[path] = max(found.get(path, ""), blob)
    return found
