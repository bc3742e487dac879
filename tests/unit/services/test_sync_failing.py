"""A sync that fails half way: what came in is told and remembered, and why it failed is true."""

from __future__ import annotations

from dataclasses import replace

import pytest

from git_knowl.plumbing.remote import AuthFailed
from git_knowl.services.edit import apply_edit, document
from git_knowl.services.log import entry_log
from git_knowl.services.retire import retire
from git_knowl.services.sync import auto
from git_knowl.services.sync.outgoing import SecretsError
from git_knowl.services.sync.place import Pace
from git_knowl.services.sync.sending import BrokenRefError, PushRefusedError
from git_knowl.services.sync.since import only_since
from git_knowl.services.sync.sync import attempt
from git_knowl.services.verify import evidence
from git_knowl.store.operations import PutEntry
from tests.support import stores
from tests.support.cli import Knowl
from tests.support.http_server import serve
from tests.support.people import CART
from tests.support.remotes import ENTRIES, PROTOCOLS, Member, hook, moves

NO = "#!/bin/sh\necho 'closed for today' >&2\nexit 1\n"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
QUICK = Pace(tries=3)


def refuse(hub, one):
    hook(hub, "pre-receive", NO)


def hide(hub, one):
    hub.git("config", "receive.hideRefs", "refs/knowl")


def be_secret(hub, one):
    leak = stores.entry("leak", 7, body=f"Call it with {TOKEN}. Why: it asks.\n")
    stores.write(one.ctx.store, PutEntry("shared", leak))


def hold(hub, one=None):
    lock = hub.path / f"{ENTRIES}.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.touch()


FAILURES = {
    refuse: PushRefusedError,
    hide: PushRefusedError,
    be_secret: SecretsError,
    hold: PushRefusedError,
}


@pytest.fixture
def behind(hub, ada, bob):
    """Give ada, who has something to send and does not have what bob captured."""
    bob.write("cart", CART)
    bob.sync()
    ada.write("tax")
    return ada


@pytest.mark.parametrize("failing", FAILURES)
def test_what_came_in_before_a_sync_failed_is_told_and_remembered(hub, behind, failing):
    failing(hub, behind)
    before = hub.refs()

    done = attempt(behind.ctx, pace=QUICK)

    assert isinstance(done.failed, FAILURES[failing])
    assert (moves(done), done.by) == (([("new", "cart")], []), ("Bob",))
    assert done.owed
    assert hub.refs() == before
    told = only_since(behind.ctx, entry_log(behind.ctx, None, None))
    assert "cart" in {name for one in told for _, name in one.entries}
    assert moves(behind.sync(pull=True)) == ([], [])


def test_the_command_tells_first_what_came_in_and_then_what_went_wrong(hub, behind):
    hook(hub, "pre-receive", NO)
    knowl = Knowl(behind.repo.path)

    done = knowl("sync")

    assert done.code == 1
    assert done.out.split() == ["received", "new", "cart", "(Bob", "<bob@example.org>)"]
    assert done.err.index("from 'origin': 1 captured by Bob") < done.err.index("closed for today")
    assert "cart" in knowl.ok("log", "--since-last")
    assert knowl("sync").out == ""


def test_the_object_of_a_failed_sync_says_what_came_in_and_that_it_is_not_ok(hub, behind):
    hook(hub, "pre-receive", NO)

    done = Knowl(behind.repo.path)("sync", "--json")

    assert done.code == 1
    assert (done.json["ok"], [one["name"] for one in done.json["received"]]) == (False, ["cart"])
    assert "closed for today" in done.err


def test_a_sync_after_a_write_that_fails_half_way_tells_both(hub, behind):
    hook(hub, "pre-receive", NO)

    auto.after_write(behind.ctx)

    received, failed = behind.ctx.repo.notices[-2:]
    assert received == "from 'origin': 1 captured by Bob"
    assert failed.startswith("not synced: 'origin' does not take refs/knowl/entries")


def broken(content):
    """Return what leaves a ref of a remote with a content that leads to nothing."""

    def make(hub):
        ref = hub.path / ENTRIES
        ref.parent.mkdir(parents=True, exist_ok=True)
        hub.git("pack-refs", "--all")
        ref.write_text(content, encoding="ascii")

    return make


BROKEN = {
    "empty": broken(""),
    "garbage": broken("no id\n"),
    "of no object": broken("12" * 20 + "\n"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_ref_at_the_remote_is_told_as_such_at_once(hub, ada, kind):
    ada.write("cart", CART)
    BROKEN[kind](hub)
    tip = ada.tip

    for options in ({}, {"pull": True}, {"dry_run": True}):
        with pytest.raises(BrokenRefError, match="not our ref") as caught:
            ada.sync(pace=QUICK, **options)
        assert caught.value.exit_code == 1
        assert "take it away" in caught.value.hint
    assert ada.tip == tip


def test_a_broken_ref_that_was_taken_away_is_no_obstacle_any_more(hub, ada):
    ada.write("cart", CART)
    BROKEN["empty"](hub)
    with pytest.raises(BrokenRefError):
        ada.sync(pace=QUICK)

    (hub.path / ENTRIES).unlink()

    assert moves(ada.sync())[1] == [("new", "cart")]


IN_THE_WAY = {
    "a lock": (hold, "left a lock"),
    "a ref below": (lambda hub: hub.git("update-ref", f"{ENTRIES}/x", "main"), "stands in its way"),
    "a hook": (lambda hub: hook(hub, "pre-receive", NO), "allow it"),
}


@pytest.mark.parametrize("what", IN_THE_WAY)
def test_the_hint_is_about_what_keeps_the_remote_from_taking_the_store(hub, ada, what):
    ada.write("cart", CART)
    put, hint = IN_THE_WAY[what]
    put(hub)

    with pytest.raises(PushRefusedError) as caught:
        ada.sync(pace=Pace(tries=2))

    assert hint in caught.value.hint
    assert ("knowl.remoteRef" in caught.value.hint) == (what == "a hook")


def test_a_ref_that_is_hidden_from_readers_is_named_as_the_cause(hub, behind):
    hub.git("config", "uploadpack.hideRefs", ENTRIES)

    with pytest.raises(PushRefusedError) as caught:
        behind.sync(pace=QUICK)

    assert "hideRefs" in caught.value.hint


def test_who_may_only_read_is_told_the_verb_that_takes_all_the_same(hub, ada, monkeypatch):
    ada.write("cart", CART)
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", PROTOCOLS)
    with serve(hub.path.parent) as address:
        ada.repo.git("remote", "set-url", "origin", f"{address}/{hub.path.name}")

        with pytest.raises(AuthFailed) as caught:
            Member(ada.repo, "Ada <ada@example.org>").sync()

    assert caught.value.hint.startswith("'git knowl sync origin --pull' takes what it has")


def test_the_text_of_somebody_whose_entry_was_retired_is_told_by_name(ada, bob):
    ada.write("cart", CART)
    ada.sync()
    bob.sync()
    retire(ada.ctx, "cart", "not true")
    seen = evidence(bob.ctx, "cart")
    apply_edit(bob.ctx, seen, document(replace(seen.entry, body="Else. Why: he looked.\n")))
    bob.sync()
    knowl = Knowl(ada.repo.path)

    done = knowl("sync", "--dry-run"), knowl("sync")

    line = "Bob edited 'cart', which is retired: the text is a draft now"
    assert [line in one.err.splitlines() for one in done] == [True, True]
    assert "1 draft waiting for a person" in done[1].err
    assert line not in Knowl(bob.repo.path)("sync").err
