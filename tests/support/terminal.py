"""A command in a pseudo terminal, and the person in front of it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE = 60.0
ROWS, COLUMNS = 40, 100

ATTEMPTS = 5
SECONDS_TO_ACT = 4.0


class Terminal:
    """A running command that believes a person sits there.

    ``expect`` waits until a text appears and returns what was shown up to it, ``send`` types,
    ``finish`` waits for the end. As a context manager it leaves no process behind.
    """

    def __init__(self, argv: list[str], cwd: Path, env: dict[str, str]) -> None:
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.process = subprocess.Popen(
            argv,
            cwd=cwd,
            env={**env, "TERM": "xterm", "COLUMNS": str(COLUMNS), "LINES": str(ROWS)},
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)
        self.shown = ""
        self.read_to = 0

    def interrupt(self) -> None:
        """Send SIGINT, once more when nothing came of it.

        A signal that arrives just before a read begins is only seen when the read ends.
        """
        for _ in range(ATTEMPTS):
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(SECONDS_TO_ACT)
            except subprocess.TimeoutExpired:
                continue
            return

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)

    def expect(self, text: str) -> str:
        """Wait until the text is shown; return all that was shown since the last call."""
        deadline = time.monotonic() + PATIENCE
        while (found := self.shown.find(text, self.read_to)) < 0:
            if not self._read(deadline):
                raise AssertionError(f"expected {text!r}, shown was {self.shown[self.read_to :]!r}")
        seen = self.shown[self.read_to : found + len(text)]
        self.read_to = found + len(text)
        return seen

    def send(self, keys: str) -> None:
        """Type the keys; an answer to a line prompt ends with a line break of its own."""
        os.write(self.master, keys.encode())

    def finish(self) -> int:
        """Wait for the command to end and return its exit code; ``shown`` holds all it showed."""
        deadline = time.monotonic() + PATIENCE
        while self._read(deadline):
            pass
        return self.process.wait(timeout=PATIENCE)

    def _read(self, deadline: float) -> bool:
        """Take what the command has written; False when it is gone or patience is at an end."""
        ready, _, _ = select.select([self.master], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:  # Linux says EIO when the last writer is gone
            return False
        self.shown += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)
