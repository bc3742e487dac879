"""A person settles what was changed in two ways at once."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.errors import MovedError
from git_knowl.model.entry import SHARED
from git_knowl.services.conflicts import Choice, conflicts, settle, write_choice
from git_knowl.services.edit import apply_edit, check_editable, document
from git_knowl.services.find import find_row
from git_knowl.services.index import build
from git_knowl.services.listing import list_all
from git_knowl.services.rename import move, rename
from git_knowl.services.retire import restore, retire
from git_knowl.services.show import show
from git_knowl.services.status import status
from git_knowl.services.submit import submit_update
from git_knowl.services.trust.withheld import WithheldError
from git_knowl.services.verify import evidence, verify
from git_knowl.store.merge.join import join
from git_knowl.store.operations import PutEntry
from git_knowl.store.state import read_door
from tests.support.contexts import ADA, REVIEWED, context, entry_of
from tests.support.joining import Peer
from tests.support.stores import entry

CART = entry("cart-total", 1)
ONE = replace(CART, body="One says so. Why: it was seen.\n", rev=2)
TWO = replace(CART, body="Two says so. Why: it was seen.\n", rev=3)
OTHER = entry("conf-order", 2)


@pytest.fixture
def peers(tmp_path):
    """Give two clones that changed one entry in different ways and have joined each other."""
    ada, kim = (Peer.make(tmp_path, name) for name in ("ada", "kim"))
    ada.write(PutEntry(SHARED, CART), PutEntry(SHARED, OTHER))
    kim.join(ada)
    ada.write(PutEntry(SHARED, ONE))
    kim.write(PutEntry(SHARED, TWO))
    tips = ada.fetch(kim), kim.fetch(ada)
    for peer, tip in zip((ada, kim), tips, strict=True):
        join(peer.store, tip, peer.record)
    return ada, kim


@pytest.fixture
def ctx(peers):
    return context(peers[0].builder)


def sides(ctx):
    """Return the one conflict there is."""
    (found,) = conflicts(ctx)
    return found


def test_every_text_of_a_conflict_is_listed_the_live_one_first(ctx):
    assert sides(ctx).sides == (TWO, ONE)


@pytest.mark.parametrize("chosen", [ONE, TWO])
def test_the_text_that_a_person_chose_stands_alone_reviewed_by_them(ctx, chosen):
    done = settle(ctx, [Choice(sides(ctx), chosen)], REVIEWED)

    found = entry_of(ctx, CART.id)
    assert done.ids == (CART.id,)
    assert (found.body, found.rev, found.reviewed) == (chosen.body, 4, REVIEWED)
    assert conflicts(ctx) == []
    assert read_door(ctx.store.view(), found.id, found.digest) == "terminal"
    assert not find_row(ctx, "cart-total").conflict


def test_a_text_that_a_person_wrote_stands_instead_of_both(ctx):
    seen = sides(ctx)
    text = document(seen.live).replace("Two says so", "Both are right")

    made = write_choice(ctx, seen, text, REVIEWED)
    settle(ctx, [made.choice], REVIEWED)

    assert entry_of(ctx, CART.id).body == "Both are right. Why: it was seen.\n"


def test_a_document_that_says_what_one_side_says_is_that_side(ctx):
    seen = sides(ctx)
    assert write_choice(ctx, seen, document(ONE), REVIEWED).choice == Choice(seen, ONE)


def test_a_conflict_that_has_another_text_by_now_is_left(peers, ctx):
    seen = sides(ctx)
    ada, _ = peers
    third = replace(CART, body="Three says so. Why: it was seen.\n", rev=2)
    eve = Peer.make(ada.builder.path.parent, "eve")
    eve.write(PutEntry(SHARED, third))
    ada.join(eve)

    with pytest.raises(MovedError, match="changed meanwhile"):
        settle(ctx, [Choice(seen, ONE)], REVIEWED)

    assert len(sides(context(ada.builder)).sides) == 3


def test_what_was_settled_alike_meanwhile_counts_as_done(ctx):
    seen = sides(ctx)
    settle(ctx, [Choice(seen, ONE)], REVIEWED)
    before = ctx.store.view().commits

    assert settle(ctx, [Choice(seen, ONE)], REVIEWED).ids == (CART.id,)
    assert ctx.store.view().commits == before
    with pytest.raises(MovedError):
        settle(ctx, [Choice(seen, TWO)], REVIEWED)


def test_two_people_who_settle_alike_come_to_the_same(peers, ctx):
    ada, kim = peers
    other = context(kim.builder)
    settle(ctx, [Choice(sides(ctx), ONE)], REVIEWED)
    settle(other, [Choice(sides(other), ONE)], replace(REVIEWED, by="Kim <k@example.org>"))
    tips = ada.fetch(kim), kim.fetch(ada)

    for peer, tip in zip(peers, tips, strict=True):
        join(peer.store, tip, peer.record)

    assert ada.tree == kim.tree
    assert conflicts(ctx) == []
    assert ada.live(CART.id).entry.body == ONE.body


def test_two_people_who_settle_otherwise_are_in_conflict_again(peers, ctx):
    ada, kim = peers
    other = context(kim.builder)
    settle(ctx, [Choice(sides(ctx), ONE)], REVIEWED)
    settle(other, [Choice(sides(other), TWO)], REVIEWED)

    ada.join(kim)

    assert {side.body for side in sides(ctx).sides} == {ONE.body, TWO.body}


def test_a_settled_conflict_outlives_the_unsettled_one_elsewhere(peers, ctx):
    ada, kim = peers
    settle(ctx, [Choice(sides(ctx), ONE)], REVIEWED)
    kim.write(PutEntry(SHARED, replace(OTHER, tags=("x",), rev=2)))

    ada.join(kim)
    kim.join(ada)

    assert [conflicts(context(peer.builder)) for peer in peers] == [[], []]
    assert kim.live(CART.id).entry.body == ONE.body


@pytest.mark.parametrize(
    "verb",
    [
        lambda ctx: verify(ctx, evidence(ctx, "cart-total"), reviewer=ADA),
        lambda ctx: check_editable(ctx, evidence(ctx, "cart-total"), reviewer=ADA),
        lambda ctx: apply_edit(
            ctx, evidence(ctx, "cart-total"), document(ONE).replace("One", "I"), reviewer=ADA
        ),
        lambda ctx: rename(ctx, "cart-total", "cart-sum", ADA),
        lambda ctx: move(ctx, "cart-total", "local", ADA),
        lambda ctx: submit_update(
            ctx, "cart-total", {"expected": TWO.digest, "entry": {"body": "Three. Why: so."}}
        ),
    ],
    ids=["verify", "edit", "edited", "rename", "move", "update"],
)
def test_what_would_change_one_of_the_texts_waits_for_the_person(ctx, verb):
    with pytest.raises(MovedError, match="'cart-total' is in conflict"):
        verb(ctx)
    assert sides(ctx).sides == (TWO, ONE)


def test_retiring_takes_every_text_out_and_restoring_brings_back_the_live_one(ctx):
    retire(ctx, "cart-total", "no longer true", ADA)
    assert conflicts(ctx) == []

    restore(ctx, "cart-total", ADA)

    assert entry_of(ctx, CART.id).body == TWO.body
    assert conflicts(ctx) == []


def test_status_and_listings_tell_of_it(ctx):
    assert status(ctx).conflicts == 1
    listed = {one.row.name: one.row.conflict for one in list_all(ctx).entries}
    assert listed == {"cart-total": True, "conf-order": False}


def test_an_agent_gets_nothing_but_the_name(peers):
    ctx = context(peers[0].builder, host="some-agent")

    listed = {one.row.name: one.row.description for one in list_all(ctx).entries}
    block = build(ctx.cache, {}, lambda _: {})

    assert CART.description not in listed["cart-total"]
    assert listed["conf-order"] == OTHER.description
    assert "- cart-total [conflict]\n" in block
    with pytest.raises(WithheldError, match=r"\[conflict\]"):
        show(ctx, "cart-total")
