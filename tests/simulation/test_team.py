"""Whatever a team does and whoever dies on the way: all come to the same store, nothing is lost.

The bounded form; ``python -m tests.simulation`` runs twenty clones and a thousand operations.
"""

from __future__ import annotations

from random import Random

import pytest

from tests.simulation.team import Team


def play(folder, size, operations, seed):
    team = Team(folder, size, Random(seed))  # noqa: S311 - repeatable
    team.work(operations)
    team.settle()
    team.check()


@pytest.mark.parametrize("seed", [1, 2])
def test_a_small_team_comes_to_the_same_store(tmp_path, seed):
    play(tmp_path, size=4, operations=60, seed=seed)
