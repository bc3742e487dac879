"""Git's own maintenance, as thorough as it gets: whatever nothing points at is gone after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.builders import RepoBuilder

MAINTENANCE = (
    ("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all"),
    ("pack-refs", "--all", "--prune"),
    ("repack", "-a", "-d", "-q"),
    ("prune", "--expire=now"),
    ("worktree", "prune", "--expire=now"),
    ("gc", "--prune=now", "--quiet"),
)
#: What comes to the same in two commands: git runs most of the others by itself.
QUICK = (MAINTENANCE[0], MAINTENANCE[-1])


def maintain(*repos: RepoBuilder, commands: Sequence[Sequence[str]] = MAINTENANCE) -> None:
    """Let git clean repositories up, of all that it may."""
    for repo in repos:
        for command in commands:
            repo.git(*command)
