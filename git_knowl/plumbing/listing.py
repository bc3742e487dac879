"""What the index and trees hold: modes and blob ids by path, compared by exact name."""

from __future__ import annotations

import os

from git_knowl.plumbing.encoding import object_id
from git_knowl.plumbing.paths import leads_outside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_knowl.plumbing.repository import Repository

# Git compares every index entry with every pathspec; beyond this it is cheaper to list all and
# look the paths up here.
_PATHSPECS = 100
_TREE_PATHS = 1000
_TIMEOUT = 600.0
_OURS_STAGE = "2"
_WITH_CONTENT = ("--cached", "--ita-invisible-in-index", "-z", "--name-only", "--no-renames")


def index_blobs(
    repo: Repository, paths: list[str], *, staged: bool = False
) -> dict[str, tuple[str, str, bool]]:
    """Return mode, blob id and the skip-worktree bit of those paths that are in the index.

    ``staged`` reads the index a hook was given. Of an unmerged path the side that is checked out
    counts; an intent to add counts as present.
    """
    wanted = set(paths)
    found: dict[str, tuple[str, str, bool]] = {}
    for path, tag, mode, oid, stage in _index(repo, paths, repo.hook_env if staged else None):
        if path in wanted and (path not in found or stage == _OURS_STAGE):
            found[path] = (mode, oid, tag in "Ss")
    return found


def intended_paths(
    repo: Repository, listed: Mapping[str, str], *, staged: bool = False
) -> set[str]:
    """Return those of the paths, given with their blobs, of which the index has no content.

    An intent to add looks in a listing as if an empty file had been added.
    """
    empty = object_id("blob", b"", repo.object_format)
    doubtful = [path for path, oid in listed.items() if oid == empty]
    if not doubtful:
        return set()
    few = ["--", *doubtful] if len(doubtful) <= _PATHSPECS else []
    nothing = object_id("tree", b"", repo.object_format)
    env = repo.hook_env if staged else None
    held = repo.git("diff-index", *_WITH_CONTENT, nothing, *few, env=env, timeout=_TIMEOUT)
    return set(doubtful).difference(os.fsdecode(held).split("\0"))


def tracked_paths(repo: Repository) -> list[str]:
    """Return every path in the index; in a bare repository, every path of HEAD."""
    if repo.is_bare:
        listed = repo.git(
            "ls-tree", "-r", "-z", "--name-only", "HEAD", ok=(0, 128), timeout=_TIMEOUT
        )
    else:
        listed = repo.git("ls-files", "-z", timeout=_TIMEOUT)
    return list(dict.fromkeys(os.fsdecode(listed).split("\0")[:-1]))


def untracked_paths(repo: Repository) -> list[str]:
    """Return the files git does not track; a folder of ignored ones stands for what is in it."""
    if repo.is_bare:
        return []
    others = ("ls-files", "-z", "--others", "--exclude-standard")
    listed = repo.git(*others, timeout=_TIMEOUT)
    listed += repo.git(*others, "--ignored", "--directory", timeout=_TIMEOUT)
    return os.fsdecode(listed).split("\0")[:-1]


def is_unmerged(repo: Repository, path: str) -> bool:
    """Tell whether the index holds several sides of a path, as a merge with conflicts leaves it."""
    return not repo.is_bare and bool(repo.git("ls-files", "-z", "--unmerged", "--", path))


def tree_blobs(repo: Repository, rev: str, paths: list[str]) -> dict[str, tuple[str, str]]:
    """Return mode and object id of those paths that a revision holds."""
    if not paths:
        return {}
    wanted = set(paths)
    few = _inside(paths) if len(wanted) <= _TREE_PATHS else []
    if not few and len(wanted) <= _TREE_PATHS:
        return {}
    return {path: (mode, oid) for path, mode, oid in _tree(repo, rev, few) if path in wanted}


def _inside(paths: list[str]) -> list[str]:
    """Return the paths that can stand in an index or tree; git gives up at any other."""
    return [path for path in paths if not leads_outside(path)]


def _index(
    repo: Repository, paths: list[str], env: dict[str, str] | None
) -> list[tuple[str, str, str, str, str]]:
    """Return path, tag, mode, id and stage of entries that include the given paths."""
    if not paths:
        return []
    few = ["--", *_inside(paths)] if len(paths) <= _PATHSPECS else []
    if few == ["--"]:
        return []
    listed = repo.git("ls-files", "-s", "-v", "-z", *few, env=env, timeout=_TIMEOUT)
    items = []
    for record in os.fsdecode(listed).split("\0")[:-1]:
        head, _, path = record.partition("\t")
        tag, mode, oid, stage = head.split(" ")
        items.append((path, tag, mode, oid, stage))
    return items


def _tree(repo: Repository, rev: str, few: list[str]) -> list[tuple[str, str, str]]:
    """Return path, mode and id of the items at the given paths, or of every file."""
    depth = () if few else ("-r",)
    asked = ("ls-tree", "-z", *depth, "--full-tree", "--end-of-options", rev)
    listed = repo.git(*asked, *few, timeout=_TIMEOUT)
    items = []
    for record in os.fsdecode(listed).split("\0")[:-1]:
        head, _, path = record.partition("\t")
        mode, _, oid = head.split(" ")
        items.append((path, mode, oid))
    return items
