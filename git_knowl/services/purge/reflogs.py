"""What the reflogs of our refs lead to, and letting go of it."""

from __future__ import annotations

import os
from collections.abc import Iterable

from git_knowl.plumbing.process import GitError
from git_knowl.plumbing.repository import Repository

_LOG = ("log", "--walk-reflogs", "--no-show-signature", "--no-color", "--format=%H%x00%gs")
_TIMEOUT = 600.0


def entries(repo: Repository, ref: str) -> list[tuple[str, bytes]]:
    """Return commit and message of every entry in the reflog of a ref, none where it has no log."""
    done = repo.run(*_LOG, ref, "--", timeout=_TIMEOUT)
    lines = (line.split(b"\0", 1) for line in done.out.splitlines())
    return [(os.fsdecode(line[0]), line[1]) for line in lines if len(line) == 2]


def expire(repo: Repository, refs: Iterable[str]) -> None:
    """Take all entries out of the reflogs of some refs; the refs stay where they are."""
    named = list(refs)
    if not named:
        return
    asked = ("reflog", "expire", "--expire=all", "--expire-unreachable=all", *named)
    done = repo.run(*asked, timeout=_TIMEOUT)
    if done.code:
        raise GitError(["git", *asked], done.code, done.err.decode("utf-8", "replace"))
