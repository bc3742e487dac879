"""Flags and drafts travel on request: sent once, taken in once, and live by nobody's word."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest

from git_knowl.services.flag import flag
from git_knowl.services.inbox import drop
from git_knowl.services.proposals.place import own, own_or_none
from git_knowl.services.proposals.receive import receive
from git_knowl.services.proposals.send import send
from git_knowl.store.operations import PutDraft, PutFlag, PutState
from tests.support import stores
from tests.support.contexts import (
    entry_names,
    flag_of,
    inbox_of,
)
from tests.support.people import tips
from tests.support.proposals import ADA, accept, fill, home, shown


def test_a_clone_that_is_thrown_away_loses_nothing(hub, ada, bob):
    first, second, draft = fill(ada)
    sent = send(ada, "origin")
    before = inbox_of(ada)
    os.rename(ada.repo.work_tree, f"{ada.repo.work_tree}.gone")

    done = receive(bob)
    inbox = inbox_of(bob)

    assert sorted(sent.ids) == sorted((first, second, draft)) == sorted(done.ids)
    assert [one.summary for one in inbox.flags] == [one.summary for one in before.flags]
    assert [one.paths for one in inbox.flags] == [one.paths for one in before.flags]
    assert inbox.drafts[0].entry == before.drafts[0].entry
    assert inbox.drafts[0].flags == (first,)
    assert flag_of(bob, first).draft == draft
    accept(bob, draft)
    assert entry_names(bob) == ["cart-doubles"]
    assert flag_of(bob, first).outcome == "captured as cart-doubles"


def test_it_is_marked_with_whom_it_came_from(ada, bob):
    fill(ada)
    name = own(ada)
    send(ada)
    receive(bob)
    inbox = inbox_of(bob)

    assert {one.sender for one in (*inbox.flags, *inbox.drafts)} == {f"origin/{name}"}
    assert name.startswith("ada-example-org-")
    assert {one.by for one in inbox.flags} == {ADA}


def test_nothing_of_the_clone_it_was_made_in_goes_along(ada, bob):
    fill(ada)
    send(ada)
    receive(bob)
    inbox = inbox_of(bob)

    assert {one.worktree for one in (*inbox.flags, *inbox.drafts)} == {None}


def test_nothing_becomes_live_by_it(ada, bob):
    fill(ada)
    send(ada)
    receive(bob)

    assert entry_names(bob) == []
    assert list(tips(home(bob))) == ["refs/knowl-local/inbox"]


def test_doing_it_again_sends_and_takes_only_what_is_new(hub, ada, bob):
    first, second, draft = fill(ada)
    send(ada)
    receive(bob)
    seen, inbox = shown(hub), tips(home(bob))

    again, took = send(ada), receive(bob)

    assert (again.ids, sorted(again.known)) == ((), sorted((first, second, draft)))
    assert (took.ids, sorted(took.passed)) == ((), sorted((first, second, draft)))
    assert (shown(hub), tips(home(bob))) == (seen, inbox)

    third = flag(ada, "one thing more").flag.id
    assert send(ada).ids == (third,)
    assert receive(bob).ids == (third,)


def test_each_send_is_one_commit_on_top_of_the_last(hub, ada):
    fill(ada)
    first = send(ada)
    flag(ada, "one thing more")
    second = send(ada)

    assert hub.git("rev-list", "--parents", second.commit).splitlines() == [
        f"{second.commit} {first.commit}",
        first.commit,
    ]
    assert hub.git("ls-tree", "--name-only", second.commit).splitlines() == [
        "drafts",
        "flags",
        "format",
    ]


def test_what_is_named_alone_is_sent(ada, bob):
    _, second, _ = fill(ada)

    assert send(ada, "origin", [second[-8:]]).ids == (second,)
    assert receive(bob).ids == (second,)


def test_what_is_named_and_is_not_there_sends_nothing(hub, ada):
    fill(ada)

    with pytest.raises(Exception, match="no flag or draft"):
        send(ada, "origin", ["nothing"])
    assert shown(hub) == {}


def test_what_is_settled_stays_and_says_so_when_it_is_named(ada):
    _, second, _ = fill(ada)
    drop(ada, [second])

    assert second not in send(ada).ids
    assert "it is settled (dropped)" in send(ada, "origin", [second]).kept[second]


def test_an_edited_draft_is_sent_anew(ada, bob):
    _, _, draft = fill(ada)
    send(ada)
    (waiting,) = inbox_of(ada).drafts
    entry = replace(waiting.entry, body="Another text. Why: pairs.\n")
    stores.write(ada.store, PutDraft(replace(waiting, entry=entry)))

    assert send(ada).ids == (draft,)


def test_what_others_sent_is_not_sent_on(ada, bob):
    fill(ada)
    send(ada)
    receive(bob)
    own_flag = flag(bob, "a thing of my own").flag.id

    assert send(bob).ids == (own_flag,)


def test_the_sender_takes_nothing_back_of_its_own(ada, bob):
    fill(ada)
    send(ada)

    done = receive(ada)

    assert (done.ids, done.passed, done.refused) == ((), {}, ())


def test_a_clone_that_forgot_its_mark_sends_to_a_new_ref_and_finds_the_old_one(hub, ada):
    ids = fill(ada)
    send(ada)
    before = own(ada)
    stores.write(ada.store, PutState("clone", None))
    assert own_or_none(ada) is None

    done = receive(ada)
    sent = send(ada)

    assert sorted(done.passed) == sorted(ids)
    assert done.ids == ()
    assert own(ada) != before
    assert len(shown(hub)) == 2
    assert sorted(sent.ids) == sorted(ids)


def test_what_breaks_a_rule_stays_here_and_the_rest_is_sent(ada):
    good = flag(ada, "a good one").flag.id
    odd = stores.flag("an odd one", 5)  # its blob is no object id
    stores.write(ada.store, PutFlag(odd))

    done = send(ada)

    assert done.ids == (good,)
    assert "paths.0.blob: expected an object id" in done.kept[odd.id]
