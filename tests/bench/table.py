"""What was measured, printed row by row as it comes in, and beside the budgets of the design."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from dataclasses import dataclass, field

from tests.bench.clockwork import Spread

HEAD = ("work", "entries", "files", "measured", "unit")
BUDGETS = ("work", "budget", "measured")


@dataclass(frozen=True)
class Size:
    """How many entries the store has and how many files the tree; None where it does not matter."""

    entries: int | None
    files: int


@dataclass
class Table:
    """The rows printed so far, by work and number of entries, for what is compared at the end."""

    ratios: dict[tuple[str, int | None], Spread] = field(default_factory=dict)
    seconds: dict[tuple[str, int | None], Spread] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)

    def begin(self) -> None:
        """Print when and where this is measured, and the head of the table."""
        version = subprocess.run(["git", "version"], capture_output=True, check=True, text=True)
        git = version.stdout.split()[2]
        day, python = time.strftime("%Y-%m-%d"), platform.python_version()
        print(f"Measured on {day}, {os.cpu_count()} cores, Python {python}, git {git}.\n")
        line(HEAD)
        line(["---"] * len(HEAD))

    def ratio(self, size: Size, work: str, taken: Spread, bare: Spread) -> None:
        """Add a row in bare starts of Python, of the same rounds."""
        self.seconds[work, size.entries] = taken
        found = Spread(taken.low / bare.low, taken.middle / bare.middle)
        self.ratios[work, size.entries] = found
        self.row(size, work, f"{found.low:.1f} / {found.middle:.1f}", "starts, min / median")

    def row(self, size: Size, work: str, measured: str, unit: str) -> None:
        """Add a row of any other kind."""
        line([work, number(size.entries), number(size.files), measured, unit])

    def budget(self, work: str, allowed: str, measured: str | None) -> None:
        """Print one line of the table of budgets; nothing where it was not measured."""
        if measured is not None:
            line([work, allowed, measured])

    def starts(self, work: str, entries: int) -> str | None:
        """Return the median of a work in bare starts as text, None where it was left out."""
        found = self.ratios.get((work, entries))
        return None if found is None else f"{found.middle:.1f} (minimum {found.low:.1f})"

    def times(self, work: str, more: int, less: int) -> str | None:
        """Return how many times as long a work takes in the larger store, by medians."""
        big, small = self.seconds.get((work, more)), self.seconds.get((work, less))
        return f"{big.middle / small.middle:.1f} times" if big and small else None


def number(count: int | None) -> str:
    """Return a number as the table shows it."""
    return "–" if count is None else f"{count:,}"


def line(cells: tuple[str, ...] | list[str]) -> None:
    """Print one line of a Markdown table."""
    print(f"| {' | '.join(cells)} |", flush=True)
