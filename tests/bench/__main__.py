"""All benchmarks in one command, as ratios to a bare Python start and to git itself.

``python -m tests.bench [--quick]`` from a checkout with the package installed prints a Markdown
table; ``--quick`` leaves the two large stores out. Times mean nothing elsewhere; compare columns.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from itertools import count
from pathlib import Path

from git_knowl.plumbing import refs
from git_knowl.plumbing.objects import open_objects
from git_knowl.plumbing.repository import discover
from git_knowl.store.operations import PutEntry
from git_knowl.store.store import Store
from git_knowl.store.transaction import Record, publish
from tests.bench.clockwork import Spread, command, in_turns
from tests.bench.stage import Stage, environment

SIZES = ((100, 500), (1_000, 5_000), (10_000, 5_000), (100_000, 50_000))
QUICK = SIZES[:2]
WRITERS = 8
WRITES = 200


def main() -> int:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="the two small stores only")
    options.add_argument("--rounds", type=int, default=15)
    given = options.parse_args()
    program = shutil.which("git-knowl") or str(Path(sys.executable).with_name("git-knowl"))
    with tempfile.TemporaryDirectory(prefix="knowl-bench-") as folder:
        base = Path(folder)
        env = environment(base, program)
        print("| work | entries | files | ratio to a bare start (min / median) | of what |")
        print("|---|---|---|---|---|")
        for entries, files in QUICK if given.quick else SIZES:
            stage = Stage(base / f"e{entries}", files, entries, env).build()
            commands(stage, given.rounds)
            objects(stage)
            shutil.rmtree(stage.path)
        files = 5_000 if given.quick else 50_000
        full_audit(Stage(base / "full", files, 10_000, env).build(), given.rounds)
        race(Stage(base / "race", 500, 100, env).build())
    return 0


def commands(stage: Stage, rounds: int) -> None:
    """Time the short paths and the everyday verbs beside bare Python, git and its notes."""
    cwd, env, number = str(stage.path), stage.env, count()
    knowl = shutil.which("git-knowl", path=env["PATH"]) or "git-knowl"

    def flag() -> None:
        command([knowl, "flag", f"note {next(number)}", "-p", stage.file(0)], env, cwd)()

    def note() -> None:
        commit = stage.git("commit-tree", "HEAD^{tree}", "-m", str(next(number))).strip()
        command(["git", "notes", "--ref=bench", "add", "-m", "x", commit], env, cwd)()

    def add() -> None:
        words = ["--name", f"new-{next(number)}", "--type", "project", "-d", "Read it"]
        rest = ["-a", f"file:{stage.file(1)}", "--reviewer", "B <b@e.org>", "--body", "README"]
        command([knowl, "add", *words, *rest], env, cwd)()

    (stage.path / "README").write_text("The fact. Why: measured.\n")
    bare = command([sys.executable, "-I", "-c", "pass"], env, cwd)
    things = {
        "bare": bare,
        "git rev-parse": command(["git", "rev-parse", "HEAD"], env, cwd),
        "git notes add (and commit-tree)": note,
        "index, warm": command([knowl, "index"], env, cwd),
        "ls --json": command([knowl, "ls", "--json"], env, cwd),
        "search": command([knowl, "search", "retry budget"], env, cwd),
        "why FILE": command([knowl, "why", stage.file(3)], env, cwd),
    }
    spread = in_turns(things, rounds)
    for name, taken in spread.items():
        row(stage, name, taken, spread["bare"])
    writing = in_turns({"bare": bare, "flag": flag, "add (one entry)": add}, max(3, rounds // 3))
    for name in ("flag", "add (one entry)"):
        row(stage, name, writing[name], writing["bare"])


def row(stage: Stage, name: str, taken: Spread, bare: Spread) -> None:
    """Print one line of the table."""
    low, middle = taken.low / bare.low, taken.middle / bare.middle
    print(f"| {name} | {stage.entries:,} | {stage.files:,} | {low:.1f} / {middle:.1f} | start |",
          flush=True)  # fmt: skip


class Nobody:
    """No names to compare with: what is timed is the writing alone."""

    def __init__(self, store: Store) -> None:
        commits = store.view().commits
        self.tips = {refs.lane_of(ref): commits[ref] for ref in (refs.ENTRIES, refs.LOCAL_ENTRIES)}

    def find_name(self, name: str) -> list[tuple[str, str]]:
        """Say that nobody has the name."""
        del name
        return []


def objects(stage: Stage) -> None:
    """Count the bytes of new objects that writing one entry makes, and its time in process."""
    repo = discover(str(stage.path), stage.env)
    store = Store(repo, open_objects(repo))
    stage.git("repack", "-adq")
    new = stage.entry(stage.entries + 1)
    start = time.perf_counter()

    store.names = Nobody(store)
    publish(store, lambda _: [PutEntry("shared", new)], Record("capture", "one", "B <b@e>", 1))
    taken = time.perf_counter() - start
    size = sum(f.stat().st_size for f in stage.path.glob(".git/objects/??/*"))
    told = f"{taken * 1000:.0f} ms | {size / 1024:.1f} KB of new objects"
    print(f"| write one entry, in process | {stage.entries:,} | {stage.files:,} | {told} |")


def full_audit(stage: Stage, rounds: int) -> None:
    """Time a warm judgement of all file anchors beside git diff-files, and after a commit."""
    cwd, env = str(stage.path), stage.env
    knowl = shutil.which("git-knowl", path=env["PATH"]) or "git-knowl"
    things = {
        "bare": command([sys.executable, "-I", "-c", "pass"], env, cwd),
        "bare with sqlite3, json, subprocess": command(
            [sys.executable, "-I", "-c", "import sqlite3, json, subprocess"], env, cwd
        ),
        "git diff-files": command(["git", "diff-files", "--quiet"], env, cwd),
        "git diff-tree HEAD": command(["git", "diff-tree", "-r", "--root", "HEAD~0"], env, cwd),
        "index, warm (judges every anchor)": command([knowl, "index"], env, cwd),
        "audit, warm": command([knowl, "audit"], env, cwd),
    }
    spread = in_turns(things, max(3, rounds // 3))
    for name, taken in spread.items():
        row(stage, name, taken, spread["bare"])
    low = spread["index, warm (judges every anchor)"].low - spread["bare"].low
    print(f"| index, warm, without its start | {stage.entries:,} | {stage.files:,} "
          f"| {low / spread['git diff-files'].low:.2f} | git diff-files |", flush=True)  # fmt: skip


def race(stage: Stage) -> None:
    """Let eight processes flag from three worktrees as commands, and report rate and delays."""
    paths = [stage.path]
    for number in (1, 2):
        stage.git("worktree", "add", "-q", "-b", f"w{number}", str(stage.path) + f"-w{number}")
        paths.append(Path(f"{stage.path}-w{number}"))
    script = (
        "import subprocess, sys, time\n"
        "for i in range(int(sys.argv[2])):\n"
        "    t = time.perf_counter()\n"
        "    subprocess.run(['git-knowl', 'flag', f'{sys.argv[1]} {i}'], check=True,"
        " stdout=subprocess.DEVNULL)\n"
        "    print(time.perf_counter() - t)\n"
    )
    start = time.perf_counter()
    running = [
        subprocess.Popen([sys.executable, "-c", script, f"writer {n}", str(WRITES)],
                         cwd=paths[n % 3], env=stage.env, stdout=subprocess.PIPE, text=True)
        for n in range(WRITERS)
    ]  # fmt: skip
    delays = sorted(float(line) for job in running for line in job.communicate()[0].split())
    seconds = time.perf_counter() - start
    kept = len(stage.git("ls-tree", "-r", "refs/knowl-local/inbox", "flags").splitlines())
    total = WRITERS * WRITES
    p99 = delays[int(len(delays) * 0.99) - 1]
    what = f"{WRITERS} writers of {WRITES} flags, as commands, 3 worktrees"
    told = f"{total / seconds:.0f} a second, p99 {p99 * 1000:.0f} ms | {total - kept} lost"
    print(f"| {what} | – | {stage.files:,} | {told} |")


if __name__ == "__main__":
    sys.exit(main())
