"""What happened to the store, and to one entry, whether it is still live or not.

The clock stands still in all of it: the order is that of the writes.
"""

from __future__ import annotations

import pytest

from git_knowl.services.log import entry_log
from git_knowl.services.rename import move, rename
from git_knowl.services.retire import retire
from git_knowl.store.cache import AmbiguousNameError, NoSuchEntryError
from tests.support.caches import plant
from tests.support.people import CART, person, write
from tests.support.stores import identifier


def subjects(ctx, name=None, limit=None):
    return [one.subject for one in entry_log(ctx, name, limit)]


def test_all_operations_of_both_lanes_come_latest_first(repo):
    ctx = person(repo)
    write(ctx, "cart", CART)
    write(ctx, "habit", lane="local")
    rename(ctx, "cart", "till")

    assert subjects(ctx) == ["rename cart to till", "capture habit", "capture cart"]
    assert subjects(ctx, limit=2) == ["rename cart to till", "capture habit"]


def test_what_touched_both_lanes_is_told_once(repo):
    ctx = person(repo)
    write(ctx, "cart", CART)
    write(ctx, "habit", lane="local")
    move(ctx, "cart", "local")

    assert subjects(ctx) == ["move cart to lane local", "capture habit", "capture cart"]
    assert subjects(ctx, limit=1) == ["move cart to lane local"]
    assert entry_log(ctx, None, 1)[0].lane == "shared"


def test_the_log_of_an_entry_follows_its_id_through_names_and_lanes(repo):
    ctx = person(repo)
    write(ctx, "cart", CART)
    write(ctx, "habit")
    rename(ctx, "cart", "till")
    move(ctx, "till", "local")

    assert subjects(ctx, "till") == [
        "move till to lane local",
        "rename cart to till",
        "capture cart",
    ]


def test_a_retired_entry_has_a_log_too(repo):
    ctx = person(repo)
    entry = write(ctx, "cart", CART)
    retire(ctx, "cart", "old")

    for text in ("cart", entry.id, entry.id[-8:], f"cart~{entry.id[-6:]}"):
        assert subjects(ctx, text) == ["retire cart", "capture cart"]


def test_the_live_one_of_two_with_a_name_is_meant(repo):
    ctx = person(repo)
    write(ctx, "cart", CART)
    retire(ctx, "cart", "old")
    write(ctx, "cart", CART, body="Another text.")

    assert subjects(ctx, "cart") == ["capture cart"]


def test_two_retired_ones_of_a_name_are_told_apart(repo):
    ctx = person(repo)
    for body in ("One.", "Two."):
        write(ctx, "cart", CART, body=body)
        retire(ctx, "cart", body)

    with pytest.raises(AmbiguousNameError, match=r"\(One\.\)"):
        subjects(ctx, "cart")


def test_a_damaged_entry_has_a_log_too(repo):
    ctx = person(repo)
    entry = write(ctx, "cart", CART)
    plant(ctx.store, "shared", files={f"entries/{entry.id[-2:]}/{entry.id}.cart.md": b"broken"})

    assert subjects(person(repo), entry.id) == ["plant", "capture cart"]


def test_a_name_nobody_had_is_refused_and_an_empty_store_has_no_log(repo):
    assert subjects(person(repo)) == []
    with pytest.raises(NoSuchEntryError, match="no entry has the name 'cart'"):
        subjects(person(repo), "cart")
    with pytest.raises(NoSuchEntryError, match="no entry has or had the id"):
        subjects(person(repo), identifier(1))
