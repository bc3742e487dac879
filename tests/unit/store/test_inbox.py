"""The inbox as readers see it, also after a crash between entries and inbox."""

from __future__ import annotations

import pytest

from git_knowl.model.entry import SHARED
from git_knowl.plumbing import refs
from git_knowl.store.drafts import PutDraft, draft_path
from git_knowl.store.flags import PutFlag
from git_knowl.store.inbox import Inbox, outcome, read_inbox
from git_knowl.store.operations import PutEntry, PutTombstone, RemoveEntry
from git_knowl.store.tombstones import Tombstone
from tests.support.stores import BY, TIME, PutRaw, draft, entry, flag, identifier, write

CART = entry("cart-total", 1)
CHANGED = entry("cart-total", 1, body="Another fact. Why: seen.\n")
STONE = Tombstone(CART.id, CART.name, "obsolete", BY, TIME, CART.digest)

CAPTURE = draft(CART)
UPDATE = draft(CHANGED, id=identifier(2), kind="update", target=CART.id, expected=CART.digest)
RETIRE = draft(
    CART, id=identifier(3), kind="retire", entry=None, target=CART.id, expected=CART.digest
)
DISCARD = draft(CART, id=identifier(4), kind="discard", entry=None, name=None, reason="noise")
DRAFTS = (CAPTURE, UPDATE, RETIRE, DISCARD)
FLAGS = tuple(flag(f"for {item.kind}", 10 + n, draft=item.id) for n, item in enumerate(DRAFTS))


def settled(store):
    return {item.kind for item in read_inbox(store.view()).settled}


def test_an_absent_inbox_is_empty(store):
    assert read_inbox(store.view()) == Inbox()


def test_flags_and_drafts_wait_until_the_lanes_hold_what_they_ask_for(store):
    write(store, *map(PutDraft, (CAPTURE, DISCARD)), *map(PutFlag, FLAGS))

    inbox = read_inbox(store.view())

    assert inbox == Inbox(flags=FLAGS, drafts=(CAPTURE, DISCARD))


def test_a_draft_whose_id_is_live_is_settled_whatever_the_inbox_says(store):
    write(store, *map(PutDraft, DRAFTS), *map(PutFlag, FLAGS))
    write(store, PutEntry(SHARED, CART))  # the entries moved, the inbox did not: a crash

    inbox = read_inbox(store.view())

    assert inbox.settled == (CAPTURE,)
    assert inbox.drafts == (UPDATE, RETIRE, DISCARD)
    assert [found.outcome for found in inbox.flags] == ["captured as cart-total"] + 3 * ["pending"]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ([PutEntry(SHARED, CART)], {"capture"}),
        ([PutEntry(SHARED, CHANGED)], {"capture", "update"}),
        ([PutTombstone(SHARED, STONE)], {"capture", "retire"}),
    ],
)
def test_each_kind_of_draft_is_settled_by_what_it_asks_for(store, changes, expected):
    write(store, *map(PutDraft, DRAFTS), *changes)

    assert settled(store) == expected


def test_a_draft_of_an_entry_captured_and_retired_since_does_not_come_back(store):
    write(store, PutDraft(CAPTURE), PutEntry(SHARED, CART))
    write(store, RemoveEntry(SHARED, CART.id), PutTombstone(SHARED, STONE))

    assert settled(store) == {"capture"}


def test_an_update_of_a_damaged_entry_is_not_settled(store):
    from git_knowl.store.layout import entry_path  # noqa: PLC0415

    write(store, PutDraft(UPDATE), PutRaw(refs.ENTRIES, entry_path(CART.id, CART.name), b"x"))

    assert settled(store) == set()


def test_a_settled_flag_keeps_the_outcome_that_was_recorded(store):
    done = flag("x", 10, draft=CAPTURE.id, outcome="discarded: noise")
    write(store, PutDraft(CAPTURE), PutFlag(done), PutEntry(SHARED, CART))

    assert read_inbox(store.view()).flags == (done,)


def test_damaged_records_stand_apart(store):
    bad = draft_path(identifier(7))
    write(store, PutDraft(CAPTURE), PutRaw(refs.INBOX, bad, b"[]"))

    inbox = read_inbox(store.view())

    assert inbox.drafts == (CAPTURE,)
    assert [item.path for item in inbox.damaged] == [bad]


def test_an_outcome_says_in_words_what_became_of_a_flag():
    assert [outcome(item) for item in DRAFTS] == [
        "captured as cart-total",
        "captured as cart-total",
        "led to retiring cart-total",
        "discarded: noise",
    ]
