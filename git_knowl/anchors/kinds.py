"""The table of anchor kinds: one module each, named by the kind as it stands in documents."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from git_knowl.anchors import commit, file, package, snippet, symbol, tree, url
from git_knowl.anchors.base import AnchorError, AnchorKind, Stamp, World, unknown
from git_knowl.model.anchor import Anchor, ForeignAnchor
from git_knowl.model.verdict import AnchorVerdict

KINDS: dict[str, AnchorKind[Any]] = {
    "file": file,
    "symbol": symbol,
    "snippet": snippet,
    "tree": tree,
    "package": package,
    "url": url,
    "commit": commit,
}

#: What only some kinds have: a question to the world for many anchors at once,
PREPARE: Mapping[str, Callable[[Sequence[tuple[Any, str]], World], None]] = {
    "file": file.prepare,
    "symbol": symbol.prepare,
    "snippet": snippet.prepare,
    "package": package.prepare,
    "commit": commit.prepare,
}
#: other paths that have a say in a verdict,
SUCCESSORS: Mapping[str, Callable[[Any, str, World], list[str]]] = {
    "file": file.successors,
    "symbol": symbol.successors,
    "snippet": snippet.successors,
    "package": package.successors,
}
#: names that are filled in from the world,
COMPLETE: Mapping[str, Callable[[Any, World], Anchor]] = {
    "symbol": symbol.complete,
    "snippet": snippet.complete,
    "commit": commit.complete,
}
#: and advice to whoever rests an entry on an anchor.
WARNINGS: Mapping[str, Callable[[Any, World], list[str]]] = {
    "file": file.warnings,
    "symbol": symbol.warnings,
    "snippet": snippet.warnings,
    "tree": tree.warnings,
}


def judge(anchor: Anchor, digest: str, world: World) -> AnchorVerdict:
    """Return the verdict of one anchor; one of a kind from a newer program is unknown."""
    if _is_foreign(anchor):
        reason = f"this program cannot judge anchors of the kind '{anchor.kind}'"
        return replace(unknown(anchor, reason), expected=f"one of {_names()}", found=anchor.kind)
    return KINDS[anchor.kind].judge(anchor, digest, world)


def observe(anchor: Anchor, world: World, stamp: Stamp) -> Anchor:
    """Return the anchor with what stands there now as its only accepted fingerprint.

    Raises AnchorError when there is nothing to accept, or for a kind from a newer program.
    """
    if _is_foreign(anchor):
        raise AnchorError(
            f"{anchor.target}: this program cannot look at anchors of the kind '{anchor.kind}'",
            f"the kinds it knows are {_names()}",
        )
    observed: Anchor = KINDS[anchor.kind].observe(anchor, world, stamp)
    return observed


def prepare(kind: str, anchors: Sequence[tuple[Anchor, str]], world: World) -> None:
    """Ask the world at once what judging anchors of one kind will ask one by one."""
    if kind in PREPARE:
        PREPARE[kind](anchors, world)


def successors(anchor: Anchor, digest: str, world: World) -> list[str]:
    """Return the other paths that have a say in the verdict of an anchor."""
    if anchor.kind not in SUCCESSORS:
        return []
    return SUCCESSORS[anchor.kind](anchor, digest, world)


def complete(anchor: Anchor, world: World) -> Anchor:
    """Return the anchor with what its name leaves open; raises AnchorError where nothing fits."""
    return COMPLETE[anchor.kind](anchor, world) if anchor.kind in COMPLETE else anchor


def warnings(anchor: Anchor, world: World) -> list[str]:
    """Return what a person should know before resting an entry on an anchor."""
    return WARNINGS[anchor.kind](anchor, world) if anchor.kind in WARNINGS else []


def _is_foreign(anchor: Anchor) -> bool:
    return isinstance(anchor, ForeignAnchor) or anchor.kind not in KINDS


def _names() -> str:
    return ", ".join(KINDS)
