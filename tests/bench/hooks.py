"""What the git hooks cost: whole git commands with and without them, in turns.

``python -m tests.bench.hooks [--quick]`` prints a Markdown table; ``--quick`` leaves the large tree
out. A quiet commit is compared with the same commit in a copy without hooks, everything else
besides with a bare Python start.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from itertools import count
from pathlib import Path

from tests.bench.clockwork import Spread, command, in_turns
from tests.bench.stage import Stage, environment

#: Files and entries.
SIZES = ((10, 10), (2_000, 1_000), (50_000, 10_000))
COMMITS = 200


class Pair:
    """A repository with hooks and a copy without, on which the same git commands are timed."""

    def __init__(self, base: Path, files: int, entries: int, env: dict[str, str]) -> None:
        self.plain = Stage(base / f"plain{files}", files, entries, env).build()
        self.hooked = replace(self.plain, path=base / f"hooked{files}")
        shutil.copytree(self.plain.path, self.hooked.path, symlinks=True)
        self.number = count()
        self.hooked.git("knowl", "hooks", "install")
        for stage in (self.plain, self.hooked):
            stage.git("update-index", "--refresh")
            self.commit(stage, "README", "first")()

    def commit(self, stage: Stage, path: str | None, message: str):
        """Return a thing that commits one changed file: the one named, or always another one."""

        def run() -> None:
            number = next(self.number)
            name = path or stage.file(number % stage.files)
            (stage.path / name).write_text(f"changed {number}\n")
            words = ["git", "commit", "-q", "-m", f"{message} {number}", "--", name]
            command(words, stage.env, str(stage.path))()

        return run


def main() -> int:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="without the large tree")
    options.add_argument("--rounds", type=int, default=30)
    given = options.parse_args()
    program = shutil.which("git-knowl") or str(Path(sys.executable).with_name("git-knowl"))
    with tempfile.TemporaryDirectory(prefix="knowl-bench-") as folder:
        env = environment(Path(folder), program)
        report(Path(folder), env, SIZES[:2] if given.quick else SIZES, given.rounds)
    return 0


def report(
    base: Path, env: dict[str, str], sizes: tuple[tuple[int, int], ...], rounds: int
) -> None:
    """Print a row for everything that is measured."""
    print("| work | files | entries | ratio (min / median) | of what |\n|---|---|---|---|---|")
    for files, entries in sizes:
        pair = Pair(base, files, entries, env)
        commits(pair, rounds)
        prompt(pair, rounds)
    rebase(base, env)


def commits(pair: Pair, rounds: int) -> None:
    """Time commits with nothing to say, with a suspect, and with a flag."""
    flag = "odd\n\nKnowl-Flag: the price doubles at"
    things = {
        "bare": command([sys.executable, "-I", "-c", "pass"], pair.plain.env, "/"),
        "git": command(["git", "rev-parse", "HEAD"], pair.plain.env, str(pair.plain.path)),
        "plain": pair.commit(pair.plain, "README", "small"),
        "quiet": pair.commit(pair.hooked, "README", "small"),
        "suspect": pair.commit(pair.hooked, None, "small"),
        "flag": pair.commit(pair.hooked, "README", flag),
    }
    took = in_turns(things, rounds)
    plain, bare = took["plain"], took["bare"]
    row(pair, "commit, nothing to say", ratio(took["quiet"], plain), "the commit without hooks")
    row(pair, "what that adds", ratio(more(took["quiet"], plain), took["git"]), "git rev-parse")
    row(pair, "commit, a suspect to tell: what it adds", ratio(more(took["suspect"], plain), bare),
        "bare start")  # fmt: skip
    row(pair, "commit, a flag to write: what it adds", ratio(more(took["flag"], plain), bare),
        "bare start")  # fmt: skip


def prompt(pair: Pair, rounds: int) -> None:
    """Time what a prompt asks for."""
    cwd, env = str(pair.hooked.path), pair.hooked.env
    command(["git-knowl", "status"], env, cwd)()
    things = {
        "bare": command([sys.executable, "-I", "-c", "pass"], env, "/"),
        "status": command(["git-knowl", "status", "--porcelain"], env, cwd),
    }
    took = in_turns(things, rounds)
    row(pair, "status --porcelain", ratio(took["status"], took["bare"]), "bare start")


def more(one: Spread, other: Spread) -> Spread:
    """Return how much longer one thing took than another."""
    return Spread(one.low - other.low, one.middle - other.middle)


def ratio(one: Spread, other: Spread) -> str:
    """Return how often one thing fits into another, at best and in the middle."""
    return f"{one.low / other.low:.2f} / {one.middle / other.middle:.2f}"


def row(pair: Pair, work: str, figures: str, unit: str) -> None:
    """Print one line of the table."""
    stage = pair.plain
    print(f"| {work} | {stage.files:,} | {stage.entries:,} | {figures} | {unit} |", flush=True)


def rebase(base: Path, env: dict[str, str]) -> None:
    """Rebase a long branch that touches anchored files, and count how often Python starts."""
    pair = Pair(base / "rebase", 500, 100, env)
    log = base / "starts"
    counting = base / "counting"
    shim = pair.hooked.path / ".git/common/knowl/hooks/run"
    before, python, after = re.split(r"(?m)^python=(.*)$", shim.read_text(), maxsplit=1)
    counting.write_text(f'#!/bin/sh\necho start >>"{log}"\nexec {python} "$@"\n')
    counting.chmod(0o755)
    shim.write_text(f"{before}python={counting}{after}")
    for stage in (pair.plain, pair.hooked):
        branch(stage)
    log.write_text("")
    things = {
        "plain": lambda: rebased(pair.plain),
        "hooked": lambda: rebased(pair.hooked),
    }
    took = in_turns(things, 1)
    starts = len(log.read_text().splitlines()) // 2  # in_turns runs everything once more
    figures = ratio(took["hooked"], took["plain"])
    row(pair, f"rebase of {COMMITS} commits, {starts} Python starts", figures, "without hooks")


def branch(stage: Stage) -> None:
    """Make a branch of many commits, and one commit beside it."""
    quiet = ("-c", "core.hooksPath=/dev/null")
    stage.git(*quiet, "switch", "-qc", "long")
    for number in range(COMMITS):
        (stage.path / stage.file(number % 100)).write_text(f"work {number}\n")
        stage.git(*quiet, "commit", "-qam", f"work {number}")
    stage.git(*quiet, "switch", "-qc", "base", "main")
    stage.git(*quiet, "commit", "-q", "--allow-empty", "-m", "beside")
    stage.git(*quiet, "tag", "start", "long")


def rebased(stage: Stage) -> None:
    """Rebase the branch from where it began; getting back there is not what is measured."""
    quiet = {**os.environ, **stage.env, "KNOWL_HOOK": "1"}
    back = ["git", "-C", str(stage.path), "switch", "-q", "-C", "long", "start"]
    subprocess.run(back, env=quiet, check=True)
    command(["git", "rebase", "-q", "base"], stage.env, str(stage.path))()


if __name__ == "__main__":
    sys.exit(main())
