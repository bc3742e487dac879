"""Two states of one entry become one, field by field.

The rules are pure and symmetric: the same three states give the same result on every clone, whoever
merges. Of two sides the *first* is the one with the higher ``rev``, then the lower digest; no clock
is asked.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from git_knowl.model import rules
from git_knowl.model.checked import DocumentError
from git_knowl.model.document import render
from git_knowl.model.entry import Entry, Related, Reviewed
from git_knowl.store.merge.evidence import carried, merge_anchors, merge_links, settle
from git_knowl.store.merge.values import is_settled, pick, pick_keys, pick_members

#: What a reader is told: changed differently on both sides, a person has to decide.
TEXTS = ("name", "description", "type", "body", "source")
#: What only says more about a text: where both sides changed it, that of the first side stands.
ASIDES = ("provenance", "promoted")
#: What belongs to the text it came with.
STAMPS = ("as_of", "patch_id", "reviewed")
UNATTENDED = "unattended"


@dataclass(frozen=True, slots=True)
class MergedEntry:
    """The merged entry; of a conflict the side that is live until a person decides."""

    entry: Entry
    is_conflict: bool = False


def merge_entries(base: Entry | None, ours: Entry, theirs: Entry) -> MergedEntry:
    """Merge two states of an entry that came from ``base``, or from nothing that is known.

    Sides may be swapped; a side that changed nothing gives way to the other.
    """
    if theirs in (ours, base):
        return MergedEntry(ours)
    if ours == base:
        return MergedEntry(theirs)
    first, second = sorted((ours, theirs), key=rank)
    if not all(_is_settled(base, first, second, field) for field in TEXTS):
        return MergedEntry(first, is_conflict=True)
    merged = _merged(base, first, second)
    if _is_unfit(merged, first, second):
        return MergedEntry(first, is_conflict=True)
    return MergedEntry(merged)


def rank(entry: Entry) -> tuple[int, str, str]:
    """Return what puts the states of an entry in order, the first one lowest."""
    return -entry.rev, entry.digest, repr(entry)


def _is_settled(base: Entry | None, first: Entry, second: Entry, field: str) -> bool:
    one, other = getattr(first, field), getattr(second, field)
    return one == other if base is None else is_settled(getattr(base, field), one, other)


def _merged(base: Entry | None, first: Entry, second: Entry) -> Entry:
    known = {field: pick(getattr(base, field, None), getattr(first, field), getattr(second, field))
             for field in (*TEXTS, *ASIDES)}  # fmt: skip
    made = replace(
        first,
        **known,
        tags=_members(base, first, second, "tags"),
        supersedes=_members(base, first, second, "supersedes"),
        related=_related(base, first, second),
        extra=pick_keys(base.extra if base else {}, first.extra, second.extra),
        created=min(first.created, second.created),
        updated=max(first.updated, second.updated),
    )
    made = _resting(made, base, first, second)
    is_new = made.digest not in (first.digest, second.digest)
    return replace(made, rev=first.rev + is_new, **_stamps(made.digest, base, first, second))


def _members(base: Entry | None, first: Entry, second: Entry, field: str) -> tuple[str, ...]:
    was = getattr(base, field, ())
    return pick_members(was, getattr(first, field), getattr(second, field), str, _either)


def _either(base: str | None, first: str, second: str) -> str:
    """Return a member that both sides have, which is nothing but its name."""
    del base, second
    return first


def _related(base: Entry | None, first: Entry, second: Entry) -> tuple[Related, ...]:
    return pick_members(
        base.related if base else (),
        first.related,
        second.related,
        lambda one: (one.id, one.relation),
        lambda was, one, other: pick(was, one, other) or one,
    )


def _resting(made: Entry, base: Entry | None, first: Entry, second: Entry) -> Entry:
    """Return the merged text with the evidence that counts for it.

    What the sides name is merged first, since that is part of the text. Fingerprints of a side
    count on where its text says what the merged one says.
    """
    named = _united(made, base, first, second)
    sides = [_carried(side, named) for side in (first, second)]
    return _settled(_united(named, base, *sides))


def _united(made: Entry, base: Entry | None, first: Entry, second: Entry) -> Entry:
    was = base or replace(first, anchors=(), depends_on=())
    return replace(
        made,
        anchors=merge_anchors(was.anchors, first.anchors, second.anchors),
        depends_on=merge_links(was.depends_on, first.depends_on, second.depends_on),
    )


def _carried(side: Entry, merged: Entry) -> Entry:
    """Return a side whose fingerprints count for the merged text, if it says the same.

    A name and tags say nothing that evidence could speak against.
    """
    before, after = side.digest, merged.digest
    alike = replace(side, name=merged.name, tags=merged.tags)
    if before == after or alike.digest != after:
        return side
    return side.resting_on(carried(anchor, before, after) for anchor in side.evidence)


def _settled(entry: Entry) -> Entry:
    digest = entry.digest
    return entry.resting_on(settle(anchor, digest) for anchor in entry.evidence)


def _stamps(digest: str, base: Entry | None, first: Entry, second: Entry) -> dict[str, Any]:
    """Return who reviewed the text, and where it was written: that of the side it is from."""
    if digest == first.digest != second.digest:
        return {field: getattr(first, field) for field in STAMPS}
    if digest == second.digest != first.digest:
        return {field: getattr(second, field) for field in STAMPS}
    picked = {
        field: pick(getattr(base, field, None), getattr(first, field), getattr(second, field))
        for field in STAMPS
    }
    if digest != first.digest:
        picked["reviewed"] = _least_attended((picked["reviewed"], first.reviewed, second.reviewed))
    return picked


def _least_attended(reviews: Iterable[Reviewed | None]) -> Reviewed | None:
    """Return the review of a text of two sides: one nobody attended taints the whole."""
    found = [*reviews]
    return next((one for one in found if one and one.how == UNATTENDED), found[0])


def _is_unfit(merged: Entry, first: Entry, second: Entry) -> bool:
    """Tell whether merging broke a rule that both sides keep, such as how much may be there."""
    faults = {*rules.validate(merged)} - {*rules.validate(first), *rules.validate(second)}
    if faults:
        return True
    try:
        render(merged)
    except DocumentError:
        return True
    return False
