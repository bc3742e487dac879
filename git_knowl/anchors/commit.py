"""The kind ``commit``: a commit that the entry speaks of, and whether its change still counts."""

from collections.abc import Sequence
from dataclasses import replace

from git_knowl.anchors.base import (
    AnchorError,
    Stamp,
    World,
    accepted_for,
    active,
    suspect,
    unknown,
)
from git_knowl.anchors.commits import Standing
from git_knowl.anchors.file import SHORT, blamed, commit_words
from git_knowl.model.anchor import APPLIED, REVERTED, CommitAnchor, CommitFingerprint
from git_knowl.model.verdict import AnchorVerdict
from git_knowl.plumbing.history import RevisionError, patch_id, resolve

_VERBS = {APPLIED: "applied again by", REVERTED: "reverted by"}


def judge(anchor: CommitAnchor, digest: str, world: World) -> AnchorVerdict:
    """Compare where the commit stands in this history with what was accepted for the text."""
    accepted = accepted_for(anchor.accepted, digest)
    found = world.standings({anchor.commit: anchor.patch_id})[anchor.commit]
    if not accepted:
        reason = "nobody has accepted the commit for the present text of the entry"
        return replace(unknown(anchor, reason), expected="nothing accepted", found=found.state)
    expected = " or ".join(dict.fromkeys(item.state for item in reversed(accepted)))
    if found.state is None:
        return replace(unknown(anchor, found.reason or ""), expected=expected)
    if found.state in {item.state for item in accepted}:
        return _here(anchor, found)
    reason = f"{_VERBS[found.state]} {commit_words(found.change)}" if found.change else found.state
    return blamed(suspect(anchor, reason, expected, found.state), found.change)


def prepare(anchors: Sequence[tuple[CommitAnchor, str]], world: World) -> None:
    """Ask the world at once what judging the anchors, each with its digest, will ask one by one."""
    world.standings({anchor.commit: anchor.patch_id for anchor, _ in anchors})


def observe(anchor: CommitAnchor, world: World, stamp: Stamp) -> CommitAnchor:
    """Return the anchor with the present standing of the commit as its only accepted one.

    Raises AnchorError where nobody can tell whether the commit counts here.
    """
    found = world.standings({anchor.commit: anchor.patch_id})[anchor.commit]
    if found.state is None:
        raise AnchorError(f"{anchor.target} cannot be anchored: {found.reason}")
    item = CommitFingerprint(
        text=stamp.text, state=found.state, at=stamp.at, by=stamp.by, how=stamp.how
    )
    return replace(anchor, accepted=(item,))


def complete(anchor: CommitAnchor, world: World) -> CommitAnchor:
    """Return the anchor with the full id of its revision and the patch-id of that commit.

    Raises AnchorError for what names no commit.
    """
    if anchor.patch_id:
        return anchor
    try:
        oid = resolve(world.repo, anchor.commit)
    except RevisionError as error:
        raise AnchorError(f"anchor.commit: {error.message}") from error
    return replace(anchor, commit=oid, patch_id=patch_id(world.repo, oid))


def _here(anchor: CommitAnchor, found: Standing) -> AnchorVerdict:
    if found.here is None or found.here == anchor.commit:
        return active(anchor)
    offer = (
        f"here as {found.here[:SHORT]}, which makes the same change;"
        " verify with --follow anchors the entry to it"
    )
    return replace(active(anchor, offer), moved_to=found.here)
