"""How many secrets are missed and how many ordinary texts are touched, for docs/secrets.md.

``python -m tests.bench.secrets [--texts FOLDER]… [--list]`` prints the tables. Each folder is a git
directory whose commit messages and documents are a second ordinary set; nothing of it is kept.
``--list`` prints what was missed or touched, to be read by a person.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from git_knowl.services.filters.secrets import scrub
from tests.bench.secrets.histories import passages
from tests.bench.secrets.labelled import FORMATS, planted
from tests.bench.secrets.measure import Missed, missed, touched
from tests.bench.secrets.ordinary import ordinary

SEEDS = range(100, 103)


def main() -> int:
    """Measure, and print the tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--texts", action="append", default=[], type=Path, help="a git directory")
    options.add_argument("--list", action="store_true", help="print what was missed or touched")
    given = options.parse_args()
    found = missed(masked, planted(SEEDS))
    print_missed(found)
    print_touched("made for the purpose", ordinary(SEEDS), listed=given.list)
    for folder in given.texts:
        print_touched(folder.parent.name, passages(folder), listed=given.list)
    for one in found.left if given.list else ():
        print(f"missed: {one.format.provider}, {one.context}: {one.format.template[:60]!r}")
    return 0


def masked(text: str) -> str:
    """Return a text as it would be stored."""
    return scrub(text).text


def print_missed(found: Missed) -> None:
    """Print a row for every provider of the labelled set."""
    print(f"{len(FORMATS)} formats, {len(found.total)} groups, caught {found.share:.2%}\n")
    print("| group | texts | missed |\n| --- | --- | --- |")
    for name, count, left in found.by_provider():
        print(f"| {name} | {count} | {left} |")


def print_touched(name: str, texts: list[str], *, listed: bool) -> None:
    """Print how many ordinary texts a scrub changes."""
    found = touched(masked, texts)
    print(f"\n{name}: {len(texts)} texts, {len(found)} touched, {len(found) / len(texts):.3%}")
    for text, scrubbed in found if listed else ():
        print(f"  {text[:200]!r}\n  {scrubbed[:200]!r}")


if __name__ == "__main__":
    sys.exit(main())
