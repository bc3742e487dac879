"""Verdicts of many entries at once: one look at all their paths, history for the few that differ.

The number of git calls does not grow with the number of entries. A world remembers what it has
seen, so the kinds can ask about one path at a time afterwards.
"""

from collections.abc import Iterable

from git_knowl.anchors import file, kinds
from git_knowl.anchors.base import World
from git_knowl.model.anchor import FileAnchor, PackageAnchor
from git_knowl.model.entry import Entry
from git_knowl.model.verdict import Verdict


def judge_entries(entries: Iterable[Entry], world: World) -> dict[str, Verdict]:
    """Return the verdict of every entry by its id, each anchor in the order of the entry."""
    texts = [(entry, entry.digest) for entry in entries]
    world.blobs(sorted({path for entry, _ in texts for path in paths_of(entry)}))
    file.prepare(
        [
            (a, digest)
            for entry, digest in texts
            for a in entry.anchors
            if isinstance(a, FileAnchor)
        ],
        world,
    )
    return {
        entry.id: Verdict(tuple(kinds.judge(anchor, digest, world) for anchor in entry.anchors))
        for entry, digest in texts
    }


def paths_of(entry: Entry) -> list[str]:
    """Return the paths whose content the anchors of an entry rest on."""
    found = []
    for anchor in entry.anchors:
        match anchor:
            case FileAnchor():
                found.append(anchor.path)
            case PackageAnchor():
                found.append(anchor.lockfile)
            case _:
                pass
    return found


def successors_of(entry: Entry, world: World) -> list[str]:
    """Return the paths that have a say in the world's verdict beside those the anchors name."""
    digest = entry.digest
    found = (
        file.successor(anchor, digest, world)
        for anchor in entry.anchors
        if isinstance(anchor, FileAnchor)
    )
    return [path for path in found if path]
