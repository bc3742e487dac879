"""Taking an operation back, forward in history."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.errors import MovedError
from git_knowl.model.entry import LOCAL, SHARED
from git_knowl.plumbing import refs
from git_knowl.store import history
from git_knowl.store.operations import (
    PutEntry,
    PutProject,
    PutTombstone,
    RemoveEntry,
    RemoveTombstone,
)
from git_knowl.store.rules import NameTakenError
from git_knowl.store.snapshot import Snapshot
from git_knowl.store.tombstones import Tombstone
from git_knowl.store.transaction import publish
from git_knowl.store.undo import UndoError, undo
from tests.support.stores import AT, BY, TIME, entry, record, write

CART, CONF = entry("cart-total", 1), entry("conf", 2)
STONE = Tombstone(CART.id, CART.name, "obsolete", BY, TIME, CART.digest)
LATER = "2026-11-30T00:54:20Z"


def take_back(store, commit=None):
    def operation(view):
        found = history.find(store, view, commit) if commit else history.latest(store, view)
        return undo(view, found, author=BY, at=AT + 60)

    return publish(store, operation, record("undo", "undo"))


def live(store):
    view = store.view()
    return {
        lane: {stored.entry.name: stored.entry for stored in Snapshot(view, lane).entries()}
        for lane in (SHARED, LOCAL)
    }


def retired(store, lane=SHARED):
    return Snapshot(store.view(), lane).retired()


def test_an_undone_capture_is_retired_so_that_no_sync_brings_it_back(any_store):
    write(any_store, PutEntry(SHARED, CART), record=record("capture", "capture cart-total"))

    take_back(any_store)

    assert live(any_store) == {SHARED: {}, LOCAL: {}}
    reason = "undid 'capture cart-total'"
    assert retired(any_store) == {CART.id: replace(STONE, reason=reason, at=LATER)}


def test_an_undone_change_brings_the_old_text_back_under_a_higher_revision(store):
    write(store, PutEntry(SHARED, CART))
    write(store, PutEntry(SHARED, entry("cart-sum", 1, rev=5, body="New. Why: x.\n")))

    take_back(store)

    assert live(store)[SHARED] == {"cart-total": replace(CART, rev=6, updated=LATER)}
    assert live(store)[SHARED]["cart-total"].digest == CART.digest


def test_an_undone_retirement_is_live_again_and_its_tombstone_gone(store):
    write(store, PutEntry(SHARED, CART))
    write(store, RemoveEntry(SHARED, CART.id), PutTombstone(SHARED, STONE))

    take_back(store)

    assert live(store)[SHARED] == {"cart-total": replace(CART, rev=2, updated=LATER)}
    assert retired(store) == {}


def test_an_undone_restoration_puts_the_same_tombstone_back(store):
    write(store, PutEntry(SHARED, CART))
    write(store, RemoveEntry(SHARED, CART.id), PutTombstone(SHARED, STONE))
    write(store, PutEntry(SHARED, replace(CART, rev=2)), RemoveTombstone(SHARED, CART.id))

    take_back(store)

    assert live(store)[SHARED] == {}
    assert retired(store) == {CART.id: STONE}


def test_undoing_twice_gives_the_undone_text_back(store):
    write(store, PutEntry(SHARED, CART))
    write(store, PutEntry(SHARED, replace(CART, rev=2, body="New. Why: x.\n")))

    take_back(store)
    take_back(store)

    assert live(store)[SHARED]["cart-total"].body == "New. Why: x.\n"
    assert live(store)[SHARED]["cart-total"].rev == 4


@pytest.mark.parametrize(("source", "target"), [(SHARED, LOCAL), (LOCAL, SHARED)])
def test_an_undone_move_takes_the_entry_back_to_its_lane(store, source, target):
    write(store, PutEntry(source, CART))
    stones = [PutTombstone(SHARED, STONE)] if source == SHARED else []
    write(store, RemoveEntry(source, CART.id), *stones, PutEntry(target, CART))

    take_back(store)

    assert live(store)[source].keys() == {"cart-total"}
    assert live(store)[target] == {}
    assert set(retired(store)) == ({CART.id} if source == LOCAL else set())
    assert retired(store, LOCAL) == {}


def test_all_entries_of_one_review_are_taken_back_together(store):
    write(store, PutEntry(SHARED, CART), PutEntry(LOCAL, CONF))

    take_back(store)

    assert live(store) == {SHARED: {}, LOCAL: {}}
    assert (set(retired(store)), set(retired(store, LOCAL))) == ({CART.id}, {CONF.id})


def test_an_earlier_operation_is_undone_while_its_entries_are_untouched(store):
    first = write(store, PutEntry(SHARED, CART))
    write(store, PutEntry(SHARED, CONF))

    take_back(store, first.commits[refs.ENTRIES])

    assert live(store)[SHARED].keys() == {"conf"}


def test_an_operation_whose_entry_was_touched_since_is_refused_and_nothing_written(store):
    first = write(store, PutEntry(SHARED, CART))
    second = write(store, PutEntry(SHARED, replace(CART, rev=2)))

    with pytest.raises(MovedError, match=f"changed since: {CART.id}"):
        take_back(store, first.commits[refs.ENTRIES])
    assert store.view().commits[refs.ENTRIES] == second.commits[refs.ENTRIES]


def test_a_name_taken_since_stops_the_undo_of_a_rename(store):
    write(store, PutEntry(SHARED, CART))
    renamed = write(store, PutEntry(SHARED, entry("cart-sum", 1, rev=2)))
    write(store, PutEntry(SHARED, entry("cart-total", 7)))

    with pytest.raises(NameTakenError):
        take_back(store, renamed.commits[refs.ENTRIES])


def test_there_is_nothing_to_undo_in_an_empty_store(store):
    with pytest.raises(UndoError, match="nothing was written"):
        take_back(store)


@pytest.mark.parametrize("change", [PutProject(["a" * 40]), PutTombstone(SHARED, STONE)])
def test_an_operation_that_changed_no_entry_cannot_be_undone(store, change):
    write(store, change, record=record("init", "init"))

    with pytest.raises(UndoError, match="'init' changed no entry"):
        take_back(store)


def test_a_commit_that_joined_two_histories_cannot_be_undone(repo, store):
    first = write(store, PutEntry(SHARED, CART)).commits[refs.ENTRIES]
    second = write(store, PutEntry(SHARED, CONF)).commits[refs.ENTRIES]
    merge = repo.git("commit-tree", f"{second}^{{tree}}", "-p", first, "-p", second, "-m", "sync")
    repo.git("update-ref", refs.ENTRIES, merge)

    with pytest.raises(UndoError, match="'sync' joined two histories"):
        take_back(store)
