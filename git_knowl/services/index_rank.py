"""Which entries come before others that are as urgent: those near the work, then those of use.

Both enter in coarse steps, so that the block does not change with every keystroke: how near is told
by folder, and of what use by powers of four (`services.use_steps`).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from git_knowl.plumbing.working import Work
    from git_knowl.store.cache import CacheReader, EntryRow

#: An entry rests on a file that is worked on, on one in the same folder, or in the same part of
#: the tree (two levels deep, as the tail of the block counts). What the branch has committed is a
#: step farther than what differs now.
ON_IT, BESIDE, SAME_PART = range(3)
COMMITTED = 1
FAR = SAME_PART + COMMITTED + 1
MOST_FOLDERS = 40
PART_DEPTH = 2
TOP_PART = "."


class Ranking:
    """What is known of the work and of use; ``ids`` are entries that may come before others."""

    __slots__ = ("_near", "_parts", "_steps", "ids")

    def __init__(
        self,
        near: Mapping[str, int],
        parts: Mapping[str, int],
        steps: Mapping[str, int],
    ) -> None:
        self._near = near
        self._parts = parts
        self._steps = steps
        self.ids = {*near, *steps}

    def of(self, row: EntryRow) -> tuple[int, int]:
        """Return how far an entry is from the work and, less for more, of what use it was."""
        beyond = self._parts.get(row.place, FAR)
        return min(self._near.get(row.id, FAR), beyond), -self._steps.get(row.id, 0)


def ranking(cache: CacheReader, work: Work, steps: Mapping[str, int]) -> Ranking:
    """Return what comes first where this is worked on, and entries were of such use."""
    near: dict[str, int] = {}
    parts: dict[str, int] = {}
    for farther, paths in ((COMMITTED, work.committed), (0, work.differing)):
        folders = sorted({path.rpartition("/")[0] for path in paths})
        touched = sorted({part(folder) for folder in folders})[:MOST_FOLDERS]
        parts |= dict.fromkeys(touched, SAME_PART + farther)
        for distance, ids in _levels(cache, paths, folders, touched):
            near |= {one: min(distance + farther, near.get(one, FAR)) for one in ids}
    return Ranking(near, parts, steps)


def part(folder: str) -> str:
    """Return what the cache calls the part of the tree that a folder belongs to."""
    return "/".join(folder.split("/")[:PART_DEPTH]) or TOP_PART


def _levels(
    cache: CacheReader, paths: Collection[str], folders: list[str], parts: list[str]
) -> Iterator[tuple[int, list[str]]]:
    if paths:
        from git_knowl.store import nearby  # noqa: PLC0415 - where nothing is worked on, not read

        yield SAME_PART, nearby.in_places(cache, parts)
        yield BESIDE, nearby.in_folders(cache, [*filter(None, folders)][:MOST_FOLDERS])
        yield ON_IT, nearby.on_paths(cache, paths)
