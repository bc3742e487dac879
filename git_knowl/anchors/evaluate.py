"""Verdicts of many entries at once: one look at all their paths, history for the few that differ.

The number of git calls does not grow with the number of entries. A world remembers what it has
seen, so the kinds can ask about one path at a time afterwards.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from git_knowl.anchors import kinds
from git_knowl.anchors.base import World
from git_knowl.anchors.needs import Others, gathered, with_links
from git_knowl.anchors.unreadable import UNREADABLE
from git_knowl.model.anchor import (
    FileAnchor,
    PackageAnchor,
    SnippetAnchor,
    SymbolAnchor,
    TreeAnchor,
)
from git_knowl.model.entry import Entry
from git_knowl.model.verdict import AnchorVerdict, Verdict
from git_knowl.plumbing.sets import PathspecError


def judge_entries(
    entries: Iterable[Entry], world: World, others: Others | None = None
) -> dict[str, Verdict]:
    """Return the verdict of every entry by its id, each anchor in the order of its evidence.

    ``others`` gives the entries that these need; without it, only one among them can stand behind a
    link.
    """
    asked = list(entries)
    known = gathered(asked, others or Others())
    own = judge_anchors(known.values(), world)
    verdicts = with_links(known, own, others or Others())
    return {entry.id: verdicts[entry.id] for entry in asked}


def judge_anchors(entries: Iterable[Entry], world: World) -> dict[str, tuple[AnchorVerdict, ...]]:
    """Return what the anchors of entries say, links to other entries left out."""
    texts = [(entry, entry.digest) for entry in entries]
    world.blobs(sorted({path for entry, _ in texts for path in paths_of(entry)}))
    _prepare(texts, world)
    return {
        entry.id: tuple(kinds.judge(anchor, digest, world) for anchor in entry.anchors)
        for entry, digest in texts
    }


def paths_of(entry: Entry) -> list[str]:
    """Return the paths whose content the anchors of an entry rest on, sets of files left out."""
    found = []
    for anchor in entry.anchors:
        match anchor:
            case FileAnchor() | SymbolAnchor() | SnippetAnchor():
                found.append(anchor.path)
            case PackageAnchor():
                found.append(anchor.lockfile)
            case _:
                pass
    return found


def successors_of(entry: Entry, world: World) -> list[str]:
    """Return the paths that have a say in the world's verdict beside those the anchors name."""
    digest = entry.digest
    found: list[str] = []
    for anchor in entry.anchors:
        found += kinds.successors(anchor, digest, world)
        if isinstance(anchor, SnippetAnchor | SymbolAnchor):
            with suppress(*UNREADABLE):
                found += world.companions(anchor.path)
    return list(dict.fromkeys(found))


def looked_at(entry: Entry, world: World) -> list[str]:
    """Return the files of sets that were looked at one by one, because git could not tell them."""
    found: list[str] = []
    for anchor in entry.anchors:
        if isinstance(anchor, TreeAnchor):
            with suppress(PathspecError, *UNREADABLE):
                found += world.files(anchor.pathspec).looked
    return found


def _prepare(texts: Sequence[tuple[Entry, str]], world: World) -> None:
    together: dict[str, list[tuple[Any, str]]] = {}
    for entry, digest in texts:
        for anchor in entry.anchors:
            together.setdefault(anchor.kind, []).append((anchor, digest))
    for kind, anchors in together.items():
        kinds.prepare(kind, anchors, world)
