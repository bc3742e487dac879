"""The store as it stood on another day, and what was taken out of it."""

from __future__ import annotations

import pytest

from git_knowl.services.find_text import find_text
from git_knowl.services.rename import rename
from git_knowl.services.retire import retire
from git_knowl.services.search_past import DateError, moment
from git_knowl.services.search_scope import Wanted
from tests.support.clock import Clock
from tests.support.people import CART, agent, person, write


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def ctx(repo, clock):
    ctx = person(repo, clock)
    write(ctx, "cart-doubles", CART, body="Discounts double. Why: pairs.\n")
    clock.advance(days=2)
    write(ctx, "conf", "file:conf.yml", body="Discounts are read once. Why: speed.\n")
    clock.advance(days=2)
    retire(ctx, "cart-doubles", "no pairs any more", None)
    clock.advance(days=2)
    ctx.refresh()
    return ctx


def names(ctx, question="discounts", **wanted):
    found = find_text(ctx, question, 10, Wanted(**wanted))
    return [one.row.name for one in found.listing.entries]


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("2026-11-28", set()),
        ("2026-11-29", {"cart-doubles"}),
        ("2026-12-01", {"cart-doubles", "conf"}),
        ("2026-12-01T00:00:00Z", {"cart-doubles"}),
        ("2026-12-03", {"conf"}),
        ("2027-12-01", {"conf"}),
    ],
)
def test_the_store_is_searched_as_it_stood_at_the_end_of_a_day(ctx, when, expected):
    assert set(names(ctx, as_of=when)) == expected


def test_looking_back_leaves_the_cache_of_today_alone(ctx):
    names(ctx, as_of="2026-11-29")
    ctx.refresh()

    assert names(ctx) == ["conf"]


@pytest.mark.parametrize(
    "when", ["yesterday", "2026-13-01", "2026-11-29T10:00", "", "--all", "2026-11-29T99:00:00"]
)
def test_a_day_that_is_none_is_refused(ctx, when):
    with pytest.raises(DateError, match="expected a day"):
        names(ctx, as_of=when)


def test_a_day_ends_at_midnight():
    assert moment("2026-11-29") == "2026-11-29T23:59:59Z"
    assert moment(" 2026-11-29T10:00:00Z ") == "2026-11-29T10:00:00Z"


def test_what_was_retired_is_found_on_request_behind_equals_and_says_why(ctx):
    found = find_text(ctx, "discounts", 10, Wanted(retired=True))

    assert names(ctx) == ["conf"]
    assert [one.row.name for one in found.listing.entries] == ["conf", "cart-doubles"]
    notes = [found.notes[one.row.id].gone for one in found.listing.entries]
    assert notes == ["", "retired 2026-12-03: no pairs any more"]


def test_the_last_text_counts_under_its_last_name(ctx):
    write(ctx, "queue", CART, body="The queue is drained at night. Why: load.\n")
    rename(ctx, "queue", "night-queue")
    ctx.refresh()
    retire(ctx, "night-queue", "gone", None)
    ctx.refresh()

    assert names(ctx, "queue drained", retired=True) == ["night-queue"]


def test_what_was_retired_is_narrowed_like_the_rest(ctx):
    assert names(ctx, retired=True, path="lib") == ["cart-doubles"]
    assert names(ctx, retired=True, path="conf.yml") == ["conf"]
    assert names(ctx, retired=True, type="feedback") == []


def test_retired_ones_of_a_day_are_those_retired_by_then(ctx):
    assert set(names(ctx, as_of="2026-12-01", retired=True)) == {"cart-doubles", "conf"}
    assert set(names(ctx, as_of="2026-12-04", retired=True)) == {"cart-doubles", "conf"}
    assert set(names(ctx, as_of="2026-11-29", retired=True)) == {"cart-doubles"}


def test_an_agent_gets_of_the_past_no_more_than_of_the_present(repo, ctx):
    repo.git("config", "knowl.trust", "signed")

    found = find_text(agent(repo), "discounts", 10, Wanted(retired=True))

    assert [one.untrusted for one in found.listing.entries] == [True, True]
    assert {one.row.description for one in found.listing.entries} == {""}


def test_an_empty_store_answers_for_any_day(repo):
    ctx = person(repo)

    assert names(ctx, as_of="2026-11-29", retired=True) == []
