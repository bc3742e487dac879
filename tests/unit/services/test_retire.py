"""Taking an entry out with a reason, and bringing it back as it was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.errors import KnowlError, MovedError
from git_knowl.model.entry import Source
from git_knowl.model.tiers import HERE, UNATTENDED
from git_knowl.plumbing import refs
from git_knowl.services.add import add
from git_knowl.services.edit import apply_edit, document
from git_knowl.services.gate import GateError
from git_knowl.services.rename import move
from git_knowl.services.retire import RestoreError, find_retired, restore, retire
from git_knowl.services.retired import retired
from git_knowl.services.undo import undo_last
from git_knowl.services.verify import evidence
from git_knowl.store import layout, tombstones
from git_knowl.store.cache import AmbiguousNameError, NoSuchEntryError
from git_knowl.store.operations import PutTombstone
from git_knowl.store.rules import NameTakenError
from git_knowl.store.tombstones import Tombstone
from tests.support.contexts import ADA
from tests.support.people import (
    CART,
    KIM,
    agent,
    live,
    names,
    person,
    plan,
    script,
    tier,
    tips,
    write,
)
from tests.support.stores import identifier
from tests.support.stores import write as put

KEY = "AKIA" + "ABCDEFGHIJKLMNOP"
SAID = Source("quote", quote="never")


def tombstone(ctx, identifier, lane="shared"):
    data = ctx.store.view().lane(lane).read(layout.record_path(layout.RETIRED, identifier))
    return data and tombstones.decode(data)


def test_a_retired_entry_leaves_a_tombstone_with_the_reason(repo):
    entry = write(person(repo), "cart", CART)
    ctx = person(repo)

    done = retire(ctx, "cart", "  the discount\n moved ")

    assert (done.id, done.name, done.lane) == (entry.id, "cart", "shared")
    assert names(ctx) == {}
    stone = tombstone(ctx, entry.id)
    assert (stone.name, stone.reason, stone.by) == ("cart", "the discount moved", KIM)
    assert repo.git("log", "-1", "--format=%s", refs.ENTRIES) == "retire cart"


@pytest.mark.parametrize("reason", ["", " \n", "x" * 1001, "a\x07"])
def test_a_reason_that_is_none_is_refused(repo, reason):
    write(person(repo), "cart", CART)
    before = tips(repo)

    with pytest.raises(KnowlError, match="reason: expected"):
        retire(person(repo), "cart", reason)

    assert tips(repo) == before


def test_a_secret_in_the_reason_is_masked_and_counted(repo):
    write(person(repo), "cart", CART)

    done = retire(person(repo), "cart", f"it told {KEY}")

    assert done.redacted == (("AWS_KEY", 1),)
    assert KEY not in repo.git("cat-file", "--batch-all-objects", "--batch")


@pytest.mark.parametrize(
    ("anchors", "fields"), [((CART,), {"type": "feedback", "source": SAID}), ((), {})]
)
def test_feedback_and_unanchored_entries_need_a_persons_word(repo, anchors, fields):
    write(person(repo), "habit", *anchors, **fields)
    before = tips(repo)

    with pytest.raises(GateError, match="'retire' was asked for by the agent host"):
        retire(agent(repo), "habit", "old")

    assert tips(repo) == before
    retire(script(repo), "habit", "old", ADA)


def test_an_agent_may_retire_what_rests_on_evidence(repo):
    write(person(repo), "cart", CART)

    retire(agent(repo), "cart", "the file is gone")

    how = repo.git("log", "-1", "--format=%(trailers:key=Knowl-How,valueonly)", refs.ENTRIES)
    assert how.strip() == "unattended"


def test_what_changed_meanwhile_is_not_retired(repo):
    write(person(repo), "cart", CART)
    ctx, other = person(repo), person(repo)
    evidence(ctx, "cart")
    apply_edit(other, evidence(other, "cart"), document(live(other, "cart")).replace("two", "ten"))

    with pytest.raises(MovedError, match="'cart' was changed meanwhile"):
        retire(ctx, "cart", "old")


def test_it_comes_back_as_it_last_was_with_a_higher_rev(repo):
    write(person(repo), "cart", CART)
    ctx = person(repo)
    apply_edit(ctx, evidence(ctx, "cart"), document(live(ctx, "cart")).replace("two", "ten"))
    last = live(ctx, "cart")
    retire(person(repo), "cart", "old")

    done = restore(person(repo), "cart", ADA)

    entry = live(person(repo), "cart")
    assert (done.id, done.name) == (entry.id, entry.name)
    assert entry == replace(last, rev=last.rev + 1, updated=entry.updated, reviewed=entry.reviewed)
    assert (entry.reviewed.by, entry.reviewed.how) == (ADA, "terminal")
    assert tombstone(person(repo), entry.id) is None
    assert tier(person(repo)) == HERE


def test_it_comes_back_in_the_lane_it_left(repo):
    write(person(repo), "habit", lane="local")
    retire(person(repo), "habit", "old")

    assert restore(person(repo), "habit").lane == "local"
    assert names(person(repo)) == {"habit": "local"}


def test_it_can_go_and_come_back_again_and_again(repo):
    write(person(repo), "cart", CART)
    for _ in range(2):
        retire(person(repo), "cart", "old")
        restore(person(repo), "cart")

    assert live(person(repo), "cart").rev == 3


def test_of_two_with_one_name_the_id_decides(repo):
    first = write(person(repo), "cart", CART)
    retire(person(repo), "cart", "first reason")
    second = write(person(repo), "cart", CART, body="Another text.")
    retire(person(repo), "cart", "second reason")

    with pytest.raises(AmbiguousNameError) as caught:
        restore(person(repo), "cart")
    for one, reason in ((first, "first"), (second, "second")):
        assert f"cart~{one.id[-6:]} ({reason} reason)" in caught.value.message

    assert find_retired(person(repo), first.id[-8:]).id == first.id
    assert find_retired(person(repo), first.id).id == first.id
    assert restore(person(repo), f"cart~{second.id[-6:]}").id == second.id
    assert live(person(repo), "cart").body == second.body


def test_a_name_that_was_taken_meanwhile_is_refused_with_the_way_out(repo):
    write(person(repo), "cart", CART)
    retire(person(repo), "cart", "old")
    write(person(repo), "cart", CART, body="Another text.", lane="local")
    before = tips(repo)

    with pytest.raises(NameTakenError, match="the name 'cart' is taken") as caught:
        restore(person(repo), "cart")

    assert "git knowl rename" in caught.value.hint
    assert tips(repo) == before


def test_an_entry_that_moved_to_the_other_lane_is_not_retired(repo):
    entry = write(person(repo), "cart", CART)
    move(person(repo), "cart", "local")

    for text in ("cart", entry.id):
        with pytest.raises(RestoreError, match="is live, there is nothing to bring back"):
            restore(person(repo), text)


def test_an_entry_retired_after_it_moved_comes_back_where_it_was(repo):
    entry = write(person(repo), "cart", CART)
    move(person(repo), "cart", "local")
    retire(person(repo), "cart", "old")

    (one,) = retired(person(repo))
    assert (one.id, one.lane, one.reason) == (entry.id, "local", "old")

    restore(person(repo), "cart")
    assert names(person(repo)) == {"cart": "local"}
    assert tombstone(person(repo), entry.id), "others must not bring the shared one back"
    move(person(repo), "cart", "shared")
    assert names(person(repo)) == {"cart": "shared"}


def test_what_an_undo_took_out_can_be_restored(repo):
    entry = write(person(repo), "cart", CART)
    undo_last(person(repo))

    restore(person(repo), "cart")

    assert live(person(repo), "cart").body == entry.body


def test_only_a_person_restores(repo):
    write(person(repo), "cart", CART)
    retire(person(repo), "cart", "old")

    with pytest.raises(GateError, match="'restore' was asked for by the agent host"):
        restore(agent(repo), "cart")

    restore(script(repo), "cart")
    assert tier(person(repo)) == UNATTENDED


def test_who_restores_what_somebody_restored_meanwhile_is_told(repo, monkeypatch):
    write(person(repo), "cart", CART)
    retire(person(repo), "cart", "old")
    ctx = person(repo)
    stone = find_retired(ctx, "cart")
    restore(person(repo), "cart")
    monkeypatch.setattr("git_knowl.services.retire.find_retired", lambda *_: stone)
    before = tips(repo)

    with pytest.raises(MovedError, match="not retired any more"):
        restore(ctx, "cart")

    assert tips(repo) == before


def test_a_text_that_history_does_not_hold_cannot_come_back(repo):
    ctx = person(repo)
    stone = Tombstone(identifier(1), "cart", "fetched", ADA, "2026-11-29T10:00:00Z", "0" * 64)
    put(ctx.store, PutTombstone("shared", stone))

    with pytest.raises(RestoreError, match="does not hold its text"):
        restore(person(repo), "cart")


def test_a_name_nobody_has_or_had_is_refused(repo):
    add(person(repo), plan("cart", CART))

    with pytest.raises(RestoreError, match="no retired entry has the name 'till'"):
        restore(person(repo), "till")
    with pytest.raises(NoSuchEntryError):
        retire(person(repo), "till", "old")


@pytest.mark.parametrize("edits", [1, 3])
def test_what_comes_back_is_above_every_rev_that_others_wrote_meanwhile(hub, ada, bob, edits):
    ada.write("cart", CART)
    ada.sync()
    bob.sync()
    retire(ada.ctx, "cart", "old")
    for number in range(edits):
        text = document(live(bob.ctx, "cart")).replace("description: ", f"description: {number}, ")
        apply_edit(bob.ctx, evidence(bob.ctx, "cart"), text, looked=True)
    highest = live(bob.ctx, "cart").rev
    for one in (bob, ada, bob):
        one.sync()

    restore(ada.ctx, "cart")
    ada.sync()
    bob.sync()

    assert live(ada.ctx, "cart").rev > highest
    assert live(bob.ctx, "cart") == live(ada.ctx, "cart")
