"""Eight writers at once, from three worktrees: as commands, and as processes that stay."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from tests.bench.stage import Stage
from tests.bench.table import Size, Table

WRITERS = 8
ROOT = Path(__file__).resolve().parents[2]
COMMANDS = """\
import subprocess, sys, time
for number in range(int(sys.argv[2])):
    start = time.perf_counter()
    subprocess.run(['git-knowl', 'flag', f'writer {sys.argv[1]} {number}'],
                   check=True, stdout=subprocess.DEVNULL)
    print(time.perf_counter() - start)
"""
IN_PROCESS = """\
import os, sys, time
from git_knowl.plumbing.objects import open_objects
from git_knowl.plumbing.repository import discover
from git_knowl.store.flags import PutFlag
from git_knowl.store.store import Store
from tests.support.stores import flag, write
repo = discover(os.getcwd(), os.environ)
store = Store(repo, open_objects(repo))
for number in range(int(sys.argv[2])):
    start = time.perf_counter()
    write(store, PutFlag(flag('one', int(sys.argv[1]) * 100000 + number)))
    print(time.perf_counter() - start)
"""
KINDS = {"as commands": COMMANDS, "in process": IN_PROCESS}


def race(stage: Stage, table: Table, writes: int) -> None:
    """Let eight processes flag from three worktrees, and report rate, delays and losses."""
    places = [stage.path, *(worktree(stage, name) for name in ("w1", "w2"))]
    for kind, script in KINDS.items():
        before = flags(stage)
        start = time.perf_counter()
        running = [
            writer(script, places[number % len(places)], stage, number, writes)
            for number in range(WRITERS)
        ]
        delays = sorted(float(line) for job in running for line in job.communicate()[0].split())
        rate = WRITERS * writes / (time.perf_counter() - start)
        lost = WRITERS * writes - (flags(stage) - before)
        p99 = delays[int(len(delays) * 0.99) - 1]
        told = f"{rate:.0f} a second, p99 {p99 * 1000:.0f} ms"
        table.notes[kind] = f"{lost} lost, {told}"
        work = f"{WRITERS} writers of {writes} flags, {kind}, {len(places)} worktrees"
        table.row(Size(None, stage.files), work, told, f"{lost} lost")


def worktree(stage: Stage, name: str) -> Path:
    """Add a worktree beside the repository and return its folder."""
    path = stage.path.with_name(f"{stage.path.name}-{name}")
    stage.git("worktree", "add", "-q", "-b", name, str(path))
    return path


def writer(
    script: str, place: Path, stage: Stage, number: int, writes: int
) -> subprocess.Popen[str]:
    """Start a process that writes and prints how long each write took."""
    env = {**stage.env, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path[1:]])}
    argv = [sys.executable, "-c", script, str(number), str(writes)]
    return subprocess.Popen(argv, cwd=place, env=env, stdout=subprocess.PIPE, text=True)


def flags(stage: Stage) -> int:
    """Return how many flags are stored."""
    ref = "refs/knowl-local/inbox"
    if not stage.git("for-each-ref", ref):
        return 0
    return len(stage.git("ls-tree", "-r", "--name-only", ref, "flags").splitlines())
