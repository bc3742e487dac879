"""Names are unique over both lanes when they are written; retired ids stay retired."""

from __future__ import annotations

import pytest

from git_knowl.model.document import render
from git_knowl.model.entry import LOCAL, SHARED
from git_knowl.plumbing import refs
from git_knowl.store import layout
from git_knowl.store.operations import (
    PutEntry,
    PutTombstone,
    RemoveEntry,
    RemoveTombstone,
)
from git_knowl.store.rules import NameTakenError, RetiredError
from git_knowl.store.snapshot import Snapshot
from git_knowl.store.tombstones import Tombstone
from git_knowl.store.view import View
from tests.support.stores import BY, TIME, PutRaw, entry, identifier, write

CART = entry("cart-total", 1)
STONE = Tombstone(CART.id, CART.name, "obsolete", BY, TIME, CART.digest)


class Lookup:
    """A lookup of names as it was at the tips of a view, which remembers what it was asked."""

    def __init__(self, store, *, broken=False):
        view = store.view()
        self.tips = {lane: view.lane(lane).commit for lane in (SHARED, LOCAL)}
        self.known = dict(view.list_names())
        self.broken = broken
        self.asked = []

    def find_name(self, name):
        self.asked.append(name)
        if self.broken:
            raise LookupError(name)
        return self.known.get(name, [])


def names(store):
    view = store.view()
    return {
        lane: {s.entry.name for s in Snapshot(view, lane).entries()} for lane in (SHARED, LOCAL)
    }


@pytest.fixture(params=["listing", "lookup", "stale lookup", "empty lookup", "broken lookup"])
def cart_store(request, store):
    """Give a store with the entry cart-total and every way to ask whose a name is."""
    lookup = Lookup(store) if request.param == "empty lookup" else None
    write(store, PutEntry(SHARED, entry("other", 5)))
    lookup = Lookup(store) if request.param == "stale lookup" else lookup
    write(store, PutEntry(SHARED, CART))
    if "lookup" in request.param:
        store.names = lookup or Lookup(store, broken=request.param == "broken lookup")
    return store


@pytest.mark.parametrize("lane", [SHARED, LOCAL])
def test_a_name_is_taken_in_both_lanes_and_the_message_names_its_holder(cart_store, lane):
    with pytest.raises(NameTakenError, match=f"'cart-total' is taken by the entry {CART.id}"):
        write(cart_store, PutEntry(lane, entry("cart-total", 2)))


def test_an_entry_may_be_changed_under_its_own_name(cart_store):
    write(cart_store, PutEntry(SHARED, entry("cart-total", 1, rev=2)))

    assert names(cart_store)[SHARED] == {"cart-total", "other"}


def test_a_rename_frees_the_old_name_and_takes_the_new_one(cart_store):
    write(cart_store, PutEntry(SHARED, entry("cart-sum", 1, rev=2)))
    write(cart_store, PutEntry(LOCAL, entry("cart-total", 2)))

    assert names(cart_store) == {SHARED: {"cart-sum", "other"}, LOCAL: {"cart-total"}}


def test_a_name_freed_in_the_same_operation_may_be_taken(cart_store):
    write(
        cart_store,
        PutEntry(LOCAL, entry("cart-total", 2)),
        RemoveEntry(SHARED, CART.id),
    )

    assert names(cart_store) == {SHARED: {"other"}, LOCAL: {"cart-total"}}


def test_two_entries_may_swap_their_names_in_one_operation(cart_store):
    write(
        cart_store,
        PutEntry(SHARED, entry("other", 1, rev=2)),
        PutEntry(SHARED, entry("cart-total", 5, rev=2)),
    )

    assert names(cart_store)[SHARED] == {"cart-total", "other"}


def test_two_new_entries_of_one_operation_cannot_share_a_name(cart_store):
    with pytest.raises(NameTakenError, match="twice"):
        write(
            cart_store,
            PutEntry(SHARED, entry("twice", 2)),
            PutEntry(LOCAL, entry("twice", 3)),
        )


def test_an_entry_moves_between_lanes_and_is_never_live_in_both(cart_store):
    with pytest.raises(NameTakenError, match=f"'cart-total' .{CART.id}. is live in lane shared"):
        write(cart_store, PutEntry(LOCAL, CART))

    write(cart_store, RemoveEntry(SHARED, CART.id), PutEntry(LOCAL, CART))

    assert names(cart_store) == {SHARED: {"other"}, LOCAL: {"cart-total"}}


def test_entries_that_share_a_name_since_a_merge_can_still_be_changed(cart_store):
    twin = entry("cart-total", 2)
    view = cart_store.view()
    merged = PutRaw(refs.ENTRIES, layout.entry_path(twin.id, twin.name), render(twin))
    cart_store.names = None
    with pytest.raises(NameTakenError):
        write(cart_store, merged)
    assert view.holders("cart-total") == [(SHARED, CART.id)]

    cart_store.repo.git("update-ref", refs.ENTRIES, merge_by_hand(cart_store, merged))
    write(cart_store, PutEntry(SHARED, entry("cart-total", 2, rev=2)))

    assert [holder for _, holder in cart_store.view().holders("cart-total")] == [CART.id, twin.id]


def merge_by_hand(store, change):
    """Return a commit that holds one more file than the tip of the shared lane."""
    view = store.view()
    change.apply(view)
    root, objects = view.lane(SHARED).edited()
    store.db.write(objects)
    parent = view.commits[refs.ENTRIES]
    return store.repo.git("commit-tree", root, "-p", parent, "-m", "merge").decode().strip()


def test_a_lookup_that_is_right_for_the_tips_is_asked_and_nothing_is_listed(store, monkeypatch):
    write(store, PutEntry(SHARED, CART))
    store.names = Lookup(store)
    monkeypatch.delattr(View, "list_names")

    write(store, PutEntry(SHARED, entry("new", 2)))

    assert store.names.asked == ["new"]


def test_a_lookup_of_a_commit_that_is_gone_is_not_believed(store):
    write(store, PutEntry(SHARED, CART))
    store.names = Lookup(store)
    store.names.tips = {SHARED: "1" * 40, LOCAL: None}
    store.names.find_name = lambda _: []

    with pytest.raises(NameTakenError):
        write(store, PutEntry(SHARED, entry("cart-total", 2)))


def test_a_retired_id_comes_back_only_with_its_tombstone_removed(store):
    write(store, PutEntry(SHARED, CART))
    write(store, RemoveEntry(SHARED, CART.id), PutTombstone(SHARED, STONE))

    with pytest.raises(RetiredError, match="is retired in lane shared"):
        write(store, PutEntry(SHARED, CART))
    write(store, PutEntry(SHARED, CART), RemoveTombstone(SHARED, CART.id))
    assert names(store)[SHARED] == {"cart-total"}


def test_a_tombstone_of_the_shared_lane_does_not_stop_the_entry_in_the_local_one(store):
    write(store, PutEntry(SHARED, CART))

    write(
        store,
        RemoveEntry(SHARED, CART.id),
        PutTombstone(SHARED, STONE),
        PutEntry(LOCAL, CART),
    )

    assert names(store)[LOCAL] == {"cart-total"}


def test_live_and_known_ids_are_told_apart(store):
    write(store, PutEntry(LOCAL, CART), PutTombstone(SHARED, Tombstone(
        identifier(2), "gone", "obsolete", BY, TIME, "0" * 64)))  # fmt: skip

    view = store.view()

    assert [view.is_live(identifier(n)) for n in (1, 2, 3)] == [True, False, False]
    assert [view.is_known(identifier(n)) for n in (1, 2, 3)] == [True, True, False]
