"""What two histories have in common: the tree they both came from.

Where histories cross there are several last common commits. They are merged with one another, by
the same rules, into a tree that stands for them and is stored nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from git_knowl.plumbing.objects import ObjectDatabase
from git_knowl.plumbing.repository import Repository

#: Histories that cross again and again are followed so far back, then one of the commits stands in.
DEPTH = 6
_TIMEOUT = 120.0

#: The last commits that the first one shares with the others taken together.
Common = Callable[..., Sequence[str]]
#: Merge the trees of (base, one, other) and return the tree.
Merge = Callable[[str | None, str, str], str]


class Bases:
    """Common ancestors of commits, with their trees; every answer is kept."""

    def __init__(self, db: ObjectDatabase, common: Common, merge: Merge) -> None:
        self._db = db
        self._common = common
        self._merge = merge
        self._folded: dict[tuple[str, ...], str] = {}

    def tree(self, commits: Sequence[str]) -> str | None:
        """Return the tree that stands for common commits, None for none."""
        return self._fold(tuple(sorted(commits)), 0) if commits else None

    def _fold(self, commits: tuple[str, ...], depth: int) -> str:
        if commits not in self._folded:
            self._folded[commits] = self._made(commits, depth)
        return self._folded[commits]

    def _made(self, commits: tuple[str, ...], depth: int) -> str:
        *before, last = commits
        tree = self._db.read_commit(last).tree
        if not before or depth >= DEPTH:
            return tree
        common = self._common(last, *before)
        base = self._fold(tuple(sorted(common)), depth + 1) if common else None
        return self._merge(base, self._fold(tuple(before), depth), tree)


def common_commits(repo: Repository, one: str, *others: str) -> list[str]:
    """Return the last commits that one history shares with the others taken together."""
    done = repo.git("merge-base", "--all", one, *others, ok=(0, 1), timeout=_TIMEOUT)
    return done.decode("ascii").split()
