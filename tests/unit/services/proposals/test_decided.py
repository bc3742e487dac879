"""What travelled is reviewed like anything else, and what was decided does not come again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.services.expiry import look
from git_knowl.services.flag import flag
from git_knowl.services.inbox import drop
from git_knowl.services.proposals.receive import receive
from git_knowl.services.proposals.send import send
from git_knowl.services.retire import retire
from git_knowl.services.review import Decision, decide
from git_knowl.services.submit import submit
from git_knowl.services.sync.sync import sync
from git_knowl.store.operations import PutDraft, PutFlag
from tests.support import stores
from tests.support.contexts import (
    REVIEWED,
    entry_names,
    feedback_item,
    flag_of,
    inbox_of,
    submit_items,
)
from tests.support.people import live, tips, write
from tests.support.proposals import accept, fill, home


@pytest.mark.parametrize("fate", ["accepted", "discarded", "retired", "dropped"])
def test_what_was_decided_on_does_not_come_again(ada, bob, fate):
    first, second, draft = fill(ada)
    send(ada)
    receive(bob)
    if fate in ("accepted", "retired"):
        accept(bob, draft)
    if fate == "retired":
        retire(bob, "cart-doubles", "wrong", None)
    if fate == "discarded":
        decide(bob, [Decision(draft, accepted=False, reason="no")], REVIEWED)
    if fate == "dropped":
        drop(bob, [draft, second])
    bob.refresh()
    before = tips(home(bob))

    done = receive(bob)

    assert done.ids == ()
    assert sorted(done.passed) == sorted((first, second, draft))
    assert tips(home(bob)) == before


def test_what_a_teammate_accepted_is_settled_at_the_senders_next_sync(hub, ada, bob):
    first, second, draft = fill(ada)
    send(ada)
    receive(bob)
    accept(bob, draft)
    sync(bob)
    sync(ada)

    inbox = inbox_of(ada)
    assert [one.id for one in inbox.drafts] == []
    assert flag_of(ada, first).outcome == "captured as cart-doubles"
    assert flag_of(ada, second).is_pending


def test_what_is_settled_at_home_leaves_the_remote_with_the_next_send(hub, ada, bob):
    _, second, _ = fill(ada)
    send(ada)
    drop(ada, [second])
    third = flag(ada, "one thing more").flag.id
    sent = send(ada)

    assert sent.ids == (third,)
    assert second not in hub.git("ls-tree", "-r", "--name-only", sent.commit)
    assert second not in receive(bob).ids


def shared_entry(ada, bob):
    write(ada, "cart", "file:lib/cart.ts")
    sync(ada)
    sync(bob)
    return live(ada, "cart")


def propose_update(ctx, entry):
    item = {
        "kind": "update",
        "name": entry.name,
        "expected": entry.digest,
        "entry": {"body": "A better text. Why: pairs.\n"},
    }
    return submit(ctx, {"items": [item]}).ids[0]


def test_an_update_of_a_shared_entry_is_reviewed_elsewhere(ada, bob):
    entry = shared_entry(ada, bob)
    draft = propose_update(ada, entry)
    send(ada)
    receive(bob)
    accept(bob, draft)

    assert live(bob, "cart").body.startswith("A better text.")
    assert live(bob, "cart").rev == entry.rev + 1
    assert live(bob, "cart").created == entry.created


def test_an_update_of_what_is_not_here_waits_for_the_entry(ada, bob):
    write(ada, "cart", "file:lib/cart.ts")
    draft = propose_update(ada, live(ada, "cart"))
    send(ada)

    first = receive(bob)
    sync(ada)
    sync(bob)
    second = receive(bob)

    assert "sync, then receive again" in first.passed[draft]
    assert second.ids == (draft,)


def test_a_proposal_to_retire_travels_too(ada, bob):
    entry = shared_entry(ada, bob)
    item = {"kind": "retire", "name": "cart", "expected": entry.digest, "reason": "gone"}
    (draft,) = submit(ada, {"items": [item]}).ids
    send(ada)
    receive(bob)
    accept(bob, draft)

    assert entry_names(bob) == []


def test_what_is_about_the_local_lane_stays(ada):
    write(ada, "mine", "file:lib/cart.ts", lane="local")
    draft = propose_update(ada, live(ada, "mine"))

    done = send(ada)

    assert done.ids == ()
    assert "which nobody else has" in done.kept[draft]


def test_a_draft_for_the_local_lane_is_counted_and_its_lane_decided_anew(ada, bob):
    submit_items(ada, feedback_item())
    bob.repo.git("config", "knowl.feedbackLane", "shared")

    assert send(ada).local == 1
    receive(bob)
    (draft,) = inbox_of(bob).drafts
    assert draft.lane == bob.settings.feedback_lane


def test_guidelines_and_discards_travel_with_their_flags(ada, bob):
    one, two = flag(ada, "convention: tabs").flag.id, flag(ada, "nothing much").flag.id
    items = [
        {"kind": "guideline", "flags": [one], "text": "Use tabs.", "reason": "a convention"},
        {"kind": "discard", "flags": [two], "reason": "it is in the manual"},
    ]
    submit(ada, {"items": items})
    send(ada)
    receive(bob)
    inbox = inbox_of(bob)

    assert sorted(draft.kind for draft in inbox.drafts) == ["discard", "guideline"]
    accept(bob, *(draft.id for draft in inbox.drafts))
    assert home(bob).read("AGENTS.md") == "Use tabs.\n"
    assert flag_of(bob, two).outcome == "discarded: it is in the manual"


def test_a_taken_name_is_a_warning(ada, bob):
    fill(ada)
    send(ada)
    write(bob, "cart-doubles", "file:lib/cart.ts")
    receive(bob)
    (draft,) = inbox_of(bob).drafts

    assert any("'cart-doubles' is taken by the entry" in told for told in draft.warnings)


def test_what_the_senders_clone_says_is_marked_as_theirs(ada, bob):
    fill(ada)
    (draft,) = inbox_of(ada).drafts
    stores.write(ada.store, PutDraft(replace(draft, warnings=("all is well",))))
    send(ada)
    receive(bob)

    assert "the sender's clone says: all is well" in inbox_of(bob).drafts[0].warnings


def test_an_old_flag_expires_and_one_of_the_future_is_of_now(ada, bob):
    old = stores.flag("old one", 1, at="2020-01-01T00:00:00Z", paths=())
    future = stores.flag("future one", 2, at="9999-01-01T00:00:00Z", paths=())
    stores.write(ada.store, PutFlag(old), PutFlag(future))
    send(ada)
    receive(bob)

    assert [one.summary for one in look(bob).expired] == ["old one"]
    assert flag_of(bob, future.id).at <= bob.caller.now()
