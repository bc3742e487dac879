"""What the head of git's index tells for the price of reading twelve bytes."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.plumbing.repository import Repository


def path_of(repo: Repository) -> str:
    """Return where git keeps the index of this worktree."""
    return os.path.join(repo.git_dir, "index")


def header(repo: Repository) -> tuple[int, int]:
    """Return the version of the index and how many entries it has; zeros without one."""
    try:
        with open(path_of(repo), "rb") as file:
            head = file.read(12)
    except OSError:
        return 0, 0
    return int.from_bytes(head[4:8], "big"), int.from_bytes(head[8:], "big")
