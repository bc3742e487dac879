"""The counts of `status` for a prompt, where nothing has moved since somebody counted.

This module is light: a prompt waits for it after every command.
"""

from __future__ import annotations

import os

from git_knowl.anchors.freshness import warm_statuses
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from git_knowl.plumbing import refs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_knowl.plumbing.repository import Repository

    Tips = Mapping[str, str | None]

FILE = "status"
FORMAT = "1"
REFS = (refs.ENTRIES, refs.LOCAL_ENTRIES, refs.INBOX)
#: The counts in the order in which they are printed.
NAMES = (
    *("flags", "drafts", "entries", ACTIVE, SUSPECT, UNKNOWN),
    *("unattended", "damaged", "conflicts"),
)


def warm_counts(repo: Repository, tips: Tips, head: str | None, now: str) -> dict[str, int] | None:
    """Return the counts by name, or None when something must be read or judged first.

    ``tips`` are those of REFS. What was counted on another day is of no use: flags expire.
    """
    kept = read(repo, tips, now[:10])
    if kept is None:
        return None
    lanes = {refs.lane_of(ref): tips[ref] for ref in REFS[:2]}
    judged = warm_statuses(repo, lanes, head, now)
    if judged is None:
        return None
    found = list(judged.values())
    kept[SUSPECT], kept[UNKNOWN] = found.count(SUSPECT), found.count(UNKNOWN)
    kept[ACTIVE] = kept["entries"] - len(found)
    return {name: kept[name] for name in NAMES}


def read(repo: Repository, tips: Tips, day: str) -> dict[str, int] | None:
    """Return what was counted for these tips on this day, or None."""
    try:
        with open(repo.worktree_path(FILE), encoding="ascii") as file:
            if file.readline() != key(tips, day):
                return None
            kept = {name: int(number) for name, number in map(str.split, file)}
    except (OSError, ValueError):
        return None
    return kept if set(kept) == set(NAMES) else None


def keep(repo: Repository, tips: Tips, day: str, counts: Mapping[str, int]) -> None:
    """Keep the counts for the next prompt in this worktree, where that can be written."""
    path = repo.worktree_path(FILE)
    lines = [key(tips, day), *(f"{name} {counts[name]}\n" for name in NAMES)]
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write("".join(lines))
    except OSError:
        return


def key(tips: Tips, day: str) -> str:
    """Return the first line of the file: for what the counts hold."""
    return " ".join((FORMAT, day, *(tips[ref] or "-" for ref in REFS))) + "\n"


def porcelain(counts: Mapping[str, int]) -> str:
    """Return the lines of `status --porcelain`: they stay as they are, more may follow."""
    return "".join(f"{name} {counts[name]}\n" for name in NAMES)
