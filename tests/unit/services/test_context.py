"""What a context opens, and when: nothing that takes long while other writers wait."""

from __future__ import annotations

import pytest

from git_knowl.services.flag import flag
from git_knowl.services.review import decide_named
from git_knowl.services.undo import undo_last
from git_knowl.store import cache_write
from tests.support.contexts import ADA, capture_item, context, submit_items


@pytest.fixture
def waiting(repo):
    """Return a repository with a live entry and the draft of another."""
    ctx = context(repo)
    first, draft = submit_items(ctx, capture_item("first"), capture_item("second"))
    decide_named(ctx, [first], [], ADA, None)
    return repo, draft


def told(ctx, monkeypatch):
    """Return the list of what happens from now on: steps of writes, and ``cache`` for an opened."""
    happened = []
    ctx.store.on_step = happened.append
    opening = cache_write.open_cache

    def seen(*args):
        happened.append("cache")
        return opening(*args)

    monkeypatch.setattr(cache_write, "open_cache", seen)
    return happened


def under_lock(happened):
    """Return what happened between the lock and the end of the write."""
    return happened[happened.index("locked") : happened.index("published")]


@pytest.mark.parametrize(
    "act",
    [
        lambda ctx, draft: decide_named(ctx, [draft], [], ADA, None),
        lambda ctx, _: undo_last(ctx, ADA),
    ],
    ids=["review", "undo"],
)
def test_the_cache_is_brought_up_to_date_before_others_wait_for_the_lock(waiting, monkeypatch, act):
    repo, draft = waiting
    ctx = context(repo)
    happened = told(ctx, monkeypatch)

    act(ctx, draft)

    assert "cache" in happened
    assert "cache" not in under_lock(happened)


def test_a_flag_needs_no_cache(waiting, monkeypatch):
    ctx = context(waiting[0])
    happened = told(ctx, monkeypatch)

    flag(ctx, "totals double")

    assert "cache" not in happened


def test_after_a_refresh_what_was_written_meanwhile_is_compared_with(waiting):
    repo, draft = waiting
    ctx = context(repo)
    before = dict(ctx.entry_texts)

    decide_named(context(repo), [draft], [], ADA, None)
    ctx.refresh()

    assert [*before] == ["first"]
    assert [*ctx.entry_texts] == ["first", "second"]
