"""Several processes at once: started together, or killed at a chosen git call."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.support.cli import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

PATIENCE = 300.0

#: Waits for the end of the file whose descriptor is the first argument, then becomes the rest.
GATE = 'read -r _ < "/dev/fd/$0"; exec "$@"'

#: A git that counts its calls and kills whoever called it before or after the chosen one.
KILLER = """\
#!/bin/sh
count=$(($(cat "{folder}/count") + 1))
echo "$count" > "{folder}/count"
echo "$*" >> "{folder}/log"
[ "$count" = "{call}" ] || exec "{git}" "$@"
[ "{moment}" = after ] && "{git}" "$@"
kill -KILL "$PPID"
"""


@dataclass(frozen=True)
class Job:
    """A command, the folder it runs in, and what its environment has beyond ours."""

    argv: Sequence[str]
    cwd: Path
    env: Mapping[str, str] = field(default_factory=dict)


def run_together(jobs: Sequence[Job]) -> list[Outcome]:
    """Let all commands go at the same moment and return how each ended, in the given order."""
    gate, opener = os.pipe()
    started = [_start(job, gate) for job in jobs]
    os.close(gate)
    os.close(opener)
    return [_outcome(process) for process in started]


def killing_git(folder: Path, call: int, moment: str = "before") -> dict[str, str]:
    """Return the environment in which the ``call``-th git call kills the program that makes it.

    ``moment`` is ``before`` git does anything, or ``after`` it is done.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "count").write_text("0\n", encoding="ascii")
    program = folder / "git"
    script = KILLER.format(folder=folder, call=call, moment=moment, git=shutil.which("git"))
    program.write_text(script, encoding="utf-8")
    program.chmod(0o755)
    return {"PATH": os.pathsep.join([str(folder), os.environ["PATH"]])}


def calls_made(folder: Path) -> int:
    """Return how many git calls were counted, so that a test knows when it killed at every one."""
    return int((folder / "count").read_text(encoding="ascii"))


def calls_of(folder: Path, word: str) -> list[int]:
    """Return which of the calls that were counted have a word among their arguments."""
    lines = (folder / "log").read_text(encoding="utf-8", errors="replace").splitlines()
    return [number for number, line in enumerate(lines, 1) if word in line.split(" ")]


def _start(job: Job, gate: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        ["sh", "-c", GATE, str(gate), *job.argv],
        cwd=job.cwd,
        env={**os.environ, **job.env},
        pass_fds=[gate],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def _outcome(process: subprocess.Popen[bytes]) -> Outcome:
    out, err = process.communicate(timeout=PATIENCE)
    return Outcome(process.returncode, os.fsdecode(out), os.fsdecode(err))
