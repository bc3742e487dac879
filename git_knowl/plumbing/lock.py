"""The queue of writers: one file lock for all worktrees of a clone.

The lock dies with its process, so there is nothing to clean up after a kill. It only orders the
writers; what proves that nothing was lost is the compare-and-swap in `refs`.

Waiting means trying again and again, which favours whoever has just let go: eight writers without a
pause between their writes kept others out for half a minute. So there are two locks. Only the
holder of the turn tries for the lock itself, and for the turn those who waited longest try most
often.
"""

from __future__ import annotations

import errno
import fcntl
import os
import time

from git_knowl.errors import KnowlError, MovedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from git_knowl.plumbing.repository import Repository

NAME = "lock"
TURN_SUFFIX = ".turn"
_UNSUPPORTED = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)
_SHORTEST_PAUSE = 0.001
_LONGEST_PAUSE = 0.02


class LockFolderError(KnowlError):
    """The folder for the lock cannot be written to."""


def flock(repo: Repository, timeout: float = 30.0) -> Lock:
    """Return the lock of a clone, to be held in a `with` block from reading a tip to publishing.

    Entering waits up to ``timeout`` seconds, then raises MovedError. It is not reentrant.
    """
    return Lock(repo.shared_path(NAME), timeout)


class Lock:
    """An exclusive lock on a file; ``works`` is false where the file system has no locks."""

    __slots__ = ("_fd", "path", "timeout", "works")

    def __init__(self, path: str, timeout: float) -> None:
        self.path = path
        self.timeout = timeout
        self.works = False
        self._fd = -1

    def __enter__(self) -> Self:
        deadline = time.monotonic() + self.timeout
        turn = _open(self.path + TURN_SUFFIX)
        entered = False
        try:
            self._acquire(turn, deadline, _LONGEST_PAUSE)
            self._fd = _open(self.path)
            self.works = self._acquire(self._fd, deadline, _SHORTEST_PAUSE)
            entered = True
        finally:
            os.close(turn)
            if not entered:
                self._close()
        return self

    def __exit__(self, *failure: object) -> None:
        self._close()

    def now(self) -> float:
        """Return the present time by the clock of the file system, which stamps other locks too."""
        os.utime(self._fd)
        return os.fstat(self._fd).st_mtime

    def _close(self) -> None:
        self.works = False
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _acquire(self, fd: int, deadline: float, pause: float) -> bool:
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno in _UNSUPPORTED:
                    return False
                self._wait(error, pause, deadline)
                pause = max(_SHORTEST_PAUSE, pause * 0.8)
            else:
                return True

    def _wait(self, error: OSError, pause: float, deadline: float) -> None:
        if error.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EINTR):
            raise LockFolderError(
                f"cannot lock '{self.path}': {error.strerror}",
                "writing needs a file system on which files can be locked",
            ) from error
        if time.monotonic() > deadline:
            raise MovedError(
                f"another writer held '{self.path}' for {self.timeout:g} seconds",
                "try again when it is done",
            )
        time.sleep(pause)


def _open(path: str) -> int:
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise LockFolderError(
            f"cannot write to '{os.path.dirname(path)}': {error.strerror}",
            "writing needs a repository you may write to",
        ) from error
