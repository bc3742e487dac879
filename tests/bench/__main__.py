"""All benchmarks in one command, as ratios to a bare Python start and to git itself.

``python -m tests.bench [--quick]`` from a checkout with the package installed prints two Markdown
tables for docs/benchmarks.md: all that was measured, and the part that has a budget. ``--quick``
leaves the large stores out and lets the writers write less. Times mean nothing elsewhere; compare
columns.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from tests.bench import measures
from tests.bench.measures import Bench
from tests.bench.races import race
from tests.bench.stage import Stage, environment
from tests.bench.table import BUDGETS, Table, line

SIZES = ((100, 500), (1_000, 5_000), (10_000, 5_000), (100_000, 50_000))
QUICK = SIZES[:2]
WRITES = 200
FEW_WRITES = 20
LARGE, SMALL = 100_000, 1_000
ANCHORS = 10_000


def main() -> int:
    """Measure, and print the tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="the two small stores only")
    options.add_argument("--rounds", type=int, default=None, help="how often each thing is done")
    given = options.parse_args()
    rounds = given.rounds or (5 if given.quick else 15)
    program = shutil.which("git-knowl") or str(Path(sys.executable).with_name("git-knowl"))
    table = Table()
    table.begin()
    with tempfile.TemporaryDirectory(prefix="knowl-bench-") as folder:
        measure(Path(folder), environment(Path(folder), program), table, rounds, quick=given.quick)
    budgets(table)
    return 0


def measure(base: Path, env: dict[str, str], table: Table, rounds: int, *, quick: bool) -> None:
    """Build one stage after the other and measure in it."""
    for entries, files in QUICK if quick else SIZES:
        bench = Bench(Stage(base / f"e{entries}", files, entries, env).build(), table, rounds)
        measures.commands(bench)
        measures.objects(bench)
        shutil.rmtree(bench.stage.path)
    for entries in (SMALL,) if quick else (SMALL, LARGE):
        stage = Stage(base / f"sha256-{entries}", 500, entries, env, "sha256").build()
        measures.objects(Bench(stage, table, rounds))
        shutil.rmtree(stage.path)
    anchors, files = QUICK[1] if quick else (ANCHORS, 50_000)
    measures.audits(Bench(Stage(base / "full", files, anchors, env).build(), table, rounds))
    race(Stage(base / "race", 500, 100, env).build(), table, FEW_WRITES if quick else WRITES)


def budgets(table: Table) -> None:
    """Print what has a budget in the design, beside it; what was left out is left out here too."""
    print()
    line(BUDGETS)
    line(["---"] * len(BUDGETS))
    for entries, _ in SIZES:
        table.budget(
            f"`flag`, {entries:,} entries", "6 starts", table.starts(measures.FLAG, entries)
        )
    for entries, allowed in ((SMALL, 4), (ANCHORS, 6), (LARGE, 20)):
        told = table.starts(measures.INDEX, entries)
        table.budget(f"`index`, warm, {entries:,} entries", f"{allowed} starts", told)
    write = table.times(measures.WRITE, LARGE, SMALL)
    table.budget("write one entry at 100,000 against at 1,000", "2 times", write)
    whole = table.times(measures.ADD, LARGE, SMALL)
    table.budget("`add` at 100,000 against at 1,000, as a whole command", "–", whole)
    for name, allowed in (("", "24 KB"), (", SHA-256", "32 KB")):
        size = table.notes.get(f"{measures.WRITE}{name} {LARGE}")
        table.budget(f"new objects of one entry at 100,000{name}", allowed, size)
    judged = table.notes.get(f"full {ANCHORS}")
    work = f"all of {ANCHORS:,} file anchors judged warm (`index`), without the start"
    table.budget(work, f"1.3 times `{measures.DIFF_FILES}`", judged)
    work = f"all of {ANCHORS:,} judged after a commit that touches 10 files"
    table.budget(work, "2 `git diff-tree` and a start with sqlite3", after_a_commit(table))
    allowed = "none lost, 15 a second, p99 2 s"
    table.budget("8 writers, as commands", allowed, table.notes["as commands"])
    table.budget("8 writers, in process", "reported apart", table.notes["in process"])


def after_a_commit(table: Table) -> str | None:
    """Return how `audit` and `index` after a commit compare with what their budget is made of."""
    middle = {work: spread.middle for (work, size), spread in table.seconds.items()
              if size == ANCHORS}  # fmt: skip
    if measures.AFTER not in middle:
        return None
    base = 2 * middle[measures.DIFF_TREE] + middle[measures.LIBRARIES]
    pairs = (("audit", measures.AFTER), ("index", measures.INDEX_AFTER))
    told = (f"`{verb}` {middle[work] / base:.1f} times that" for verb, work in pairs)
    return ", ".join(told)


if __name__ == "__main__":
    sys.exit(main())
