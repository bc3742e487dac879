"""What the Python of a hook costs, apart from its shim and the commit: ratios to bare starts.

``python -m tests.bench.catchup [--files N] [--entries N]`` makes a store in which every entry rests
on one file, commits, and times catching up alone. The budget of the line with ten files is twice
one start with sqlite3, json and subprocess plus ``git diff-tree`` of that commit.
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

from tests.bench.clockwork import Spread, command
from tests.bench.stage import Stage, environment

TOUCHED = 10
WAY = 200
DOOR = Path(__file__).parents[2] / "git_knowl" / "interfaces" / "hooks" / "start.py"
PYTHON = (sys.executable, "-I")


class Bench:
    """One repository, and the seconds that each thing took in turns."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.number = count()
        self.taken: dict[str, list[float]] = {}

    def time(self, name: str, argv: list[str]) -> None:
        """Run a command and keep how long it took."""
        run = command(argv, self.stage.env, str(self.stage.path))
        start = time.perf_counter()
        run()
        self.taken.setdefault(name, []).append(time.perf_counter() - start)

    def commit(self, files: int, commits: int = 1) -> None:
        """Make commits that each change so many anchored files, or add one that nobody knows."""
        for _ in range(commits):
            number = next(self.number)
            names = [self.stage.file((number * TOUCHED + n) % self.stage.files)
                     for n in range(files)]  # fmt: skip
            for name in names or [f"new{number}"]:
                (self.stage.path / name).write_text(f"# {number}\n")
            self.stage.git("add", "--all")
            self.stage.git("commit", "--quiet", "-m", f"change {number}")

    def turn(self) -> None:
        """Time everything once; the commits themselves are not measured."""
        hook = [*PYTHON, str(DOOR), "post-commit"]
        self.time("bare", [*PYTHON, "-c", "pass"])
        self.time("start", [*PYTHON, "-c", "import sqlite3, json, subprocess"])
        self.commit(0)
        self.time("catch up, nothing to say", hook)
        self.commit(TOUCHED)
        self.time("diff-tree", ["git", "diff-tree", "-r", "HEAD~1", "HEAD"])
        self.time(f"catch up, {TOUCHED} anchored files changed", hook)
        self.commit(1, WAY)
        self.time(f"catch up, {WAY} commits at once", hook)

    def spread(self, name: str) -> Spread:
        """Return the best and the middle of the turns but for the first."""
        found = sorted(self.taken[name][1:])
        return Spread(found[0], found[len(found) // 2])


def main() -> int:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--files", type=int, default=5_000)
    options.add_argument("--entries", type=int, default=10_000)
    options.add_argument("--rounds", type=int, default=10)
    given = options.parse_args()
    program = shutil.which("git-knowl") or str(Path(sys.executable).with_name("git-knowl"))
    with tempfile.TemporaryDirectory(prefix="knowl-bench-") as folder:
        env = environment(Path(folder), program)
        bench = Bench(Stage(Path(folder) / "r", given.files, given.entries, env).build())
        subprocess.run([program, "ls", "--json"], cwd=bench.stage.path, env=env, check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip
        for _ in range(given.rounds + 1):
            bench.turn()
        report(bench)
    return 0


def report(bench: Bench) -> None:
    """Print every thing beside a bare start, and the one that has a budget of its own beside it."""
    bare, start, diff = (bench.spread(name) for name in ("bare", "start", "diff-tree"))
    size = f"{bench.stage.entries:,} | {bench.stage.files:,}"
    print("| work | entries | files | ratio (min / median) | of what |")
    print("|---|---|---|---|---|")
    for name in bench.taken:
        one = bench.spread(name)
        print(f"| {name} | {size} | {one.low / bare.low:.1f} / {one.middle / bare.middle:.1f}"
              " | bare start |")  # fmt: skip
    ten = bench.spread(f"catch up, {TOUCHED} anchored files changed")
    low = ten.low / (start.low + diff.low)
    middle = ten.middle / (start.middle + diff.middle)
    print(f"| catch up, {TOUCHED} anchored files changed | {size} | {low:.1f} / {middle:.1f}"
          " | start and diff-tree |")  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
