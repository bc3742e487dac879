"""How often a file that moved is found again: `python -m tests.bench.renames GITDIR…`.

For every rename that git sees in the last commits of a history, an anchor is accepted before the
commit and judged after it. Moved without an edit, the verdict must stay active and name the new
place; moved with an edit, it must be suspect and say where the file went.
"""

import argparse
import os
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from git_knowl.anchors import file
from git_knowl.anchors.worlds import CommitWorld
from git_knowl.model.anchor import FileAnchor, FileFingerprint
from git_knowl.model.status import ACTIVE, SUSPECT
from git_knowl.plumbing.repository import Repository, discover
from tests.bench.signals import name_of

COMMITS = 2000
MOST = 400
DAY = "2026-11-30T10:00:00Z"
TEXT = "0" * 64
UNCHANGED = 100
OUTCOMES = ("followed", "copies", "lost")


class Rename(NamedTuple):
    """A file that a commit moved, with the blob it had before and the likeness in percent."""

    commit: str
    old: str
    new: str
    blob: str
    likeness: int


def renames(repo: Repository, count: int) -> Iterator[Rename]:
    """Yield the renames of the last commits, the newest first."""
    asked = ("log", "--raw", "-z", "-M", "--no-abbrev", "--diff-filter=R", "--no-merges")
    out = repo.git(*asked, "--format=%x01%H", f"-{count}", timeout=600.0)
    commit = ""
    tokens = iter(os.fsdecode(out).split("\0"))
    for token in tokens:
        if token.startswith("\x01"):
            commit = token[1:]
        elif token.lstrip("\n").startswith(":"):
            fields = token.split()
            yield Rename(commit, next(tokens), next(tokens), fields[2], int(fields[4][1:]))


def outcome(repo: Repository, one: Rename) -> str:
    """Return what an anchor on the old path says right after the commit."""
    blob = f"{repo.object_format}:{one.blob}"
    accepted = FileFingerprint(TEXT, "", blob, DAY, "Bench <b@example.org>", "terminal")
    world = CommitWorld(repo, one.commit, DAY)
    verdict = file.judge(FileAnchor(one.old, (accepted,)), TEXT, world)
    expected = ACTIVE if one.likeness == UNCHANGED else SUSPECT
    if verdict.status == expected and verdict.moved_to == one.new:
        return "followed"
    return "copies" if len(world.holders({one.blob})) > 1 else "lost"


def row(folder: str, count: int) -> str:
    """Return the table row of one history."""
    repo = discover(folder, os.environ)
    found = list(renames(repo, count))
    step = max(1, len(found) // MOST)
    told = Counter((one.likeness == UNCHANGED, outcome(repo, one)) for one in found[::step])
    cells = [told[is_exact, what] for is_exact in (True, False) for what in OUTCOMES]
    return f"| {name_of(folder)} | {' | '.join(map(str, cells))} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.renames")
    parser.add_argument("folders", nargs="+", metavar="GITDIR")
    parser.add_argument("--commits", type=int, default=COMMITS)
    asked = parser.parse_args()
    print("| history | moved: followed | copies | lost | moved and edited: told | copies | lost |")
    print("|---|---|---|---|---|---|---|")
    for folder in asked.folders:
        print(row(folder, asked.commits), flush=True)


if __name__ == "__main__":
    main()
