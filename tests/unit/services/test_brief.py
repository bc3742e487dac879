"""All that a reviewer is shown of a draft."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.errors import MovedError
from git_knowl.model.document import render
from git_knowl.services.brief import brief
from git_knowl.services.review import Decision, decide
from git_knowl.services.standing import differing
from git_knowl.store.operations import PutEntry, PutFlag
from tests.support.contexts import (
    REVIEWED,
    capture_item,
    context,
    entry_of,
    inbox_of,
    submit_items,
)
from tests.support.stores import PutRaw, flag, write

FLAG = flag("totals double", 1)


@pytest.fixture
def ctx(repo):
    made = context(repo)
    write(made.store, PutFlag(FLAG))
    return made


def brief_of(ctx, item):
    (draft,) = submit_items(ctx, item)
    return read(ctx, draft)


def read(ctx, identifier):
    inbox = inbox_of(ctx)
    return brief(ctx, inbox, {one.id: one for one in inbox.drafts}[identifier], REVIEWED)


def live(ctx):
    (draft,) = submit_items(ctx, capture_item())
    decide(ctx, [Decision(draft, accepted=True)], REVIEWED)
    return entry_of(ctx, draft)


def update_of(old):
    change = {"body": "Above four. Why: trays."}
    return {"kind": "update", "name": old.name, "expected": old.digest, "entry": change}


def test_the_text_of_a_capture_is_the_document_that_accepting_stores(ctx):
    found = brief_of(ctx, capture_item("cart-doubles", FLAG.id))

    decide(ctx, [Decision(found.draft.id, accepted=True, seen=found.draft)], REVIEWED)

    assert found.text.encode() == render(entry_of(ctx, found.draft.id))
    assert [one.id for one in found.flags] == [FLAG.id]
    assert (found.diff, found.trouble, found.evidence.verdict.status) == ("", None, "active")


def test_an_update_shows_what_it_changes_and_nothing_the_program_fills_in(ctx):
    old = live(ctx)

    found = brief_of(ctx, update_of(old))

    changed = [line for line in found.diff.splitlines() if line[:1] in "+-"]
    assert changed == [
        "--- live",
        "+++ proposed",
        "-The cart doubles above three pieces. Why: the supplier ships pairs.",
        "+Above four. Why: trays.",
    ]
    decide(ctx, [Decision(found.draft.id, accepted=True, seen=found.draft)], REVIEWED)
    assert found.text.encode() == render(entry_of(ctx, old.id))


def test_evidence_that_changed_since_the_draft_is_told(ctx, repo):
    (draft,) = submit_items(ctx, capture_item())
    repo.write("lib/cart.ts", "changed\n")

    found = read(context(repo), draft)

    assert list(differing(found.evidence)) == [
        "file:lib/cart.ts is suspect here: changed here, not committed"
    ]


def test_a_retire_is_judged_by_the_entry_it_is_about(ctx, repo):
    old = live(ctx)
    named = {"kind": "retire", "name": old.name, "expected": old.digest, "reason": "gone"}

    found = brief_of(ctx, named)

    assert found.text == "gone\n"
    assert found.evidence.entry == old


@pytest.mark.parametrize(
    "item",
    [
        {"kind": "discard", "flags": [FLAG.id], "reason": "no"},
        {"kind": "guideline", "text": "Run it.", "reason": "a rule"},
    ],
    ids=lambda item: item["kind"],
)
def test_what_is_no_entry_rests_on_nothing(ctx, item):
    found = brief_of(ctx, item)

    assert found.evidence is None
    assert list(differing(found.evidence)) == []


def test_a_draft_that_cannot_be_accepted_says_why(ctx):
    old = live(ctx)
    (draft,) = submit_items(ctx, update_of(old))
    write(ctx.store, PutEntry("shared", replace(old, body="Other. Why: so.\n")))

    found = read(ctx, draft)

    assert isinstance(found.trouble, MovedError)
    assert "+Above four. Why: trays." in found.diff


def test_a_damaged_entry_does_not_keep_its_draft_from_being_shown(ctx):
    old = live(ctx)
    (draft,) = submit_items(ctx, update_of(old))
    path = f"entries/{old.id[-2:]}/{old.id}.cart-doubles.md"
    write(ctx.store, PutRaw("refs/knowl/entries", path, b"no entry"))

    found = read(ctx, draft)

    assert "damaged" in found.trouble.message
    assert found.diff == ""
