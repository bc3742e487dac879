"""What git itself says of commits and folders that are here, however they came.

A fetch looks at what it brings. What came by another way, such as a copy of the whole object
directory, was looked at by nobody, and a fetch that finds it here does not ask for it again.
"""

from __future__ import annotations

import os

from git_knowl.plumbing.scratch import Scratch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.plumbing.repository import Repository

_TIMEOUT = 600.0
_SAYS = ("error: ", "fatal: ")


def complaint(repo: Repository, listed: bytes) -> str | None:
    """Return what git finds wrong with some objects, None where it finds nothing.

    ``listed`` are lines as `git rev-list --objects` writes them. Nothing is kept.
    """
    with Scratch(repo) as scratch:
        # Into a directory of objects beside the pack: git moves it there by renaming, which no
        # file system takes from another.
        folder = scratch.borrowed["GIT_OBJECT_DIRECTORY"]
        asked = ("pack-objects", "--quiet", "--window=0", os.path.join(folder, "new"))
        env = scratch.borrowed
        made = repo.git(*asked, stdin=listed, env=env, timeout=_TIMEOUT).decode("ascii").split()
        for pack in made:
            told = _look(repo, folder, os.path.join(folder, f"new-{pack}.pack"))
            if told:
                return told
    return None


def _look(repo: Repository, folder: str, pack: str) -> str | None:
    # An empty directory of objects of its own: nothing is compared with what is here.
    env = {"GIT_OBJECT_DIRECTORY": folder, "GIT_ALTERNATE_OBJECT_DIRECTORIES": ""}
    index = os.path.join(folder, "looked-at.idx")
    asked = ("index-pack", "--fsck-objects", "-o", index, pack)
    done = repo.run(*asked, env=env, timeout=_TIMEOUT)
    if done.code == 0:
        return None
    lines = os.fsdecode(done.err).splitlines()
    found = next((line for line in lines if line.startswith(_SAYS)), "git gives no reason")
    return found.partition(": ")[2] or found
