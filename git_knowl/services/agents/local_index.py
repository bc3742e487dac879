"""The index in an instruction file of the worktree, for a host that may show it nothing at a start.

Git does not see the file. It is brought up to the store when a session starts, when git has done
something and when something was written here; what stands in it was true at the last of these.
"""

from __future__ import annotations

import os

from git_knowl.plumbing import small_files
from git_knowl.services.agents.event import NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.plumbing.repository import Repository
    from git_knowl.services.agents.event import Said
    from git_knowl.services.context import Context

#: Host -> its file, from the top of the worktree.
FILES = {"cursor": ".cursor/rules/knowl-index.mdc"}
#: What such a file begins with, and how it is told from one of somebody else.
HEAD = """\
---
description: What earlier sessions found out in this repository
alwaysApply: true
---
<!-- Kept up by git-knowl while `git knowl agent` has it installed; `git knowl index` is live. -->
"""
_MOST_HEAD = 2_000


def path_of(repo: Repository, host: str) -> str:
    """Return where the file of a host lies in this worktree, '' where it is not ours to write.

    It has to be installed: a file that is there, without a link on the way.
    """
    name = FILES.get(host)
    if name is None or repo.work_tree is None:
        return ""
    path = os.path.join(repo.work_tree, name)
    if not _is_ours(path):
        return ""
    is_plain = os.path.realpath(path) == os.path.join(os.path.realpath(repo.work_tree), name)
    return path if is_plain else ""


def installed(repo: Repository) -> list[str]:
    """Return the files of all hosts that are installed in this worktree."""
    return [path for host in FILES if (path := path_of(repo, host))]


def instead(ctx: Context, host: str, said: Said) -> Said:
    """Put what a starting session would be told into the file; say it where there is none."""
    path = path_of(ctx.repo, host)
    if not path:
        return said
    put([path], said.context)
    return NOTHING


def put(paths: list[str], text: str) -> None:
    """Write an index into some files, each only where it says something else."""
    data = (HEAD + text).encode()
    for path in paths:
        if not small_files.holds(path, data):
            small_files.put(path, data)


def _is_ours(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(_MOST_HEAD).startswith(HEAD.encode())
    except OSError:
        return False
