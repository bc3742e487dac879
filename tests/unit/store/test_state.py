"""What a clone remembers for itself."""

from __future__ import annotations

import pytest

from git_knowl.plumbing import refs
from git_knowl.store import state
from git_knowl.store.state import Accept, PutState, Snooze
from tests.support.stores import identifier, write

ONE, TWO = identifier(1), identifier(2)


def test_accepted_texts_are_remembered_by_id_and_digest(any_store):
    write(any_store, Accept(ONE, "aa", "web"), Accept(ONE, "bb"), Accept(TWO, "aa", "terminal"))

    view = any_store.view()
    assert state.read_doors(view) == {
        (ONE, "aa"): "web",
        (ONE, "bb"): "",
        (TWO, "aa"): "terminal",
    }
    assert state.read_door(view, ONE, "aa") == "web"
    assert state.read_door(view, TWO, "bb") is None


def test_a_line_of_before_doors_were_remembered_is_read_and_kept(store):
    old = f"{ONE} aa\n{ONE} bb\n".encode()
    write(store, PutState(state.accepted_path(ONE), old))
    assert state.read_doors(store.view()) == {(ONE, "aa"): "", (ONE, "bb"): ""}

    write(store, Accept(ONE, "bb", "terminal"))

    assert state.read_doors(store.view()) == {(ONE, "aa"): "", (ONE, "bb"): "terminal"}


def test_the_last_door_of_a_text_is_the_one_that_counts(store):
    write(store, Accept(ONE, "aa", "unattended"))
    write(store, Accept(ONE, "aa", "terminal"))

    assert state.read_doors(store.view()) == {(ONE, "aa"): "terminal"}


def test_ids_that_share_a_file_do_not_push_each_other_out(store):
    twin = ONE[:-3] + "0" + ONE[-2:]
    write(store, Accept(ONE, "aa"), Accept(twin, "bb"))
    write(store, Accept(twin, "cc"))

    assert state.accepted_path(ONE) == state.accepted_path(twin)
    assert set(state.read_doors(store.view())) == {(ONE, "aa"), (twin, "bb"), (twin, "cc")}


def test_accepting_again_writes_nothing(store):
    write(store, Accept(ONE, "aa"))

    assert write(store, Accept(ONE, "aa")).commits == {}


def test_a_snooze_is_kept_replaced_and_ended(store):
    write(store, Snooze(ONE, "2026-12-01"), Snooze(TWO, "2026-12-02"))
    write(store, Snooze(ONE, "2027-01-01"), Snooze(TWO, None))

    assert state.read_snoozes(store.view()) == {ONE: "2027-01-01"}
    write(store, Snooze(ONE, None))
    assert store.view().tree(refs.STATE).find(state.SNOOZED) is None


@pytest.mark.parametrize("data", [b"{", b"[]", b"\xff"])
def test_a_damaged_list_of_snoozes_counts_as_none_and_heals(store, data):
    write(store, PutState(state.SNOOZED, data))

    assert state.read_snoozes(store.view()) == {}
    write(store, Snooze(ONE, "2026-12-01"))
    assert state.read_snoozes(store.view()) == {ONE: "2026-12-01"}


def test_an_empty_clone_remembers_nothing(store):
    view = store.view()

    assert state.read_doors(view) == {}
    assert state.read_snoozes(view) == {}
    assert state.read_door(view, ONE, "aa") is None


def test_state_keeps_no_history(repo, store):
    write(store, Accept(ONE, "aa"))
    write(store, Accept(TWO, "bb"))

    assert repo.git("rev-list", "--count", refs.STATE) == "1"
