"""The block as the doors ask for it: of nothing, of an inbox alone, within a budget, twice."""

from __future__ import annotations

import pytest

from git_knowl.services.index import estimate
from git_knowl.services.index_block import index_block
from git_knowl.services.index_text import OPENING
from tests.support.people import CART, person, write


def lines(text):
    return [line for line in text.splitlines() if line.startswith("- ")]


@pytest.fixture
def many(repo, knowl):
    """Give a store of thirty entries."""
    ctx = person(repo)
    for number in range(30):
        write(ctx, f"fact-{number:02}", CART)
    return knowl


def test_a_repository_where_nothing_is_known_gets_nothing(knowl):
    assert knowl.ok("index") == ""


def test_flags_alone_are_nothing_known(knowl):
    knowl.ok("flag", "totals double above three", "-p", "lib/cart.ts")

    assert knowl.ok("index") == ""
    assert knowl.ok("index", "--budget", "100") == ""


def test_a_budget_is_that_of_the_entry_lines(many):
    whole, small = many.ok("index"), many.ok("index", "--budget", "60")

    assert len(lines(whole)) == 30
    assert 0 < len(lines(small)) < 30
    assert sum(estimate(f"{line}\n") for line in lines(small)) <= 60
    assert f"{30 - len(lines(small))} more: lib {30 - len(lines(small))}." in small
    assert small.startswith(OPENING)


def test_asked_again_it_is_the_same_byte_by_byte(repo, many):
    first = many.ok("index")

    assert [many.ok("index"), index_block(person(repo))] == [first, first]
