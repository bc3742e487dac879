"""Hostile texts come to an end; `tests/bench/secrets/growth.py` measures how the work grows."""

from __future__ import annotations

import pytest

from git_knowl.services.filters.secrets import find
from tests.bench.secrets.growth import PARTS

LENGTH = 8_000


@pytest.mark.parametrize("part", PARTS)
def test_a_text_of_beginnings_is_searched_to_its_end(part):
    text = (part * LENGTH)[:LENGTH]

    assert all(0 <= one.start < one.end <= LENGTH for one in find(text))
