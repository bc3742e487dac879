"""The table of anchor kinds: one module each, named by the kind as it stands in documents.

A module is loaded when an anchor of its kind is met: most entries rest on files alone, and the
readers of lockfiles and syntax trees take longer to load than a command to answer.
"""

import importlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from git_knowl.anchors.base import AnchorError, Stamp, World, unknown
from git_knowl.anchors.unreadable import UNREADABLE, why
from git_knowl.model.anchor import Anchor, ForeignAnchor
from git_knowl.model.verdict import AnchorVerdict

#: kind -> what its module offers beside ``judge`` and ``observe`` of `AnchorKind`:
#: ``prepare``, a question to the world for many anchors at once; ``successors``, other paths that
#: have a say in a verdict; ``complete``, which fills a name in from the world; and ``warnings``,
#: advice to whoever rests an entry on an anchor.
KINDS: dict[str, tuple[str, ...]] = {
    "file": ("prepare", "successors", "warnings"),
    "symbol": ("prepare", "successors", "complete", "warnings"),
    "snippet": ("prepare", "successors", "complete", "warnings"),
    "tree": ("warnings",),
    "package": ("prepare", "successors"),
    "url": (),
    "commit": ("prepare", "complete"),
}


def judge(anchor: Anchor, digest: str, world: World) -> AnchorVerdict:
    """Return the verdict of one anchor.

    One of a kind from a newer program is unknown, and so is what git could not read.
    """
    if _is_foreign(anchor):
        reason = f"this program cannot judge anchors of the kind '{anchor.kind}'"
        return replace(unknown(anchor, reason), expected=f"one of {_names()}", found=anchor.kind)
    try:
        found: AnchorVerdict = module_of(anchor.kind).judge(anchor, digest, world)
    except UNREADABLE as error:
        return unknown(anchor, why(world.repo, error))
    return found


def observe(anchor: Anchor, world: World, stamp: Stamp) -> Anchor:
    """Return the anchor with what stands there now as its only accepted fingerprint.

    Raises AnchorError when there is nothing to accept, or for a kind from a newer program.
    """
    if _is_foreign(anchor):
        raise AnchorError(
            f"{anchor.target}: this program cannot look at anchors of the kind '{anchor.kind}'",
            f"the kinds it knows are {_names()}",
        )
    observed: Anchor = module_of(anchor.kind).observe(anchor, world, stamp)
    return observed


def prepare(kind: str, anchors: Sequence[tuple[Anchor, str]], world: World) -> None:
    """Ask the world at once what judging anchors of one kind will ask one by one.

    What cannot be read for all of them may be read for some, so that is no failure here.
    """
    if _offers(kind, "prepare"):
        with suppress(*UNREADABLE):
            module_of(kind).prepare(anchors, world)


def successors(anchor: Anchor, digest: str, world: World) -> list[str]:
    """Return the other paths that have a say in the verdict of an anchor, as far as can be read."""
    found: list[str] = []
    if _offers(anchor.kind, "successors"):
        with suppress(*UNREADABLE):
            found += module_of(anchor.kind).successors(anchor, digest, world)
    return found


def complete(anchor: Anchor, world: World) -> Anchor:
    """Return the anchor with what its name leaves open; raises AnchorError where nothing fits."""
    if not _offers(anchor.kind, "complete"):
        return anchor
    found: Anchor = module_of(anchor.kind).complete(anchor, world)
    return found


def warnings(anchor: Anchor, world: World) -> list[str]:
    """Return what a person should know before resting an entry on an anchor."""
    if not _offers(anchor.kind, "warnings"):
        return []
    found: list[str] = module_of(anchor.kind).warnings(anchor, world)
    return found


def module_of(kind: str) -> Any:  # an AnchorKind of the anchors of that kind
    """Return the module of a kind out of the table, loaded when it is asked for first."""
    return importlib.import_module(f"git_knowl.anchors.{kind}")


def _offers(kind: str, name: str) -> bool:
    return name in KINDS.get(kind, ())


def _is_foreign(anchor: Anchor) -> bool:
    return isinstance(anchor, ForeignAnchor) or anchor.kind not in KINDS


def _names() -> str:
    return ", ".join(KINDS)
