"""Somebody looked again: the present fingerprints join the accepted ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from git_knowl.anchors.base import AnchorError, Stamp
from git_knowl.errors import KnowlError, MovedError
from git_knowl.model.accepted import identity
from git_knowl.model.anchor import (
    Anchor,
    FileAnchor,
    Fingerprint,
    SymbolAnchor,
    accepting,
    fingerprints,
)
from git_knowl.model.entry import Entry, Reviewed
from git_knowl.model.status import SUSPECT
from git_knowl.model.verdict import AnchorVerdict, Verdict
from git_knowl.plumbing.history import branch_blobs
from git_knowl.services import observing
from git_knowl.services.change import Changed, rewrite
from git_knowl.services.context import Context
from git_knowl.services.evidence import carry, join
from git_knowl.services.find import find_entry
from git_knowl.services.gate import authorise
from git_knowl.services.judging import judge
from git_knowl.services.observing import follow
from git_knowl.services.recording import record
from git_knowl.services.trust.withheld import refuse_withheld


class VerifyError(KnowlError):
    """Evidence that cannot be confirmed as it stands."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an entry rests on, then and now, for whoever decides whether it still holds."""

    entry: Entry
    lane: str
    verdict: Verdict

    def pairs(self) -> list[tuple[Anchor, AnchorVerdict]]:
        """Return each anchor with its verdict."""
        return list(zip(self.entry.evidence, self.verdict.anchors, strict=True))


def evidence(ctx: Context, name: str) -> Evidence:
    """Return an entry with its verdict in the caller's files.

    Raises WithheldError for an agent host that may not see the text.
    """
    row, entry = find_entry(ctx, name)
    refuse_withheld(ctx, row)
    return Evidence(entry, row.lane, judge(ctx, [entry.id])[entry.id])


def check_unchanged(ctx: Context, seen: Evidence) -> None:
    """Raise MovedError when the files say something else than when the evidence was shown."""
    ctx.refresh()
    now = judge(ctx, [seen.entry.id]).get(seen.entry.id)
    if now is None or looks(now) != looks(seen.verdict):
        raise MovedError(
            f"the evidence of '{seen.entry.name}' changed while it was looked at",
            "compare old and new again",
        )


def looks(verdict: Verdict) -> list[tuple[str | None, ...]]:
    """Return what a person compares; reasons tell the time, which goes on."""
    return [(one.target, one.status, one.found, one.moved_to) for one in verdict.anchors]


def verify(
    ctx: Context, seen: Evidence, *, follow: bool = False, reviewer: str | None = None
) -> Changed:
    """Accept the present evidence of an entry, after it was shown as ``seen``.

    ``follow`` re-anchors what has moved. Raises VerifyError when something moved and may not be
    followed, or is gone: then the text needs an update.
    """
    moves = moved(seen)
    if moves and not follow:
        old, new = next(iter(moves.items()))
        raise VerifyError(f"'{old}' moved to '{new}'", "add --follow to anchor the entry there")
    reviewed = authorise(ctx, "verify", reviewer, entry=seen.entry)
    told = record(ctx, "verify", f"verify {seen.entry.name}", reviewed)
    return rewrite(ctx, seen.entry, confirmation(ctx, seen, reviewed), told)


def moved(seen: Evidence) -> dict[str, str]:
    """Return where the evidence of an entry went, by its old target."""
    return {anchor.target: verdict.moved_to for anchor, verdict in seen.pairs() if verdict.moved_to}


def confirmation(ctx: Context, seen: Evidence, reviewed: Reviewed) -> Callable[[Entry], Entry]:
    """Look at all evidence now and return what adds it to the accepted evidence of the entry.

    What moved is followed. Raises VerifyError for evidence that is gone.
    """
    moves = moved(seen)
    target = followed(seen.entry, moves)
    stamp = Stamp(target.digest, reviewed.at, reviewed.by, reviewed.how)
    places = zip(target.evidence, seen.verdict.anchors, strict=True)
    fresh = [observe(ctx, anchor, verdict, stamp) for anchor, verdict in places]

    def confirm(live: Entry) -> Entry:
        carried = carry(live, followed(live, moves))
        pairs = zip(carried.evidence, fresh, strict=True)
        proven = carried.resting_on([united(ctx, old, new) for old, new in pairs])
        return replace(proven, rev=live.rev + 1, updated=reviewed.at)

    return confirm


def united(ctx: Context, old: Anchor, new: Anchor) -> Anchor:
    """Return the anchor with old and new evidence; what a branch holds is never crowded out."""
    merged = join(old, new)
    if not isinstance(merged, FileAnchor | SymbolAnchor):
        return merged
    text, kept = merged.accepted[-1].text, {identity(item) for item in merged.accepted}
    rest = [i for i in fingerprints(old) if i.text == text and identity(i) not in kept]
    held = branch_blobs(ctx.repo, merged.path) if rest else ()
    live = [item for item in rest if blob_of(item) in held]
    return accepting(merged, (*live, *merged.accepted))


def blob_of(item: Fingerprint) -> str:
    """Return the content a fingerprint was taken from, as an object id of this repository."""
    blob: str = getattr(item, "blob", "")
    return blob.partition(":")[2]


def followed(entry: Entry, moves: Mapping[str, str]) -> Entry:
    """Return the entry with its evidence at the places it moved to."""
    return entry.resting_on(
        follow(one, moves[one.target]) if one.target in moves else one for one in entry.evidence
    )


def observe(ctx: Context, anchor: Anchor, verdict: AnchorVerdict, stamp: Stamp) -> Anchor:
    """Return an anchor with what stands there now; raises VerifyError with the ways out."""
    try:
        return observing.observe(ctx, anchor, stamp)
    except AnchorError as error:
        if verdict.status != SUSPECT or is_here(ctx, anchor):
            raise
        raise VerifyError(
            f"{anchor.target}: {verdict.reason}, so there is nothing to verify",
            "'git knowl edit' anchors the entry to what is there, 'git knowl retire' takes it out",
        ) from error


def is_here(ctx: Context, anchor: Anchor) -> bool:
    """Tell whether the file of an anchor is there, so that something else is wrong with it."""
    if not isinstance(anchor, FileAnchor):
        return False
    return ctx.world.blobs([anchor.path])[anchor.path].state == "present"
