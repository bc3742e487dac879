"""Counts over the life of a store."""

from __future__ import annotations

from git_knowl.services.flag import flag
from git_knowl.services.inbox import drop
from git_knowl.services.retire import retire
from git_knowl.services.stats import stats
from tests.support.contexts import capture_item, submit_items
from tests.support.people import CART, KIM, person, script, write


def test_an_empty_store_has_counts_of_nothing(repo):
    found = stats(person(repo))

    assert (found.entries, found.operations, found.retired) == ({}, {}, 0)


def test_what_is_there_and_what_became_of_it_is_counted_by_word(repo):
    ctx = person(repo)
    write(ctx, "cart", CART)
    write(ctx, "gone", CART)
    write(script(repo), "rule", reviewer=KIM, type="feedback", body="No lint. Why: slow.\n")
    ctx.refresh()
    retire(ctx, "gone", "not true any more", None)
    flag(ctx, "kept", cue="cost")
    drop(ctx, [flag(ctx, "dropped").flag.id], "known")
    submit_items(ctx, capture_item("draft"))
    ctx.refresh()

    found = stats(ctx)

    assert found.entries == {"project": 1, "feedback": 1}
    assert found.lanes == {"shared": 1, "local": 1}
    assert found.reviewed == {"terminal": 1, "unattended": 1}
    assert found.retired == 1
    assert found.flags == {"pending": 1, "dropped": 1}
    assert found.cues == {"cost": 1, "none": 1}
    assert found.drafts == {"capture": 1}
    assert found.operations == {"add": 3, "retire": 1}
