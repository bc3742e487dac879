"""The table of anchor kinds: one module each, named by the kind as it stands in documents."""

from dataclasses import replace
from typing import Any

from git_knowl.anchors import file, package, url
from git_knowl.anchors.base import AnchorError, AnchorKind, Stamp, World, unknown
from git_knowl.model.anchor import Anchor, ForeignAnchor
from git_knowl.model.verdict import AnchorVerdict

KINDS: dict[str, AnchorKind[Any]] = {
    "file": file,
    "package": package,
    "url": url,
}


def judge(anchor: Anchor, digest: str, world: World) -> AnchorVerdict:
    """Return the verdict of one anchor; one of a kind from a newer program is unknown."""
    if isinstance(anchor, ForeignAnchor):
        reason = f"this program cannot judge anchors of the kind '{anchor.kind}'"
        return replace(unknown(anchor, reason), expected=f"one of {_names()}", found=anchor.kind)
    return KINDS[anchor.kind].judge(anchor, digest, world)


def observe(anchor: Anchor, world: World, stamp: Stamp) -> Anchor:
    """Return the anchor with what stands there now as its only accepted fingerprint.

    Raises AnchorError when there is nothing to accept, or for a kind from a newer program.
    """
    if isinstance(anchor, ForeignAnchor):
        raise AnchorError(
            f"{anchor.target}: this program cannot look at anchors of the kind '{anchor.kind}'",
            f"the kinds it knows are {_names()}",
        )
    observed: Anchor = KINDS[anchor.kind].observe(anchor, world, stamp)
    return observed


def _names() -> str:
    return ", ".join(KINDS)
