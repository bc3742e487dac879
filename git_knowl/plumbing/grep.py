"""Lines of a commit's files that match a pattern, and who wrote a line."""

from __future__ import annotations

import os
from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.plumbing.repository import Repository

_TIMEOUT = 120.0
_NOTHING_FOUND = 1


@dataclass(frozen=True, slots=True)
class Hit:
    """One matching line; lines count from 1."""

    path: str
    line: int
    text: str


def find_lines(repo: Repository, rev: str, pattern: str) -> list[Hit]:
    """Return the lines of text files in a revision that match an extended regular expression."""
    asked = ("grep", "-z", "-n", "-I", "-E", "--no-color", "--full-name", "-e", pattern, rev)
    out = repo.git(*asked, ok=(0, _NOTHING_FOUND), timeout=_TIMEOUT)
    hits = (line.split(b"\0", 2) for line in out.split(b"\n") if line.count(b"\0") > 1)
    return [
        Hit(os.fsdecode(name)[len(rev) + 1 :], int(number), text.decode("utf-8", "replace"))
        for name, number, text in hits
    ]


def line_author(repo: Repository, rev: str, hit: Hit) -> str | None:
    """Return the commit that last changed the line of a hit, None where git cannot say."""
    asked = ("blame", "--porcelain", f"-L{hit.line},{hit.line}", rev, "--", hit.path)
    done = repo.run(*asked, timeout=_TIMEOUT)
    first = done.out.split(b" ", 1)[0].decode("ascii")
    return first if done.code == 0 and len(first) == len(repo.zero_id) else None
