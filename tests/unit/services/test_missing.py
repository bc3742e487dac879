"""A name that names nothing leads on: to what it became, or to what it was meant for."""

from __future__ import annotations

import pytest

from git_knowl.services.find import find_row
from git_knowl.services.retire import restore, retire
from git_knowl.services.retired import RestoreError
from git_knowl.services.show import show
from git_knowl.store.cache import NoSuchEntryError
from tests.support.people import CART, KIM, person, write


def missed(ctx, text):
    with pytest.raises(NoSuchEntryError) as caught:
        find_row(ctx, text)
    return caught.value


def test_a_retired_entry_is_told_with_who_and_why_and_the_way_back(repo):
    ctx = person(repo)
    entry = write(ctx, "cart", CART)
    retire(ctx, "cart", "the supplier is gone")

    for text in ("cart", entry.id, entry.id[-8:], f"cart~{entry.id[-6:]}"):
        error = missed(ctx, text)
        assert error.message.startswith(f"'{text}' was retired by {KIM} at 20")
        assert error.message.endswith(": the supplier is gone")
        assert "'git knowl restore cart'" in error.hint

    restore(ctx, "cart")
    assert show(ctx, "cart").entry.id == entry.id


def test_of_two_retired_entries_of_a_name_the_way_back_names_the_latest(repo):
    ctx = person(repo)
    write(ctx, "cart", CART)
    retire(ctx, "cart", "first")
    second = write(ctx, "cart", CART)
    retire(ctx, "cart", "second")

    way = f"cart~{second.id[-6:]}"
    assert f"'git knowl restore {way}'" in missed(ctx, "cart").hint

    assert restore(ctx, way).id == second.id


def test_a_live_entry_of_the_name_comes_before_a_retired_one(repo):
    ctx = person(repo)
    write(ctx, "cart", CART)
    retire(ctx, "cart", "old")
    again = write(ctx, "cart", CART)

    assert find_row(ctx, "cart").id == again.id


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("cart-double-above", "'cart-doubles-above'"),
        ("cart-dubles-abvoe", "'cart-doubles-above'"),
        ("doubles", "'cart-doubles-above'"),
        ("till~zzzzzz", "'till'"),
    ],
)
def test_names_spelt_nearly_so_or_longer_are_offered(repo, text, offered):
    ctx = person(repo)
    for name in ("cart-doubles-above", "till", "unrelated-habit"):
        write(ctx, name, CART)

    assert missed(ctx, text).hint.startswith(f"did you mean {offered}")
    assert "unrelated" not in missed(ctx, text).hint


@pytest.mark.parametrize("text", ["", "ca", "nobody", "\udcff", "'; DROP", "x" * 10000])
def test_what_is_like_nothing_offers_the_list_alone(repo, text):
    ctx = person(repo)
    write(ctx, "cart-doubles-above", CART)

    assert missed(ctx, text).hint == "list them with 'git knowl ls'"


def test_in_an_empty_store_nothing_is_offered(repo):
    assert missed(person(repo), "cart").hint == "list them with 'git knowl ls'"


def test_restoring_what_is_live_or_misspelt_says_so(repo):
    ctx = person(repo)
    for name in ("cart-doubles", "till"):
        write(ctx, name, CART)
    retire(ctx, "cart-doubles", "old")

    with pytest.raises(RestoreError, match="'till' is live, there is nothing to bring back"):
        restore(ctx, "till")
    with pytest.raises(RestoreError, match="no retired entry has the name") as caught:
        restore(ctx, "cart-dubbles")
    assert caught.value.hint.startswith("did you mean 'cart-doubles'? ")
