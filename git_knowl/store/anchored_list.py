"""The list of anchored paths that the shims of the hooks look changed paths up in.

One path a line, sorted, in the common folder of all worktrees. A line is met by a changed file or
by a folder above one, so that a pathspec is listed as the folder that holds all it matches; ``.``
is met by every change. The first line tells for which tips of the store the list is whole: it is no
path, since none begins with a slash.
"""

from __future__ import annotations

import os

from git_knowl.plumbing import between
from git_knowl.plumbing.small_files import drop, put
from git_knowl.store import touched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from git_knowl.plumbing.repository import Repository
    from git_knowl.store.cache import CacheReader

NAME = "anchored-paths"
#: Git quotes a name with one of these when it lists paths by line, so no shim would find it.
QUOTED = frozenset(('"', "\\", "\x7f", *map(chr, range(32))))


def keep_list(repo: Repository, cache: CacheReader) -> None:
    """Write the list for the tips of a cache unless it is there; nowhere to write, no list.

    Without a list the shims start Python, which is slower and not wrong.
    """
    path = repo.shared_path(NAME)
    head = _head(cache.tips)
    if _first_line(path) == head:
        return
    lines = sorted({os.fsencode(met_by(line)) for line in _lines(repo, cache)})
    if not put(path, b"\n".join([head, *lines, b""])):
        drop(path)


def met_by(path: str) -> str:
    """Return the path itself, or the nearest folder above that a shim can be told of."""
    while not QUOTED.isdisjoint(path):
        path = os.path.dirname(path)
    return path or touched.TOP


def _lines(repo: Repository, cache: CacheReader) -> Iterator[str]:
    yield from touched.paths(cache)
    for one in touched.of_kind(cache, touched.TREE):
        yield touched.reach(one.path or "")
    commits = {commit for one in touched.of_kind(cache, touched.COMMIT) for commit in one.known}
    for paths in between.touched_by(repo, commits).values():
        yield from paths


def _head(tips: Mapping[str, str | None]) -> bytes:
    return "".join(("//", *(f" {tips[lane] or '-'}" for lane in sorted(tips)))).encode("ascii")


def _first_line(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.readline().rstrip(b"\n")
    except OSError:
        return None
