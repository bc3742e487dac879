"""What this clone remembers of decisions on drafts."""

from __future__ import annotations

from git_knowl.model.ids import make_id
from git_knowl.store.decided import ACCEPTED, DISCARDED, Decide, find_decided
from tests.support.stores import AT, PutRaw, identifier, write

END = b"0123456789"
DRAFT = make_id(AT * 1000, END)


def test_nothing_was_decided_in_an_empty_store(store):
    assert find_decided(store.view(), DRAFT) is None


def test_a_decision_is_found_by_its_draft_and_by_any_draft_of_the_same_item(store):
    write(store, Decide(DRAFT, DISCARDED), Decide(identifier(3), ACCEPTED))

    later = make_id(AT * 1000 + 5000, END)
    assert find_decided(store.view(), DRAFT) == (DRAFT, DISCARDED)
    assert find_decided(store.view(), later) == (DRAFT, DISCARDED)
    assert find_decided(store.view(), identifier(3)) == (identifier(3), ACCEPTED)


def test_the_last_decision_counts(store):
    write(store, Decide(DRAFT, DISCARDED))
    write(store, Decide(DRAFT, ACCEPTED))

    assert find_decided(store.view(), DRAFT) == (DRAFT, ACCEPTED)


def test_a_damaged_file_counts_as_nothing_and_is_written_over(store):
    path = f"decided/{DRAFT[-2]}/{DRAFT[-1]}"
    write(store, PutRaw("refs/knowl-local/state", path, b"\xff\n\n"))

    assert find_decided(store.view(), DRAFT) is None
    write(store, Decide(DRAFT, ACCEPTED))
    assert find_decided(store.view(), DRAFT) == (DRAFT, ACCEPTED)
