"""Decisions carried out together: what holds no more is left out and spoils nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_knowl.errors import KnowlError, MovedError
from git_knowl.services.sift import carry_out, sift


def refusing(bad):
    """Return a rehearsal that some numbers do not pass, nor any number twice."""

    def rehearse(numbers):
        if len(set(numbers)) < len(numbers) or bad & set(numbers):
            raise MovedError("moved")

    return rehearse


@given(st.lists(st.integers(0, 9)), st.sets(st.integers(0, 9)))
def test_what_holds_is_as_much_as_can_be_and_nothing_is_lost(numbers, bad):
    held, left = sift(numbers, refusing(bad))

    assert held == [n for n in dict.fromkeys(numbers) if n not in bad]
    assert sorted([*held, *(n for n, _ in left)]) == sorted(numbers)


def test_what_moves_between_rehearsal_and_write_is_left_out_too():
    bad: set[int] = set()

    def publish(numbers):
        bad.add(2)
        refusing(bad)(numbers)
        return list(numbers)

    done, left = carry_out([1, 2, 3], refusing(bad), publish)

    assert done == [1, 3]
    assert [n for n, _ in left] == [2]


def test_where_nothing_holds_the_first_error_is_raised():
    with pytest.raises(MovedError):
        carry_out([1, 2], refusing({1, 2}), list)


def test_a_failure_that_no_decision_is_to_blame_for_is_raised():
    def publish(_numbers):
        raise KnowlError("no space left")

    with pytest.raises(KnowlError, match="no space"):
        carry_out([1, 2], refusing(set()), publish)
