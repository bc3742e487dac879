"""The team simulation in full: ``python -m tests.simulation [--clones N] [--operations N]``."""

from __future__ import annotations

import argparse
import time
from random import Random

from tests.simulation.team import Team
from tests.support.seal import sandbox, seal, unseal


def main() -> int:
    """Run one simulation and print what happened in it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--clones", type=int, default=20)
    options.add_argument("--operations", type=int, default=1000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--kills", type=float, default=0.1)
    given = options.parse_args()
    seal()
    try:
        play(given)
    finally:
        unseal()
    return 0


def play(given: argparse.Namespace) -> None:
    """Let a team work, bring all together, check, and say what happened."""
    started = time.monotonic()
    team = Team(sandbox(), given.clones, Random(given.seed), given.kills)  # noqa: S311 - repeatable
    team.work(given.operations)
    team.settle()
    team.check()
    for (verb, code), count in sorted(team.outcomes.items()):
        print(f"{verb:10} exit {code}: {count}")
    print(f"{len(team.members[0].live())} entries in {time.monotonic() - started:.0f} s: all equal")


if __name__ == "__main__":
    raise SystemExit(main())
