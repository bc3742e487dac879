"""Starting a child with pipes, by `os.posix_spawn`; `process` is what the rest of us uses.

`subprocess` would do the same and costs more to import than a bare start of Python.
"""

from __future__ import annotations

import fcntl
import os

from git_knowl.errors import KnowlError

_SIGPIPE = 13  # on every POSIX system; `import signal` builds enums and costs 5 ms


class ProgramMissing(KnowlError):
    """A program that is not on the PATH, or that the system refuses to start."""


def spawn(argv: list[str], env: dict[str, str]) -> tuple[int, int, int, int]:
    """Start a program in a session of its own; return its id and our ends of its three streams.

    Our end of its input does not block. Raises ProgramMissing when PATH in ``env`` leads nowhere.
    """
    program = _locate(argv[0], env)
    ours: list[int] = []
    theirs: list[int] = []
    pid = None
    try:
        for number in range(3):
            pair = _pipe()
            ours.append(pair[0] if number else pair[1])
            theirs.append(pair[1] if number else pair[0])
        pid = _posix_spawn(program, argv, env, theirs)
    finally:
        _close_all(theirs)
        if pid is None:
            _close_all(ours)
    os.set_blocking(ours[0], False)
    return pid, ours[0], ours[1], ours[2]


def _posix_spawn(program: str, argv: list[str], env: dict[str, str], streams: list[int]) -> int:
    actions: list[tuple[int, int, int] | tuple[int, int]] = [
        (os.POSIX_SPAWN_DUP2, fd, number) for number, fd in enumerate(streams)
    ]
    actions += [(os.POSIX_SPAWN_CLOSE, fd) for fd in _inheritable()]
    try:
        return os.posix_spawn(
            program, argv, env, file_actions=actions, setsid=True, setsigdef=(_SIGPIPE,)
        )
    except OSError as error:
        raise ProgramMissing(
            f"'{program}' cannot be started: {error.strerror}",
            "see that it is a program that you may run",
        ) from error


def _locate(name: str, env: dict[str, str]) -> str:
    if "/" in name:
        return name
    for folder in env.get("PATH", os.defpath).split(os.pathsep):
        path = os.path.join(folder or os.curdir, name)
        if os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    raise ProgramMissing(f"the program '{name}' was not found", "install it or correct PATH")


def _pipe() -> tuple[int, int]:
    read, write = os.pipe()
    return _above_streams(read), _above_streams(write)


def _above_streams(fd: int) -> int:
    """Move a descriptor past 0 to 2, where one lands whose caller closed a standard stream."""
    if fd > 2:
        return fd
    moved = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 3)
    os.close(fd)
    return moved


def _inheritable() -> list[int]:
    """Return what a caller left open for us: a child that lives on would hold his pipes."""
    try:
        open_now = [int(name) for name in os.listdir("/dev/fd")]
    except OSError:
        return []
    return [fd for fd in open_now if fd > 2 and _is_inherited(fd)]


def _is_inherited(fd: int) -> bool:
    try:
        return os.get_inheritable(fd)
    except OSError:  # the descriptor that listed the folder
        return False


def _close_all(fds: list[int]) -> None:
    for fd in fds:
        os.close(fd)
