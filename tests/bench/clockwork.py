"""Measure whole commands in turns, so that what else the machine does hits all of them alike."""

from __future__ import annotations

import resource
import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Spread:
    """Seconds of one thing over the rounds."""

    low: float
    middle: float

    @classmethod
    def of(cls, seconds: list[float]) -> Spread:
        """Return the spread of some measurements."""
        return cls(min(seconds), statistics.median(seconds))


def processor_time() -> float:
    """Return the seconds that children have computed: on a machine that others use, the fairer."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def in_turns(
    things: dict[str, Callable[[], object]],
    rounds: int,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, Spread]:
    """Run each thing once a round and return the spread of each; the first round is not counted."""
    taken: dict[str, list[float]] = {name: [] for name in things}
    for number in range(rounds + 1):
        for name, thing in things.items():
            start = clock()
            thing()
            if number:
                taken[name].append(clock() - start)
    return {name: Spread.of(all_) for name, all_ in taken.items()}


def command(argv: list[str], env: dict[str, str], cwd: str) -> Callable[[], None]:
    """Return a thing that runs a command and insists on its success."""

    def run() -> None:
        subprocess.run(argv, env=env, cwd=cwd, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)  # fmt: skip

    return run
