"""The one way a child process is started.

`os.posix_spawn` with pipes and `poll` stands in for `subprocess`, whose import alone costs more
than a bare start of Python. A child leads a session of its own: it has no terminal to ask on, and a
deadline reaches whatever it started. Importing this module must stay nearly free, so the standard
modules `signal`, `typing` and `contextlib` are out of bounds.
"""

from __future__ import annotations

import os
import select
import time

from git_knowl.errors import KnowlError
from git_knowl.plumbing.spawn import spawn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

# The same numbers on every POSIX system; `import signal` builds enums and costs 5 ms.
_SIGKILL = 9
_SIGTERM = 15
_GRACE = 2.0
_CHUNK = 1 << 18
_STATUS_LOST = 255
#: What the system and git say when a disk or a quota is full; of a lock git names no cause.
_NO_ROOM = ("No space left", "quota exceeded", "File too large", "couldn't write")
_MAKE_ROOM = "make room on the disk, then repeat"
_LOOK = "these are the words of git: see that the repository is whole and that you may write to it"


class GitError(KnowlError):
    """A child that ended in a way nobody asked for; the message is its first telling line."""

    def __init__(self, argv: list[str], code: int, stderr: str, hint: str | None = None) -> None:
        name = os.path.basename(argv[0])
        told = _telling_line(stderr) or f"{name} ended with status {code}"
        super().__init__(told, hint or (_MAKE_ROOM if _lacks_room(stderr) else _LOOK))
        self.argv = argv
        self.code = code
        self.stderr = stderr


class GitTimeout(GitError):
    """A child that outlived its deadline and was stopped."""

    def __init__(self, argv: list[str], seconds: float, stderr: str) -> None:
        super().__init__(argv, _STATUS_LOST, stderr)
        self.message = f"'{' '.join(argv[:1] + argv[-1:])}' did not end within {seconds:g} seconds"
        self.args = (self.message,)


class Finished:
    """What a child left behind: exit status (negative for a signal) and both streams."""

    __slots__ = ("code", "err", "out")

    def __init__(self, code: int, out: bytes, err: bytes) -> None:
        self.code = code
        self.out = out
        self.err = err


def run(
    argv: list[str], env: dict[str, str], stdin: bytes = b"", timeout: float = 60.0
) -> Finished:
    """Run a program to its end and return its status and output.

    Raises GitTimeout after ``timeout`` seconds and ProgramMissing when there is no such program.
    """
    with Conversation(argv, env, timeout) as child:
        return child.finish(stdin)


