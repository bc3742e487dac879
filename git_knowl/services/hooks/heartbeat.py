"""Signs of life of the hooks in this clone, and what became of the last one that failed.

This module is on the path of the git hooks: it loads the standard library and git alone.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_knowl.plumbing.repository import Repository

#: What is younger than the shims was not seen by a hook that came before them.
SHIM = ("hooks", "run")
BEAT = "heartbeat"
FAILURE = "hook-failure"
#: What HEAD's reflog says of moves after which git runs a hook of ours.
FIRING = ("commit", "checkout", "merge", "pull", "cherry-pick", "revert", "rebase (finish)")
#: So many of HEAD's last moves are looked at.
LOOKED_AT = 200


def last_beat(repo: Repository) -> float | None:
    """Return when a hook last fired in this worktree, in seconds since the epoch."""
    return changed_at(repo.worktree_path(BEAT))


def missed(repo: Repository) -> int:
    """Return how many moves of HEAD in this worktree came after the last sign of life.

    Moves before the shims were put in do not count; 0 as well where no shim is.
    """
    installed = changed_at(repo.shared_path(*SHIM))
    if installed is None:
        return 0
    since = max(installed, last_beat(repo) or 0.0)
    asked = ("log", "-g", f"-n{LOOKED_AT}", "--date=unix", "--format=%gd%x00%gs", "HEAD", "--")
    lines = os.fsdecode(repo.run(*asked).out).splitlines()
    return sum(is_later(line, since) for line in lines)


def is_later(line: str, since: float) -> bool:
    """Tell whether a line of the reflog is a move that fires hooks, in a second after a time."""
    moment, _, what = line.partition("\0")
    at = moment.partition("{")[2].rstrip("}")
    return at.isdigit() and int(at) > int(since) and what.startswith(FIRING)


def note_failure(repo: Repository, frames: Sequence[str]) -> None:
    """Keep what went wrong in a hook; where that cannot be written, nobody is told."""
    path = repo.shared_path(FAILURE)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write("\n".join(frames) + "\n")
    except OSError:
        return


def forget_failure(repo: Repository) -> None:
    """Take back what was noted, since a hook has done its work again."""
    try:
        os.unlink(repo.shared_path(FAILURE))
    except OSError:
        return


def failure(repo: Repository) -> str | None:
    """Return what went wrong in the last hook, or None when it did its work."""
    try:
        with open(repo.shared_path(FAILURE), encoding="utf-8") as file:
            return file.read().strip()
    except (OSError, UnicodeDecodeError):
        return None


def changed_at(path: str) -> float | None:
    """Return when a file was last written, None without one."""
    try:
        return os.stat(path).st_mtime
    except OSError:
        return None
