"""The texts that an entry has: one as a rule, several while a conflict waits for a person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from git_knowl.model.entry import Entry
from git_knowl.store.merge.entries import merge_entries, rank

#: The states of one entry by digest; none for an entry that is not live.
Sides = Mapping[str, Entry]


def sides_of(entries: Iterable[Entry]) -> dict[str, Entry]:
    """Return states by digest, the live one first; of two with one digest the first in rank."""
    found: dict[str, Entry] = {}
    listed = [*entries]
    for entry in listed if len(listed) == 1 else sorted(listed, key=rank):
        found.setdefault(entry.digest, entry)
    return found


def merge_sides(base: Sides, ours: Sides, theirs: Sides) -> dict[str, Entry]:
    """Return the states that stand after a merge: more than one make a conflict.

    A conflict that one side resolved is resolved; two that resolved it differently make a new one.
    """
    if len(base) <= 1 and len(ours) == len(theirs) == 1:
        return _merge_single(next(iter(base.values()), None), ours, theirs)
    kept = [
        _one(base.get(digest), [side[digest] for side in (ours, theirs) if digest in side])
        for digest in {**ours, **theirs}
        if (digest in ours and digest in theirs)
        or _is_chosen(digest, base, ours)
        or _is_chosen(digest, base, theirs)
    ]
    return sides_of(kept or [*ours.values(), *theirs.values()])


def _merge_single(base: Entry | None, ours: Sides, theirs: Sides) -> dict[str, Entry]:
    (one,), (other,) = ours.values(), theirs.values()
    merged = merge_entries(base, one, other)
    return sides_of((one, other) if merged.is_conflict else (merged.entry,))


def _one(base: Entry | None, found: Sequence[Entry]) -> Entry:
    """Return the state of one text that one side has, or both."""
    return merge_entries(base, found[0], found[-1]).entry


def _is_chosen(digest: str, base: Sides, side: Sides) -> bool:
    """Tell whether a side brought a text in, or chose it when it resolved a conflict."""
    if digest not in side:
        return False
    if digest not in base:
        return True
    return side.keys() != base.keys() and side[digest].rev > base[digest].rev
