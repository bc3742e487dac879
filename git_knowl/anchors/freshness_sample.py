"""The files that verdicts rest on, as they were when the verdicts were made.

Two rules keep a stored stat from vouching for content nobody judged: it is taken before the content
is looked at, and that of a file too young to be told from one changed a moment later is void.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from git_knowl.anchors import freshness
from git_knowl.anchors.freshness import Stat
from git_knowl.anchors.freshness_file import PathRow
from git_knowl.anchors.past import committed_blobs
from git_knowl.anchors.worlds import DefaultWorld, WorkTreeWorld
from git_knowl.plumbing.process import GitError
from git_knowl.plumbing.worktree import leads_outside


@dataclass(frozen=True, slots=True)
class Sample:
    """The stat of every path that is looked at itself, and which folders above them are links."""

    stats: dict[str, Stat] = field(default_factory=dict)
    links: dict[bytes, bool] = field(default_factory=dict)

    @classmethod
    def before(cls, world: DefaultWorld, paths: Iterable[str]) -> "Sample":
        """Take the stats of paths that are to be judged next."""
        sample = cls()
        if isinstance(world, WorkTreeWorld):
            top = os.fsencode(world.repo.require_work_tree()) + b"/"
            for path in paths:
                if not leads_outside(path):
                    sample._add(top, path)
        return sample

    def after(self, world: DefaultWorld, paths: Iterable[str]) -> "Sample":
        """Return the sample with more paths, which turned out to matter while others were judged.

        They were judged before their stat was taken; a second look tells whether it holds all the
        same.
        """
        late = [path for path in paths if path not in self.stats]
        if not late or not isinstance(world, WorkTreeWorld):
            return self
        more = Sample.before(world, late)
        first, second = world.blobs(late), WorkTreeWorld(world.repo, world.now).blobs(late)
        stats = {
            path: found if first[path] == second[path] else freshness.NEVER
            for path, found in more.stats.items()
        }
        return Sample(self.stats | stats, more.links | self.links)

    def rows(self, world: DefaultWorld, base: str, start: int) -> list[PathRow]:
        """Return the rows to store; ``start`` is the time before the first stat was taken."""
        if not isinstance(world, WorkTreeWorld):
            return []
        paths = list(self.stats)
        marks = world.marks(paths)
        based = {path for path in _like_base(world, base, paths) if marks[path] == ""}
        return [
            (
                os.fsencode(path),
                *freshness.settled(found, start),
                path in based,
                marks[path],
            )
            for path, found in self.stats.items()
        ]

    def _add(self, top: bytes, path: str) -> None:
        name = os.fsencode(path)
        above = freshness.folders_above(name)
        for folder in above:
            if folder not in self.links:
                self.links[folder] = freshness.is_link(top + folder)
        # A file behind a link is absent to git, whatever its stat says; the link alone is watched.
        if not any(self.links[folder] for folder in above):
            self.stats[path] = freshness.lstat(top + name)


def _like_base(world: WorkTreeWorld, base: str, paths: list[str]) -> Iterable[str]:
    held: Mapping[str, str | None] = {}
    if base == world.head:
        held = world.committed(paths)
    elif base:
        try:
            held = committed_blobs(world.repo, base, paths)
        except GitError:  # it was amended and is gone
            held = {}
    seen = world.blobs(paths)
    return (path for path in paths if held.get(path) and held[path] == seen[path].blob)
