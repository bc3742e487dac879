"""Entries that came in unattended, confirmed or taken out by a person."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.errors import MovedError
from git_knowl.services.confirm import Confirmation, confirm, unattended
from git_knowl.services.review import decide_named
from git_knowl.store.operations import PutEntry
from git_knowl.store.snapshot import Snapshot
from git_knowl.store.state import read_door
from tests.support.contexts import (
    ADA,
    REVIEWED,
    capture_item,
    context,
    entry_names,
    entry_of,
    submit_items,
)
from tests.support.stores import write


@pytest.fixture
def ctx(repo):
    """Give a context with two entries that nobody at a terminal has seen."""
    made = context(repo)
    ids = submit_items(made, capture_item("b"), capture_item("a"))
    decide_named(made, ids, [], ADA, None)
    return made


def test_what_nobody_confirmed_is_listed_with_its_verdict(ctx, repo):
    repo.write("lib/cart.ts", "changed\n")

    found = unattended(context(repo))

    assert [seen.entry.name for seen in found] == ["a", "b"]
    assert {seen.verdict.status for seen in found} == {"suspect"}


def test_a_confirmed_entry_is_reviewed_by_the_person_and_keeps_its_evidence(ctx, repo):
    first, second = unattended(ctx)

    assert confirm(ctx, [Confirmation(first)], REVIEWED).ids == (first.entry.id,)

    now = entry_of(ctx, first.entry.id)
    assert (now.reviewed, now.rev) == (REVIEWED, first.entry.rev + 1)
    assert now.anchors == first.entry.anchors
    assert read_door(ctx.store.view(), now.id, now.digest) == "terminal"
    assert [seen.entry.id for seen in unattended(ctx)] == [second.entry.id]
    assert repo.git("log", "-1", "--format=%s", "refs/knowl/entries") == "confirm a"


def test_an_entry_that_does_not_stand_is_retired_in_the_same_commit(ctx, repo):
    first, second = unattended(ctx)
    before = repo.git("rev-list", "--count", "refs/knowl/entries")

    confirm(ctx, [Confirmation(first), Confirmation(second, "not so")], REVIEWED)

    assert entry_names(ctx) == ["a"]
    assert Snapshot(ctx.store.view(), "shared").tombstone(second.entry.id).reason == "not so"
    assert int(repo.git("rev-list", "--count", "refs/knowl/entries")) == int(before) + 1
    assert repo.git("log", "-1", "--format=%s", "refs/knowl/entries") == "confirm 2 entries"


def test_a_single_retirement_is_named_in_the_history(ctx, repo):
    confirm(ctx, [Confirmation(unattended(ctx)[0], "not so")], REVIEWED)

    assert repo.git("log", "-1", "--format=%s", "refs/knowl/entries") == "retire a"


def test_a_text_that_changed_while_it_was_read_is_left_and_spoils_no_other(ctx, repo):
    first, second = unattended(ctx)
    write(ctx.store, PutEntry("shared", replace(first.entry, body="Other. Why: so.\n", rev=2)))

    done = confirm(ctx, [Confirmation(first), Confirmation(second)], REVIEWED)

    assert done.ids == (second.entry.id,)
    assert [error.message for error in done.left] == ["'a' was changed meanwhile"]
    assert entry_of(ctx, second.entry.id).reviewed == REVIEWED
    assert entry_of(ctx, first.entry.id).reviewed.how == "unattended"
    assert repo.git("log", "-1", "--format=%s", "refs/knowl/entries") == "confirm b"


def test_where_every_text_changed_nothing_is_confirmed(ctx):
    first, _ = unattended(ctx)
    write(ctx.store, PutEntry("shared", replace(first.entry, body="Other. Why: so.\n", rev=2)))

    with pytest.raises(MovedError):
        confirm(ctx, [Confirmation(first)], REVIEWED)

    assert entry_of(ctx, first.entry.id).reviewed.how == "unattended"
