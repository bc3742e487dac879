"""Judgements on entries: counted in this clone, and a wrong one waits as a flag."""

from __future__ import annotations

import pytest

from git_knowl.services.rate import USEFUL, WRONG, rate
from git_knowl.services.use import note_read, used
from git_knowl.store.cache import NoSuchEntryError
from tests.support.contexts import inbox_of
from tests.support.people import CART, agent, person, write


@pytest.fixture
def ctx(repo):
    ctx = person(repo)
    write(ctx, "cart-doubles", CART, "tree:lib/**")
    return ctx


def tally(ctx):
    (found,) = used(ctx).tallies.values()
    return found.read, found.useful, found.wrong


def test_judgements_add_up_beside_what_was_read(ctx):
    note_read(ctx, [ctx.cache.by_name("cart-doubles").id])
    rate(ctx, "cart-doubles", USEFUL)
    rate(ctx, "cart-doubles", USEFUL)
    rate(ctx, "cart-doubles", WRONG)

    assert tally(ctx) == (1, 2, 1)


def test_a_useful_one_raises_nothing(ctx):
    assert rate(ctx, "cart-doubles", USEFUL).raised is None
    assert inbox_of(ctx).flags == ()


def test_a_wrong_one_waits_as_one_flag_on_its_files_with_the_reason(ctx):
    rate(ctx, "cart-doubles", WRONG, "above\n five pieces")
    rate(ctx, "cart-doubles", WRONG, "above five  pieces")

    (flag,) = inbox_of(ctx).flags
    assert flag.summary == "The entry 'cart-doubles' is wrong: above five pieces"
    assert "lib/cart.ts" in [item.path for item in flag.paths]
    assert tally(ctx) == (0, 0, 2)


def test_it_is_found_from_below_the_top_and_said_by_an_agent(repo, ctx):
    (repo.path / "lib" / "deep").mkdir()
    told = agent(repo, cwd=str(repo.path / "lib" / "deep"))

    raised = rate(told, "cart-doubles", WRONG).raised

    assert raised is not None
    assert raised.flag.host == "claude"
    assert "lib/cart.ts" in [item.path for item in raised.flag.paths]


def test_what_nobody_knows_cannot_be_judged(ctx):
    with pytest.raises(NoSuchEntryError):
        rate(ctx, "nothing", WRONG)
    assert used(ctx).tallies == {}
    assert inbox_of(ctx).flags == ()
