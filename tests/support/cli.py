"""The command line for tests: in this process where only the answer counts, else as a process."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any

from tests.support.seal import ROOT
from tests.support.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

COMMAND = (sys.executable, "-P", "-m", "git_knowl")


@dataclass(frozen=True)
class Outcome:
    """What a command left behind: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output read as one JSON value."""
        return json.loads(self.out)


class Knowl:
    """``git knowl`` standing in a folder; ``env`` is laid over the sealed environment."""

    def __init__(self, cwd: Path, env: Mapping[str, str] | None = None) -> None:
        self.cwd = cwd
        self.env = dict(env or {})

    def at(self, cwd: Path, **env: str) -> Knowl:
        """Return the same command line in another folder, or with more in its environment."""
        return Knowl(cwd, {**self.env, **env})

    def __call__(self, *args: str, stdin: str | bytes = b"") -> Outcome:
        """Run one command line in this process; no terminal is there."""
        with TemporaryFile() as out, TemporaryFile() as err:
            code = run_in_process(args, self.cwd, self.env, (stdin, out, err))
            return Outcome(code, _text(out), _text(err))

    def ok(self, *args: str, stdin: str | bytes = b"") -> str:
        """Run a command that must succeed and return its standard output."""
        done = self(*args, stdin=stdin)
        assert done.code == 0, f"git knowl {' '.join(args)} exited {done.code}: {done.err}"
        return done.out

    def json(self, *args: str, stdin: str | bytes = b"") -> Any:
        """Run a command that must succeed with ``--json`` and return what it printed."""
        return json.loads(self.ok(*args, "--json", stdin=stdin))

    def process(self, *args: str, stdin: str | bytes = b"") -> Outcome:
        """Run the command as a process of its own, as git does."""
        done = subprocess.run(
            [*COMMAND, *args],
            cwd=self.cwd,
            env=self.process_env(),
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            capture_output=True,
            check=False,
        )
        return Outcome(done.returncode, os.fsdecode(done.stdout), os.fsdecode(done.stderr))

    def terminal(self, *args: str) -> Terminal:
        """Run the command as a process in a terminal, for a person to answer."""
        return Terminal([*COMMAND, *args], self.cwd, self.process_env())

    def process_env(self) -> dict[str, str]:
        """Return the environment of a child: this checkout is found whether installed or not."""
        return {**os.environ, "PYTHONPATH": str(ROOT), **self.env}


def run_in_process(
    args: tuple[str, ...],
    cwd: Path,
    env: Mapping[str, str],
    streams: tuple[str | bytes, IO[bytes], IO[bytes]],
) -> int:
    """Call the console script's ``main`` as a new process would be, and return its exit code.

    ``streams`` are the text of standard input and the files of the other two; the descriptors
    themselves are replaced, so what git or a short path writes past Python's streams is seen too.
    """
    from git_knowl.__main__ import main  # noqa: PLC0415 - tests of lower floors do without

    stdin, out, err = streams
    with TemporaryFile() as given:
        given.write(stdin.encode() if isinstance(stdin, str) else stdin)
        given.seek(0)
        with _world(args, cwd, env), _descriptors(given, out, err):
            try:
                return main()
            except SystemExit as stop:
                return stop.code if isinstance(stop.code, int) else int(stop.code is not None)


@contextmanager
def _world(args: tuple[str, ...], cwd: Path, env: Mapping[str, str]) -> Iterator[None]:
    """Stand in a folder with arguments and environment, and put everything back afterwards."""
    argv, environ, before = sys.argv, dict(os.environ), os.getcwd()
    sys.argv = ["git-knowl", *args]
    os.environ.update(env)
    os.chdir(cwd)
    try:
        yield
    finally:
        os.chdir(before)
        os.environ.clear()
        os.environ.update(environ)
        sys.argv = argv


@contextmanager
def _descriptors(given: IO[bytes], out: IO[bytes], err: IO[bytes]) -> Iterator[None]:
    """Put three files in the place of descriptors 0, 1 and 2 and of Python's streams on them."""
    streams = sys.stdin, sys.stdout, sys.stderr
    for stream in streams[1:]:
        stream.flush()
    saved = [os.dup(number) for number in range(3)]
    for number, file in enumerate((given, out, err)):
        os.dup2(file.fileno(), number)
    sys.stdin, sys.stdout, sys.stderr = _stream(0), _stream(1), _stream(2)
    try:
        yield
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        for stream in (sys.stdin, sys.stdout, sys.stderr):
            stream.close()
        for number, copy in enumerate(saved):
            os.dup2(copy, number)
            os.close(copy)
        sys.stdin, sys.stdout, sys.stderr = streams


def _stream(number: int) -> io.TextIOWrapper:
    raw = io.FileIO(number, "rb" if number == 0 else "wb", closefd=False)
    buffer = io.BufferedReader(raw) if number == 0 else io.BufferedWriter(raw)
    errors = "backslashreplace" if number == 2 else "surrogateescape"
    return io.TextIOWrapper(buffer, encoding="utf-8", errors=errors)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return os.fsdecode(file.read())
