"""What git can tell of the state a repository is in: its size, its locks, the refs of ours."""

from __future__ import annotations

import os
from dataclasses import dataclass

from git_knowl.plumbing import refs
from git_knowl.plumbing.lock import Lock
from git_knowl.plumbing.process import GitError
from git_knowl.plumbing.repository import Repository

PACKED = "packed-refs.lock"
#: The one lock of a repository whose refs are kept as a table.
TABLE = os.path.join("reftable", "tables.list.lock")
PREFIXES = ("refs/knowl", "refs/knowl-local", "refs/knowl-remotes")
TIMEOUT = 300.0


@dataclass(frozen=True, slots=True)
class LockFile:
    """A lock file as it was seen: when it was last written, by which user.

    ``is_ours`` tells that it locks a ref of the store and nothing else.
    """

    path: str
    at: float
    user: int
    is_ours: bool


@dataclass(frozen=True, slots=True)
class Objects:
    """How many objects stand in files of their own, and how many bytes they take."""

    loose: int
    bytes: int


def lock_files(repo: Repository) -> list[LockFile]:
    """Return the lock files that can keep the store from being written."""
    found = [_seen(os.path.join(repo.common_dir, name), is_ours=False) for name in (PACKED, TABLE)]
    found += [_seen(path, is_ours=True) for path in _ref_locks(repo)]
    return [one for one in found if one is not None]


def _ref_locks(repo: Repository) -> list[str]:
    paths = [os.path.join(repo.common_dir, f"{refs.NOTES}.lock")]
    for prefix in PREFIXES:
        for folder, _, names in os.walk(os.path.join(repo.common_dir, prefix)):
            paths += [os.path.join(folder, name) for name in names if name.endswith(".lock")]
    return sorted(paths)


def _seen(path: str, *, is_ours: bool) -> LockFile | None:
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return LockFile(path, status.st_mtime, status.st_uid, is_ours)


def remove_lock(seen: LockFile, held: Lock, oldest: float) -> bool:
    """Remove a lock that did not change since it was seen; tell whether it went.

    Only while the lock of the clone is ``held`` and works, and only when it is older than
    ``oldest`` seconds by the clock of the file system.
    """
    now = _seen(seen.path, is_ours=seen.is_ours)
    if now != seen or not seen.is_ours or not held.works or held.now() - seen.at <= oldest:
        return False
    os.unlink(seen.path)
    return True


def drop_ref(repo: Repository, ref: str) -> None:
    """Take a ref away, broken or not; git does not delete one whose file holds no id."""
    if repo.run("update-ref", "--no-deref", "-d", ref).code == 0:
        return
    path = os.path.join(repo.common_dir, ref)
    if os.path.isfile(path):
        os.unlink(path)


def symbolic(repo: Repository) -> dict[str, str]:
    """Return the refs of the store that only point at another ref, with that ref."""
    asked = ("for-each-ref", "--format=%(symref) %(refname)", *PREFIXES, refs.NOTES)
    lines = os.fsdecode(repo.run(*asked).out).splitlines()
    pairs = (line.split(" ", 1) for line in lines)
    return {name: target for target, name in pairs if target}


def missing(repo: Repository, tips: list[str]) -> str | None:
    """Return in git's words what cannot be reached from some commits, None when all is there."""
    asked = ("rev-list", "--objects", "--quiet", "--stdin")
    stdin = "".join(f"{tip}\n" for tip in tips).encode("ascii")
    done = repo.run(*asked, stdin=stdin, timeout=TIMEOUT)
    if done.code == 0:
        return None
    return GitError(["git", *asked], done.code, done.err.decode("utf-8", "replace")).message


def size(repo: Repository, tips: list[str]) -> int:
    """Return how many bytes the objects take that can be reached from some commits."""
    asked = ("rev-list", "--objects", "--disk-usage", "--stdin")
    stdin = "".join(f"{tip}\n" for tip in tips).encode("ascii")
    return int(repo.git(*asked, stdin=stdin, timeout=TIMEOUT).split()[0])


def loose_objects(repo: Repository) -> Objects:
    """Return what stands outside of packs, whoever made it."""
    lines = repo.git("count-objects", "-v").decode("ascii", "replace").splitlines()
    told = dict(line.split(": ", 1) for line in lines if ": " in line)
    return Objects(int(told["count"]), int(told["size"]) * 1024)
