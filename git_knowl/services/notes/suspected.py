"""What a hook found to have turned suspect, kept until somebody has time to put it into notes.

This module is light: a git command waits for it.
"""

from __future__ import annotations

from git_knowl.model.text import for_terminal
from git_knowl.plumbing.small_files import append

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_knowl.plumbing.repository import Repository

    #: A commit, the entry it turned suspect, and the path by which it did.
    Suspect = tuple[str, str, str]

SUSPECTED = "suspected"
#: Lines that begin with the commit; beside the worktree.
PENDING = "suspected"


def keep_suspects(repo: Repository, found: Iterable[Suspect]) -> None:
    """Keep what turned suspect for whoever writes notes next."""
    lines = "".join(f"{commit} {said(SUSPECTED, name, path)}\n" for commit, name, path in found)
    if lines:
        append(repo.worktree_path(PENDING), lines.encode())


def said(*words: str) -> str:
    """Return one line without anything invisible in it."""
    return for_terminal(" ".join(words), single_line=True)
