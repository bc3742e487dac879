"""What became of a flag says so when the entry was taken back since, and how it comes back."""

from __future__ import annotations

import pytest

from git_knowl.services.add import Plan, add
from git_knowl.services.compose import Text
from git_knowl.services.outcomes import as_told
from git_knowl.services.rename import rename
from git_knowl.services.retire import restore, retire
from git_knowl.services.review import Decision, decide
from git_knowl.services.undo import undo_last
from git_knowl.store.operations import PutFlag
from tests.support.contexts import (
    ADA,
    REVIEWED,
    capture_item,
    context,
    entry_of,
    inbox_of,
    submit_items,
)
from tests.support.stores import flag, write

FLAG = flag("totals double", 1)


def by_review(ctx):
    ids = submit_items(ctx, capture_item("cart", FLAG.id))
    decide(ctx, [Decision(one, accepted=True) for one in ids], REVIEWED)


def by_add(ctx):
    text = Text(
        name="cart",
        description="Read before touching the cart",
        type="project",
        body="Totals double. Why: pairs.",
        anchors=("file:lib/cart.ts",),
    )
    add(ctx, Plan(text, reviewer=ADA, flag=FLAG))


def by_update(ctx):
    ids = submit_items(ctx, capture_item("cart"))
    decide(ctx, [Decision(one, accepted=True) for one in ids], REVIEWED)
    named = {"kind": "update", "name": "cart", "expected": entry_of(ctx, ids[0]).digest}
    changed = submit_items(ctx, {**named, "flags": [FLAG.id], "entry": {"tags": ["x"]}})
    decide(ctx, [Decision(one, accepted=True) for one in changed], REVIEWED)


@pytest.fixture(params=[by_review, by_add, by_update])
def ctx(repo, request):
    """Give a context with a flag that an entry came of, in each of the ways there are."""
    made = context(repo)
    write(made.store, PutFlag(FLAG))
    request.param(made)
    return made


def outcome(ctx):
    (one,) = as_told(ctx, inbox_of(ctx)).flags
    return one.outcome


def test_a_live_entry_is_told_as_it_was(ctx):
    assert outcome(ctx) == "captured as cart"
    rename(ctx, "cart", "till")
    assert outcome(ctx) == "captured as cart"


def test_a_retired_entry_is_told_with_the_way_back_until_it_is_back(ctx):
    retire(ctx, "cart", "by mistake")
    assert outcome(ctx) == "captured as cart, taken back (git knowl restore cart)"
    assert {one.outcome for one in inbox_of(ctx).flags} == {"captured as cart"}

    restore(ctx, "cart")
    assert outcome(ctx) == "captured as cart"


def test_an_undone_capture_is_told_like_a_retired_entry(repo):
    made = context(repo)
    write(made.store, PutFlag(FLAG))
    by_review(made)

    undo_last(made)
    assert outcome(made) == "captured as cart, taken back (git knowl restore cart)"

    undo_last(made)
    assert outcome(made) == "captured as cart"


def test_of_two_retired_entries_of_one_name_the_right_one_comes_back(repo):
    made = context(repo)
    write(made.store, PutFlag(FLAG))
    by_review(made)
    (identifier,) = (one.draft for one in inbox_of(made).flags)
    retire(made, "cart", "by mistake")
    decide(
        made,
        [
            Decision(one, accepted=True)
            for one in submit_items(made, capture_item("cart", tags=["b"]))
        ],
        REVIEWED,
    )
    assert outcome(made).endswith("taken back (git knowl restore cart)")

    retire(made, "cart", "by mistake too")

    assert outcome(made).endswith(f"(git knowl restore cart~{identifier[-6:]})")
