"""What is told of histories that met: each operation once, whoever did it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.model.anchor import UrlAnchor
from git_knowl.model.entry import SHARED
from git_knowl.store import history
from git_knowl.store.conflicts import RemoveConflict, read_conflict
from git_knowl.store.deeds import deeds
from git_knowl.store.operations import PutEntry, PutTombstone, RemoveEntry
from git_knowl.store.rules import ConflictedError
from git_knowl.store.tombstones import Tombstone
from git_knowl.store.transaction import publish
from git_knowl.store.undo import UndoError, undo
from tests.support.joining import Peer
from tests.support.stores import AT, BY, TIME, entry

CART = entry("cart-total", 1)
CONF = entry("conf-order", 2)


def told(text: str, rev: int = 2):
    """Return CART with another body."""
    return replace(CART, body=f"{text}. Why: it was seen.\n", rev=rev)


@pytest.fixture
def pair(tmp_path):
    """Give two clones that share CART and changed it in different ways; Ada has joined both."""
    ada, kim = (Peer.make(tmp_path, name) for name in ("ada", "kim"))
    ada.write(PutEntry(SHARED, CART))
    kim.join(ada)
    kim.write(PutEntry(SHARED, told("kim says so")), op="edit")
    kim.write(PutEntry(SHARED, CONF))
    ada.write(PutEntry(SHARED, told("ada says so", rev=3)), op="edit")
    ada.join(kim)
    return ada, kim


def ops(peer, identifier=None, limit=None):
    """Return who did what, the latest first."""
    found = history.log(peer.store, peer.store.view(), identifier=identifier, limit=limit)
    return [(one.author.partition(" ")[0], one.op) for one in found]


def test_the_operations_of_both_sides_are_told_once_each(pair):
    ada, _ = pair
    assert sorted(ops(ada)) == [
        ("ada", "capture"),
        ("ada", "edit"),
        ("ada", "sync"),
        ("kim", "capture"),
        ("kim", "edit"),
    ]
    assert ops(ada)[0] == ("ada", "sync")
    assert ops(ada)[-1] == ("ada", "capture")
    assert ops(ada) == ops(ada)


def test_of_an_entry_both_sides_are_told_and_the_join_that_decided_on_it(pair):
    ada, _ = pair
    found = ops(ada, CART.id)
    assert (found[0], found[-1]) == (("ada", "sync"), ("ada", "capture"))
    assert sorted(found[1:-1]) == [("ada", "edit"), ("kim", "edit")]


def test_a_join_that_only_brought_an_entry_is_no_operation_on_it(pair):
    ada, _ = pair
    assert ops(ada, CONF.id) == [("kim", "capture")]


def test_a_limit_counts_what_is_told(pair):
    ada, _ = pair
    assert ops(ada, CART.id, 2) == ops(ada, CART.id)[:2]
    assert ops(ada, None, 3) == ops(ada)[:3]


def test_an_update_that_came_to_nothing_is_told_too(tmp_path):
    ada, kim = (Peer.make(tmp_path, name) for name in ("ada", "kim"))
    ada.write(PutEntry(SHARED, CART))
    kim.join(ada)
    kim.write(PutEntry(SHARED, told("kim says so")), op="edit")
    stone = Tombstone(CART.id, CART.name, "gone", BY, TIME, CART.digest)
    ada.write(RemoveEntry(SHARED, CART.id), PutTombstone(SHARED, stone), op="retire")

    ada.join(kim)

    assert sorted(ops(ada, CART.id)) == [("ada", "capture"), ("ada", "retire"), ("kim", "edit")]


def test_a_join_cannot_be_undone_by_itself(pair):
    ada, _ = pair
    view = ada.store.view()
    with pytest.raises(UndoError, match="joined two histories"):
        undo(view, history.latest(ada.store, view), author=BY, at=AT)


def test_what_both_sides_captured_and_verified_is_told_once(tmp_path):
    ada, kim = (Peer.make(tmp_path, name) for name in ("ada", "kim"))
    ada.write(PutEntry(SHARED, CART))
    kim.join(ada)
    since = kim.tip
    kim.write(PutEntry(SHARED, CONF))
    later = UrlAnchor("https://example.org/", "2026-12-01T10:00:00Z", 90)
    ada.write(PutEntry(SHARED, replace(CART, anchors=(later,), rev=2)), op="verify")
    ada.write(PutEntry(SHARED, entry("third", 3)))
    ada.join(kim)

    def said(after):
        return sorted((d.word, d.name) for d in deeds(ada.store.repo, ada.store.view(), after))

    news = [("captured", "conf-order"), ("captured", "third"), ("verified", "cart-total")]
    assert said(since) == news
    assert said(None) == sorted([("captured", "cart-total"), *news])


@pytest.mark.parametrize("change", [{"body": "Another. Why: so.\n"}, {"name": "other"}, {}])
def test_an_entry_in_conflict_is_not_written_before_a_person_has_chosen(pair, change):
    ada, _ = pair
    live = ada.live(CART.id).entry
    with pytest.raises(ConflictedError, match="in conflict") as caught:
        ada.write(PutEntry(SHARED, replace(live, rev=9, **change)))
    assert caught.value.exit_code == 4


def test_an_entry_in_conflict_is_retired_with_all_its_texts(pair):
    ada, _ = pair
    stone = Tombstone(CART.id, CART.name, "gone", BY, TIME, CART.digest)
    ada.write(RemoveEntry(SHARED, CART.id), PutTombstone(SHARED, stone))
    assert [path for path in ada.files() if CART.id in path] == [
        f"retired/{CART.id[-2:]}/{CART.id}.json"
    ]


def test_a_resolution_is_undone_to_the_conflict_it_was(pair):
    ada, _ = pair
    live = ada.live(CART.id).entry
    torn = [path for path in ada.files() if path.startswith("conflicts/")]
    chosen = replace(told("kim says so"), rev=4)
    ada.write(PutEntry(SHARED, chosen), RemoveConflict(SHARED, CART.id), op="resolve")
    assert read_conflict(ada.store.view(), SHARED, CART.id) is None

    last = history.latest(ada.store, ada.store.view())
    publish(ada.store, lambda view: undo(view, last, author=BY, at=AT), ada.record)

    assert [path for path in ada.files() if path.startswith("conflicts/")] == torn
    found = read_conflict(ada.store.view(), SHARED, CART.id)
    assert found.live.body == live.body
    assert {side.body for side in found.sides} == {live.body, told("kim says so").body}
