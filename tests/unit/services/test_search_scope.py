"""What a search is narrowed to, and that a superseded entry is found on request alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.services.doctor.store import check_circles
from git_knowl.services.find_text import find_text
from git_knowl.services.retire import retire
from git_knowl.services.search_scope import Wanted
from git_knowl.store.operations import PutEntry
from git_knowl.store.superseded import superseded
from git_knowl.store.transaction import Record, publish
from tests.support.people import CART, person, write
from tests.support.stores import identifier

EDIT = Record("edit", "edit", "Kim <kim@example.org>", 1)


@pytest.fixture
def ctx(repo):
    ctx = person(repo)
    write(ctx, "cart-doubles", CART, body="Discounts double. Why: pairs.\n", tags=("Cart",))
    write(ctx, "conf", "file:conf.yml", body="Discounts are read once. Why: speed.\n")
    page = "url:https://example.org/discounts"
    write(ctx, "vendor", page, type="reference", body="Discounts of the vendor. Why: law.\n")
    ctx.refresh()
    return ctx


def names(ctx, question="discounts", **wanted):
    found = find_text(ctx, question, 10, Wanted(**wanted))
    return {one.row.name for one in found.listing.entries}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({}, {"cart-doubles", "conf", "vendor"}),
        ({"type": "reference"}, {"vendor"}),
        ({"tag": "cart"}, {"cart-doubles"}),
        ({"tag": "car"}, set()),
        ({"path": "lib"}, {"cart-doubles"}),
        ({"path": "conf.yml"}, {"conf"}),
        ({"status": "active"}, {"conf", "vendor"}),
        ({"status": "suspect"}, {"cart-doubles"}),
        ({"status": "unknown"}, set()),
        ({"status": "active", "type": "project"}, {"conf"}),
        ({"tag": "cart", "type": "reference"}, set()),
    ],
)
def test_filters_keep_what_all_of_them_keep(repo, ctx, wanted, expected):
    repo.write("lib/cart.ts", "changed\n")

    assert names(ctx, **wanted) == expected


def test_a_filter_looks_past_the_best_by_relevance(repo):
    ctx = person(repo)
    one = write(ctx, "discounts", CART, body="Discounts, discounts. Why: so.\n")
    others = [replace(one, id=identifier(n), name=f"discounts-{n:02}") for n in range(1, 60)]
    publish(ctx.store, lambda _: [PutEntry("shared", other) for other in others], EDIT)
    write(ctx, "last", "file:conf.yml", body="Long ago " * 50 + "discounts. Why: law.\n")
    ctx.refresh()

    assert names(ctx, path="conf.yml") == {"last"}


def test_an_exact_name_outside_the_filter_is_not_found(ctx):
    assert names(ctx, "conf", type="reference") == set()


def replacing(ctx, newer, *older):
    rows = {row.name: row.id for row in ctx.cache.entry_rows()}
    entry = ctx.cache.entries([rows[newer]])[0]
    made = replace(entry, rev=entry.rev + 1, supersedes=tuple(rows[one] for one in older))
    publish(ctx.store, lambda _: [PutEntry("shared", made)], EDIT)
    ctx.refresh()


def test_a_superseded_entry_is_found_on_request_alone_and_says_by_what(ctx):
    replacing(ctx, "vendor", "conf")

    found = find_text(ctx, "discounts", 10, Wanted(retired=True))

    assert names(ctx) == {"cart-doubles", "vendor"}
    assert names(ctx, "conf") == set()
    notes = {one.row.name: found.notes[one.row.id].gone for one in found.listing.entries}
    assert notes == {"cart-doubles": "", "vendor": "", "conf": "superseded by vendor"}


def test_the_last_of_a_chain_stands_for_all_of_it(ctx):
    replacing(ctx, "vendor", "conf")
    replacing(ctx, "cart-doubles", "vendor")
    rows = {row.name: row.id for row in ctx.cache.entry_rows()}

    assert superseded(ctx.cache) == {
        rows["conf"]: rows["cart-doubles"],
        rows["vendor"]: rows["cart-doubles"],
    }


def test_a_circle_hides_nothing(ctx):
    replacing(ctx, "vendor", "conf")
    replacing(ctx, "conf", "vendor")

    assert names(ctx) == {"cart-doubles", "conf", "vendor"}


def test_a_circle_is_told_where_somebody_looks(ctx, knowl):
    replacing(ctx, "vendor", "conf")
    before = knowl.ok("show", "vendor")
    replacing(ctx, "conf", "vendor")
    told = [one.problem for one in check_circles(ctx)]

    assert "(in a circle" not in before
    assert "of conf (in a circle, supersedes nothing)" in knowl.ok("show", "vendor")
    assert told == ["entries in a circle of 'supersedes', which supersedes nothing: conf, vendor"]


@pytest.mark.parametrize("older", ["twin-a", "twin-b"])
def test_what_was_superseded_stands_behind_what_fits_as_well(ctx, older):
    for name in ("twin-a", "twin-b"):
        write(ctx, name, "file:conf.yml", description="Read this", body="Rebates. Why: law.\n")
    replacing(ctx, "vendor", older)

    found = find_text(ctx, "rebates", 10, Wanted(retired=True))

    assert found.scores[0] == found.scores[1]
    assert [one.row.name == older for one in found.listing.entries[:2]] == [False, True]


def test_what_replaced_it_and_went_hides_it_no_longer(ctx):
    replacing(ctx, "vendor", "conf")
    retire(ctx, "vendor", "the vendor is gone", None)
    ctx.refresh()

    assert names(ctx) == {"cart-doubles", "conf"}
