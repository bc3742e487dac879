"""Finding the one entry somebody means."""

from __future__ import annotations

import pytest

from git_knowl.model.anchor import EntryLink
from git_knowl.model.ids import IdError
from git_knowl.services.find import find_entry, find_row, links
from git_knowl.store.cache import AmbiguousNameError, NoSuchEntryError
from git_knowl.store.operations import PutEntry
from git_knowl.store.snapshot import DamagedEntryError
from tests.support.caches import plant
from tests.support.contexts import context
from tests.support.stores import entry, identifier, write

CART, TILL = entry("cart", 1), entry("till", 2)


@pytest.fixture
def ctx(repo):
    made = context(repo)
    write(made.store, PutEntry("shared", CART), PutEntry("local", TILL))
    made.refresh()
    return made


@pytest.mark.parametrize(
    "text", ["cart", CART.id, f"cart~{CART.id[-6:]}", CART.id[-8:], CART.id[:-1]]
)
def test_an_entry_is_found_by_name_suffix_id_or_unique_part(ctx, text):
    row, found = find_entry(ctx, text)

    assert (row.id, row.lane, found) == (CART.id, "shared", CART)


@pytest.mark.parametrize("text", ["nobody", "", "cart~zzzzzz", CART.id[-3:], identifier(9)])
def test_what_names_nothing_is_an_error(ctx, text):
    with pytest.raises(NoSuchEntryError):
        find_row(ctx, text)


def test_a_part_that_several_ids_share_lists_them(ctx):
    with pytest.raises(IdError, match="ambiguous"):
        find_row(ctx, CART.id[:8])


def test_a_name_that_two_entries_have_lists_both(repo):
    ctx = context(repo)
    plant(ctx.store, "shared", CART)
    plant(ctx.store, "local", entry("cart", 3))

    with pytest.raises(AmbiguousNameError):
        find_row(ctx, "cart")


def test_a_damaged_entry_says_so_and_hides_no_other(repo):
    ctx = context(repo)
    path = f"entries/{TILL.id[-2:]}/{TILL.id}.till.md"
    plant(ctx.store, "shared", CART, files={path: b"no entry"})

    with pytest.raises(DamagedEntryError, match="'till' in lane shared is damaged"):
        find_entry(ctx, "till")
    assert find_entry(ctx, "cart")[1] == CART


def test_links_name_every_entry_once_by_its_own_name(ctx):
    found = links(ctx, ["cart", {"name": "whatever", "id": TILL.id}, {"name": "till"}, CART.id])

    assert found == (EntryLink(CART.id, "cart"), EntryLink(TILL.id, "till"))
