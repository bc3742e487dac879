"""Fingerprints changing hands: signed by a reviewer, carried to a new name, joined by a verify."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from git_knowl.anchors.base import FingerprintT
from git_knowl.model.accepted import KEPT, identity
from git_knowl.model.anchor import Anchor, AnchorT, accepting, fingerprints
from git_knowl.model.entry import Entry, Reviewed


class Rewrite(Protocol):
    """A change of one fingerprint, whatever its kind."""

    def __call__(self, item: FingerprintT, /) -> FingerprintT:
        """Return the fingerprint to put in its place."""


def sign(entry: Entry, reviewed: Reviewed) -> Entry:
    """Return the entry as let in by a reviewer, whose name and time its evidence carries."""
    digest = entry.digest

    def signed(item: FingerprintT, /) -> FingerprintT:
        if item.text != digest:
            return item
        return replace(item, by=reviewed.by, at=reviewed.at, how=reviewed.how)

    return replace(rewritten(entry, signed), updated=reviewed.at, reviewed=reviewed)


def carry(old: Entry, new: Entry) -> Entry:
    """Return the new entry with the old text's fingerprints counted for it.

    Only for changes that say nothing new, such as a name: an edited text keeps no old evidence.
    """
    before, after = old.digest, new.digest

    def carried(item: FingerprintT, /) -> FingerprintT:
        return replace(item, text=after) if item.text == before else item

    return rewritten(new, carried)


def rewritten(entry: Entry, change: Rewrite) -> Entry:
    """Return the entry with every fingerprint changed."""
    return entry.resting_on(rewrite(anchor, change) for anchor in entry.evidence)


def rewrite(anchor: AnchorT, change: Rewrite) -> AnchorT:
    """Return the anchor with every fingerprint changed; other kinds have none."""
    return accepting(anchor, map(change, fingerprints(anchor)))


def first_evidence(entry: Entry) -> Entry:
    """Return the entry with one fingerprint an anchor at most: the first that counts for its text.

    So it can be shown what the text was written against, and a text of somebody else vouches for no
    files but those it was written against.
    """
    digest = entry.digest
    return entry.resting_on(
        accepting(anchor, [item for item in fingerprints(anchor) if item.text == digest][:1])
        for anchor in entry.evidence
    )


def without_fingerprints(entry: Entry) -> Entry:
    """Return the entry with what its anchors name and nothing of what was accepted."""
    return entry.resting_on(accepting(anchor, ()) for anchor in entry.evidence)


def join(old: Anchor, observed: Anchor) -> Anchor:
    """Return an anchor with the present fingerprint among its accepted ones, the newest eight.

    A fingerprint that was accepted before for this text moves to the end with its new signature;
    fingerprints of other texts are dropped: they no longer count for anything.
    """
    fresh = fingerprints(observed)
    if not fresh or old.kind != observed.kind:
        return observed
    return accepting(observed, joined(fingerprints(old), fresh[0]))


def joined(accepted: tuple[FingerprintT, ...], fresh: FingerprintT) -> tuple[FingerprintT, ...]:
    """Return the fingerprints accepted for the same text, the fresh one last."""
    kept = [
        item for item in accepted if item.text == fresh.text and identity(item) != identity(fresh)
    ]
    kept.append(fresh)
    return tuple(kept[-KEPT:])
