"""A person at a terminal settles entries that were changed in two ways at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.model.entry import SHARED
from git_knowl.services.conflicts import conflicts
from git_knowl.store.operations import PutEntry
from tests.cli.test_review_terminal import answer, editor, propose
from tests.support.contexts import capture_item, context, entry_names, entry_of
from tests.support.joining import Peer
from tests.support.seal import PERSON
from tests.support.stores import entry

CART = entry("cart-total", 1)
ONE = replace(CART, body="One says so. Why: it was seen.\n", rev=2)
TWO = replace(CART, body="Two says so. Why: it was seen.\n", rev=3)


@pytest.fixture
def ctx(repo, tmp_path):
    """Give a clone in which one entry is in conflict."""
    mine, other = Peer(repo), Peer.make(tmp_path, "other")
    mine.write(PutEntry(SHARED, CART))
    other.join(mine)
    mine.write(PutEntry(SHARED, ONE))
    other.write(PutEntry(SHARED, TWO))
    mine.join(other)
    return context(repo)


def test_both_texts_stand_beside_each_other_and_one_is_chosen(ctx, knowl):
    with knowl.terminal("review") as screen:
        (shown,) = answer(screen, "2")
        code = screen.finish()

    assert code == 0
    assert "1 conflict to settle as" in shown
    assert any("Two says so" in line and "One says so" in line for line in shown.splitlines())
    assert "(1/1) conflict cart-total [1,2,e,n,q,?]? " in shown
    found = entry_of(ctx, CART.id)
    assert (found.body, found.reviewed.by) == (ONE.body, PERSON)
    assert f"{CART.id}: settled" in screen.shown


def test_another_text_is_written_in_the_editor(ctx, knowl, tmp_path):
    sed = editor(tmp_path, 'sed -i "s/Two says so/Both are right/" "$1"')
    with knowl.at(knowl.cwd, **sed).terminal("review") as screen:
        answer(screen, "e")
        assert screen.finish() == 0

    assert entry_of(ctx, CART.id).body == "Both are right. Why: it was seen.\n"
    assert conflicts(ctx) == []


@pytest.mark.parametrize("key", ["n", "q"])
def test_a_conflict_can_wait(ctx, knowl, key):
    with knowl.terminal("review") as screen:
        answer(screen, key)
        assert screen.finish() == 0

    assert len(conflicts(ctx)) == 1


def test_drafts_come_after_the_conflicts(ctx, knowl):
    (draft,) = propose(knowl, capture_item("cart-doubles"))

    with knowl.terminal("review") as screen:
        answer(screen, "1", "y")
        assert screen.finish() == 0

    assert entry_names(ctx) == ["cart-doubles", "cart-total"]
    assert conflicts(ctx) == []
    assert f"{draft}: captured as cart-doubles" in screen.shown


def test_without_a_terminal_conflicts_are_listed(ctx, knowl):
    done = knowl("review")

    assert done.code == 1
    assert done.out == "conflict  cart-total  2 texts\n"
    assert "1 conflict to settle, and there is no terminal to ask a person" in done.err


def test_it_is_marked_wherever_it_is_listed(ctx, knowl):
    assert "Read before touching cart-total [others, conflict]" in knowl.ok("ls")
    assert "cart-total  [active, project, shared, reviewed: others, conflict]" in knowl.ok(
        "show", "cart-total"
    )
    assert "1 conflict for a person to settle (git knowl review)" in knowl.ok("status")
    assert "- cart-total [conflict]" in knowl.ok("index")
    assert knowl.json("ls")["entries"][0]["conflict"] is True
    assert knowl.json("show", "cart-total")["conflict"] is True
    assert "conflicts 1\n" in knowl.ok("status", "--porcelain")
