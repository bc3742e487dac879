"""Drafts on the inbox ref."""

from __future__ import annotations

import json

import pytest

from git_knowl.model.draft import KINDS
from git_knowl.store import drafts
from git_knowl.store.drafts import PutDraft, RemoveDraft
from git_knowl.store.records import RecordError
from tests.support.stores import all_ids, draft, entry, identifier, write

FULL = draft(
    entry("cart-total", extra={"body": "a key of that name", "mood": {"x": [1, "0123"]}}),
    flags=(identifier(7), identifier(8)),
    warnings=("long",),
    target=identifier(3),
    expected="0" * 64,
    reason="why",
    lane="local",
    host="claude",
    session="s-1",
    worktree="/w/\udcff",
    guideline={"file": "AGENTS.md", "text": "Do."},
    tests={"reused": "yes"},
)
EMPTY = draft(entry("x"), kind="discard", entry=None, name=None, reason="noise")


@pytest.mark.parametrize("value", [FULL, EMPTY])
def test_a_record_gives_back_the_same_draft(value):
    assert drafts.decode(drafts.encode(value)) == value


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "merge"}, f"kind: expected one of {', '.join(KINDS)}, got 'merge'"),
        ({"flags": "x"}, "flags: expected a list of texts"),
        ({"flags": [1]}, "flags: expected a list of texts"),
        ({"guideline": []}, "guideline: expected an object, got a list"),
        ({"body": None}, "body: expected text, got nothing"),
        ({"entry": {}}, "entry.name: expected"),
        ({"entry": []}, "entry.frontmatter: expected"),
    ],
)
def test_a_record_of_another_shape_names_the_field(change, message):
    fields = json.loads(drafts.encode(FULL)) | change

    with pytest.raises(RecordError) as caught:
        drafts.decode(json.dumps(fields).encode())
    assert caught.value.message.startswith(message)


def test_drafts_are_read_oldest_first_found_by_id_and_removed(any_store):
    other = draft(entry("other", 2))
    write(any_store, PutDraft(other), PutDraft(FULL))

    view = any_store.view()
    assert all_ids(drafts.read_drafts(view)) == [FULL.id, other.id]
    assert drafts.read_draft(view, FULL.id) == FULL
    write(any_store, RemoveDraft(FULL.id), RemoveDraft(identifier(5)))
    assert drafts.read_draft(any_store.view(), FULL.id) is None
