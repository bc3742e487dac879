"""Questions about working files: their content as git stores it, and whether they can be evidence.

Names are compared with the index, never with what a case-folding file system answers to.
"""

from __future__ import annotations

import os
import stat

from git_knowl.plumbing.content import (
    ABSENT,
    DIRECTORY,
    FILTER,
    SPECIAL,
    UNREADABLE,
    ContentError,
    stored_blobs,
    stored_content,
)
from git_knowl.plumbing.listing import index_blobs, intended_paths, is_unmerged, tree_blobs
from git_knowl.plumbing.paths import leads_outside
from git_knowl.plumbing.process import GitError
from git_knowl.plumbing.repository import linked_parent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.plumbing.repository import Repository

__all__ = [
    "ABSENT",
    "DIRECTORY",
    "FILTER",
    "SPECIAL",
    "UNREADABLE",
    "ContentError",
    "anchor_obstacle",
    "index_blobs",
    "intended_paths",
    "is_untracked",
    "leads_outside",
    "nested_repository",
    "stored_blobs",
    "stored_content",
    "tree_blobs",
]

_GITLINK = "160000"


def anchor_obstacle(repo: Repository, path: str) -> str | None:
    """Return why a path from the top cannot be a file anchor, as a sentence, or None.

    A missing file is no obstacle here: whether it was ever there is for the verdict to say.
    """
    if leads_outside(path):
        return f"'{path}' is not a path inside the repository"
    if repo.work_tree is None:
        return _obstacle_in_head(repo, path)
    link = linked_parent(repo.work_tree, path)
    if link:
        return f"'{path}' leads through the symbolic link '{link}'; name the file it points to"
    nested = nested_repository(repo.work_tree, path)
    if nested:
        return f"'{path}' is inside the submodule or repository '{nested}'; anchor it there"
    return _wrong_kind(repo, path) or _unmerged(repo, path) or _ignored(repo, path)


def is_untracked(repo: Repository, path: str) -> bool:
    """Tell whether a path is not in the index; a bare repository shows only what is committed."""
    return not repo.is_bare and path not in index_blobs(repo, [path])


def _obstacle_in_head(repo: Repository, path: str) -> str | None:
    found = tree_blobs(repo, "HEAD", [path]).get(path)
    if found is not None and found[0] == "040000":
        return _is_directory(path)
    if found is not None and found[0] == _GITLINK:
        return f"'{path}' is a submodule; anchor the file there"
    return None


def nested_repository(top: str, path: str) -> str | None:
    """Return the first folder on the way that is a repository of its own, registered or not."""
    parts = path.split("/")
    for count in range(1, len(parts) + 1):
        folder = "/".join(parts[:count])
        if os.path.lexists(os.path.join(top, folder, ".git")):
            return folder
    return None


def _wrong_kind(repo: Repository, path: str) -> str | None:
    try:
        mode = os.lstat(os.path.join(repo.require_work_tree(), path)).st_mode
    except OSError:
        return None
    if stat.S_ISDIR(mode):
        return _is_directory(path)
    if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
        return f"'{path}' is neither a regular file nor a symbolic link"
    return None


def _is_directory(path: str) -> str:
    return f"'{path}' is a directory; name a file in it, or all of them as tree:{path}"


def _unmerged(repo: Repository, path: str) -> str | None:
    """Return that a merge left a path in conflict; markers alone prove nothing, docs quote them."""
    if is_unmerged(repo, path):
        return f"'{path}' has unresolved merge conflicts; resolve and stage it first"
    return None


def _ignored(repo: Repository, path: str) -> str | None:
    # The command refuses literal pathspecs; with a dot before it no path is taken for magic.
    done = repo.run("check-ignore", "--quiet", "--", f"./{path}", literal=False)
    if done.code == 0:
        return f"'{path}' is ignored by git, so no other checkout has it"
    words = done.err.decode("utf-8", "replace")
    if "is in submodule" in words:
        return f"'{path}' is inside a submodule; anchor it there"
    if done.code != 1:
        raise GitError(["git", "check-ignore"], done.code, words)
    return None