class Conversation:
    """A child that is written to and read from in turns; every call has the same deadline.

    Bytes move in both directions whenever they can, so neither side can block the other with a
    full pipe. Not for use by two threads at once.
    """

    __slots__ = (
        "_deadline",
        "_err",
        "_out",
        "_pending",
        "_readers",
        "_status",
        "_stdin",
        "argv",
        "pid",
        "timeout",
    )

    def __init__(self, argv: list[str], env: dict[str, str], timeout: float = 60.0) -> None:
        self.argv = argv
        self.timeout = timeout
        self._deadline = 0.0
        self._pending = memoryview(b"")
        self._out = bytearray()
        self._err = bytearray()
        self._status: int | None = None
        try:
            self.pid, self._stdin, out, err = spawn(argv, env)
        except ValueError as error:  # a NUL, or half a character
            words = f"no program can be handed such an argument ({error})"
            raise GitError(argv, 0, words) from error
        self._readers = {out: self._out, err: self._err}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *rest: object) -> None:
        if kind is None:
            self.close()
        else:
            self._stop()

    def __del__(self) -> None:
        if hasattr(self, "_readers"):
            self.close()

    def send(self, data: bytes) -> None:
        """Write all of the bytes; raise GitError when the child stopped listening."""
        self._start_clock()
        self._queue(data)
        while self._pending:
            self._pump()
        if self._stdin < 0:
            raise self._broken()

    def read_line(self) -> bytes:
        """Return the next line without its end; raise GitError when the output ended before."""
        self._start_clock()
        seen = 0
        while (end := self._out.find(b"\n", seen)) < 0:
            seen = len(self._out)
            self._need_output()
        return self._take(end + 1)[:-1]

    def read_exactly(self, count: int) -> bytes:
        """Return so many bytes; raise GitError when the output ended before."""
        self._start_clock()
        while len(self._out) < count:
            self._need_output()
        return self._take(count)

    def finish(self, data: bytes = b"") -> Finished:
        """Send the last bytes, close the input and return what came until the child ended."""
        self._start_clock()
        self._queue(data)
        if not data:
            self._close_stdin()
        while self._readers:
            self._pump()
            if not self._pending:
                self._close_stdin()
        code = self._reap_until(self._deadline)
        if code is None:
            raise self._late()
        return Finished(code, bytes(self._out), bytes(self._err))

    def close(self) -> None:
        """End the conversation: close the pipes, wait a little, then stop the child."""
        self._close_pipes()
        if self._reap_until(time.monotonic() + _GRACE) is None:
            self._stop()

    def _start_clock(self) -> None:
        self._deadline = time.monotonic() + self.timeout

    def _queue(self, data: bytes) -> None:
        if self._stdin >= 0:
            self._pending = memoryview(data)

    def _take(self, count: int) -> bytes:
        taken = bytes(self._out[:count])
        del self._out[:count]
        return taken

    def _need_output(self) -> None:
        if not any(buffer is self._out for buffer in self._readers.values()):
            raise self._broken()
        self._pump()

    def _pump(self) -> None:
        poller = select.poll()
        if self._pending:
            poller.register(self._stdin, select.POLLOUT)
        for fd in self._readers:
            poller.register(fd, select.POLLIN)
        events = poller.poll(max(0.0, self._deadline - time.monotonic()) * 1000)
        if not events:
            raise self._late()
        for fd, _ in events:
            if fd == self._stdin:
                self._write()
            else:
                self._read(fd)

    def _write(self) -> None:
        try:
            self._pending = self._pending[os.write(self._stdin, self._pending[:_CHUNK]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._close_stdin()

    def _read(self, fd: int) -> None:
        data = os.read(fd, _CHUNK)
        if data:
            self._readers[fd] += data
        else:
            del self._readers[fd]
            os.close(fd)

    def _close_stdin(self) -> None:
        self._pending = memoryview(b"")
        if self._stdin >= 0:
            os.close(self._stdin)
            self._stdin = -1

    def _close_pipes(self) -> None:
        self._close_stdin()
        for fd in self._readers:
            os.close(fd)
        self._readers = {}

    def _reap_until(self, deadline: float) -> int | None:
        pause = 0.0002
        while not self._has_ended():
            if time.monotonic() > deadline:
                return None
            time.sleep(pause)
            pause = min(pause * 2, 0.05)
        return self._status

    def _has_ended(self) -> bool:
        if self._status is None:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:
                # An ancestor that ignores SIGCHLD makes the kernel drop the status.
                self._status = _STATUS_LOST
            else:
                self._status = os.waitstatus_to_exitcode(status) if pid else None
        return self._status is not None

    def _stop(self) -> None:
        self._close_pipes()
        self._signal(_SIGTERM)
        self._reap_until(time.monotonic() + _GRACE)
        self._signal(_SIGKILL)
        self._reap_until(time.monotonic() + _GRACE)

    def _signal(self, number: int) -> None:
        try:
            os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):
            return  # nobody is left, or only what took another identity

    def _late(self) -> GitTimeout:
        self._stop()
        return GitTimeout(self.argv, self.timeout, _text(self._err))

    def _broken(self) -> GitError:
        while self._readers:
            self._pump()
        code = self._reap_until(self._deadline)
        return GitError(self.argv, _STATUS_LOST if code is None else code, _text(self._err))


def _text(data: bytes | bytearray) -> str:
    return data.decode("utf-8", "replace")


def _lacks_room(stderr: str) -> bool:
    return any(words in stderr for words in _NO_ROOM)


def _telling_line(stderr: str) -> str:
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    for mark in ("fatal: ", "error: "):
        for line in lines:
            if line.startswith(mark):
                return line[len(mark) :]
    return next((line for line in lines if not line.startswith(("hint:", "warning:"))), "")
