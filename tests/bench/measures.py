"""What is measured in one store: whole commands in turns, the size of a write, a whole audit."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from git_knowl.plumbing import refs
from git_knowl.plumbing.objects import open_objects
from git_knowl.store.operations import PutEntry
from git_knowl.store.store import Store
from git_knowl.store.transaction import Record, publish
from tests.bench.clockwork import Spread, command, in_turns
from tests.bench.stage import Stage
from tests.bench.table import Size, Table

BARE = "bare start"
ADD = "add, whole command"
FLAG = "flag"
INDEX = "index, warm"
WRITE = "write one entry, in process"
DIFF_FILES = "git diff-files"
DIFF_TREE = "git diff-tree HEAD~1 HEAD"
LIBRARIES = "bare start with sqlite3, json, subprocess"
AFTER = "audit after a commit of 10 files"
INDEX_AFTER = "index after a commit of 10 files"
TOUCHED = 10
WHO = ("--reviewer", "B <b@e.org>")
CAPTURE = "capture"


@dataclass
class Bench:
    """A stage, the table its rows go to, and how often everything is done."""

    stage: Stage
    table: Table
    rounds: int

    @property
    def size(self) -> Size:
        """The size of the stage, as rows show it."""
        return Size(self.stage.entries, self.stage.files)

    def run(self, *argv: str) -> Callable[[], None]:
        """Return a command in the repository of the stage."""
        return command([*argv], self.stage.env, str(self.stage.path))

    def knowl(self, *args: str) -> Callable[[], None]:
        """Return a command of the program."""
        program = shutil.which("git-knowl", path=self.stage.env["PATH"]) or "git-knowl"
        return self.run(program, *args)

    def bare(self, code: str = "pass") -> Callable[[], None]:
        """Return a start of Python that runs some code."""
        return self.run(sys.executable, "-I", "-c", code)

    def tell(self, spread: dict[str, Spread], *left_out: str) -> None:
        """Print the rows of what was measured in turns."""
        for work, taken in spread.items():
            if work not in left_out:
                self.table.ratio(self.size, work, taken, spread[BARE])


def commands(bench: Bench) -> None:
    """Time the short paths and the everyday verbs beside bare Python, git and its notes."""
    stage, numbers = bench.stage, count()
    (stage.path / "README").write_text("The fact. Why: measured.\n")

    def flag() -> None:
        bench.knowl("flag", f"note {next(numbers)}", "-p", stage.file(0))()

    def note() -> None:
        commit = stage.git("commit-tree", "HEAD^{tree}", "-m", str(next(numbers))).strip()
        bench.run("git", "notes", "--ref=bench", "add", "-m", "x", commit)()

    def add() -> None:
        words = ["--name", f"new-{next(numbers)}", "--type", "project", "-d", "Read it"]
        bench.knowl("add", *words, "-a", f"file:{stage.file(1)}", "--body", "README", *WHO)()

    reading = {
        BARE: bench.bare(),
        "git rev-parse": bench.run("git", "rev-parse", "HEAD"),
        "git notes add (and commit-tree)": note,
        INDEX: bench.knowl("index"),
        "ls --json": bench.knowl("ls", "--json"),
        "search": bench.knowl("search", "retry budget"),
        "why FILE": bench.knowl("why", stage.file(3)),
        CAPTURE: bench.knowl("capture"),
    }
    bench.tell(in_turns(reading, bench.rounds))
    writing = {BARE: bench.bare(), FLAG: flag, ADD: add}
    bench.tell(in_turns(writing, max(3, bench.rounds // 3)), BARE)


class Nobody:
    """No names to compare with: what is timed is the writing alone."""

    def __init__(self, store: Store) -> None:
        commits = store.view().commits
        self.tips = {refs.lane_of(ref): commits[ref] for ref in (refs.ENTRIES, refs.LOCAL_ENTRIES)}

    def prepare(self) -> None:
        """Do nothing: there is nothing to look up."""

    def find_name(self, name: str) -> list[tuple[str, str]]:
        """Say that nobody has the name."""
        del name
        return []


def objects(bench: Bench) -> None:
    """Count the bytes of new objects that writing one entry makes, and its time in process."""
    stage = bench.stage
    repo = stage.open()
    store = Store(repo, open_objects(repo))
    stage.git("repack", "-adq")
    store.names = Nobody(store)
    new = stage.entry(stage.entries + 1)

    start = time.perf_counter()
    publish(store, lambda _: [PutEntry("shared", new)], Record("capture", "one", "B <b@e>", 1))
    taken = time.perf_counter() - start

    work = WRITE if stage.object_format == "sha1" else f"{WRITE}, SHA-256"
    size = sum(f.stat().st_size for f in stage.path.glob(".git/objects/??/*")) / 1024
    bench.table.seconds[work, stage.entries] = Spread(taken, taken)
    bench.table.notes[f"{work} {stage.entries}"] = f"{size:.1f} KB"
    bench.table.row(bench.size, work, f"{taken * 1000:.0f} ms", f"{size:.1f} KB of new objects")


def audits(bench: Bench) -> None:
    """Time a warm judgement of all file anchors beside git diff-files, and after commits."""
    things = {
        BARE: bench.bare(),
        LIBRARIES: bench.bare("import sqlite3, json, subprocess"),
        DIFF_FILES: bench.run("git", "diff-files", "--quiet"),
        DIFF_TREE: bench.run("git", "diff-tree", "-r", "--name-only", "HEAD~1", "HEAD"),
        f"{INDEX} (judges every anchor)": bench.knowl("index"),
        "audit, warm": bench.knowl("audit"),
    }
    spread = in_turns(things, max(3, bench.rounds // 3))
    bench.tell(spread)
    judging = spread[f"{INDEX} (judges every anchor)"].low - spread[BARE].low
    told = f"{judging / spread[DIFF_FILES].low:.2f}"
    bench.table.notes[f"full {bench.stage.entries}"] = told
    bench.table.row(bench.size, "index, warm, without its start", told, DIFF_FILES)
    after_commits(bench)


def after_commits(bench: Bench) -> None:
    """Time the first audit, and the first index, after a commit that touches ten anchored files."""
    numbers, bare = count(), bench.bare()
    taken: dict[str, list[float]] = {BARE: [], AFTER: [], INDEX_AFTER: []}
    for _ in range(max(3, bench.rounds // 3)):
        taken[BARE].append(clocked(bare))
        for work, verb in ((AFTER, "audit"), (INDEX_AFTER, "index")):
            commit_ten(bench.stage, next(numbers))
            taken[work].append(clocked(bench.knowl(verb)))
    bench.tell({work: Spread.of(seconds) for work, seconds in taken.items()}, BARE)


def clocked(thing: Callable[[], object]) -> float:
    """Return how many seconds a thing takes."""
    start = time.perf_counter()
    thing()
    return time.perf_counter() - start


def commit_ten(stage: Stage, turn: int) -> None:
    """Commit a change of ten files that entries rest on, other ones each turn."""
    paths = [stage.file(turn * TOUCHED + number) for number in range(TOUCHED)]
    for path in paths:
        (stage.path / path).write_text("changed\n")
    stage.git("commit", "--quiet", "-m", "touch ten files", "--only", *paths)
