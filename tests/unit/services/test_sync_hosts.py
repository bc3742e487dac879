"""Hosts that refuse, hide, forget or move on, and what a sync makes of each."""

from __future__ import annotations

import pytest

from git_knowl.plumbing.remote import OtherFormat, Unreachable
from git_knowl.services.log import entry_log
from git_knowl.services.sync import place as places
from git_knowl.services.sync import result, sending
from git_knowl.services.sync.exchange import Exchange, LostRaceError
from git_knowl.services.sync.owed import Owed, owed
from git_knowl.services.sync.sending import FirstBranchError, NotShownError, PushRefusedError
from git_knowl.services.sync.since import only_since
from tests.support.builders import RepoBuilder
from tests.support.people import CART, tips
from tests.support.remotes import (
    ENTRIES,
    ONLY_BRANCHES,
    Member,
    bare,
    belongings,
    clone,
    hook,
    moves,
    remove,
)

NEW = "new"
STORE = "refs/heads/knowl-store"
QUICK = places.Pace(tries=7)


@pytest.fixture
def refusing(hub):
    hook(hub, "update", ONLY_BRANCHES)
    return hub


def shown(hub, ref=ENTRIES):
    return hub.refs(ref).get(ref)


def with_ref(one, ref=STORE):
    """Return somebody whose store is another ref at the remote."""
    one.repo.git("config", "knowl.remoteRef", ref)
    return Member(one.repo, "Ada <ada@example.org>")


def test_a_host_that_takes_no_such_ref_is_told_with_the_way_out(refusing, ada):
    ada.write("cart", CART)
    before = tips(ada.repo)

    with pytest.raises(PushRefusedError) as caught:
        ada.sync()

    assert "only branches and tags are taken here" in caught.value.message
    assert "knowl.remoteRef refs/heads/knowl-store" in caught.value.hint
    assert tips(ada.repo) == before
    assert shown(refusing) is None


def test_there_a_branch_holds_the_store_and_a_warning_goes_with_the_first_push(refusing, ada, bob):
    ada.write("cart", CART)
    ada, bob = with_ref(ada), with_ref(bob)
    before = belongings(ada.repo)

    ada.sync()

    assert shown(refusing, STORE) == ada.tip
    assert belongings(ada.repo) == before
    assert "CI" in ada.ctx.repo.notices[-1]
    ada.ctx.repo.notices.clear()
    assert moves(bob.sync())[0] == [(NEW, "cart")]
    bob.write("tax")
    bob.sync()
    assert moves(ada.sync())[0] == [(NEW, "tax")]
    assert ada.ctx.repo.notices == bob.ctx.repo.notices == []
    assert shown(refusing) is None


def test_where_not_even_the_branch_is_taken_the_hint_is_another_one(hub, ada):
    hook(hub, "update", "#!/bin/sh\nexit 1\n")
    ada.write("cart", CART)

    with pytest.raises(PushRefusedError) as caught:
        with_ref(ada).sync()

    assert "knowl-store" not in caught.value.hint


def test_the_end_of_a_history_is_not_sent_to_who_has_none_of_it(hub, ada, bob, tmp_path):
    ada.write("cart", CART)
    ada.write("tax")
    ada.sync()
    bob.repo.git("fetch", "-q", "--depth=1", f"file://{hub.path}", f"{ENTRIES}:{ENTRIES}")
    other = bare(tmp_path, "other.git")
    bob.repo.git("remote", "add", "other", f"file://{other.path}")

    with pytest.raises(PushRefusedError) as caught:
        bob.sync("other")

    assert "shallow" in caught.value.message
    assert "--unshallow" in caught.value.hint
    assert shown(other) is None


def test_what_is_gone_between_showing_and_fetching_is_another_round(hub, ada, bob, monkeypatch):
    ada.write("cart", CART)
    ada.sync()
    plain = Exchange.look
    rounds = []

    def look(exchange):
        rounds.append(plain(exchange))
        return {"origin": "1" * 40} if len(rounds) == 1 else rounds[-1]

    monkeypatch.setattr(Exchange, "look", look)

    assert moves(bob.sync())[0] == [(NEW, "cart")]
    assert len(rounds) == 2


def test_the_store_is_never_the_first_branch_of_a_remote(tmp_path, repo):
    empty = RepoBuilder.make(tmp_path, name="empty.git", bare=True)
    repo.git("remote", "add", "origin", str(empty.path))
    ada = with_ref(Member(repo, "Ada <ada@example.org>"))
    ada.write("cart", CART)

    with pytest.raises(FirstBranchError):
        ada.sync()

    assert empty.refs() == {}


def test_a_branch_of_the_code_is_no_place_for_the_store(hub, ada):
    ada.write("cart", CART)
    before = hub.refs()

    with pytest.raises(places.NoStoreError, match="has no store at refs/heads/main"):
        with_ref(ada, "refs/heads/main").sync()

    assert hub.refs() == before


def test_an_empty_remote_takes_the_store(tmp_path, repo):
    empty = RepoBuilder.make(tmp_path, name="empty.git", bare=True)
    repo.git("remote", "add", "origin", str(empty.path))
    ada = Member(repo, "Ada <ada@example.org>")
    ada.write("cart", CART)

    ada.sync()

    assert empty.refs() == {ENTRIES: ada.tip}


def test_nothing_counts_as_sent_that_the_remote_does_not_show(hub, ada):
    hub.git("config", "uploadpack.hideRefs", "refs/knowl")
    ada.write("cart", CART)

    with pytest.raises(NotShownError):
        ada.sync(pace=QUICK)

    assert owed(ada.ctx) == ()
    assert not ada.repo.refs("refs/knowl-remotes")


def test_a_remote_that_stays_locked_refuses(hub, ada):
    lock = hub.path / f"{ENTRIES}.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    ada.write("cart", CART)

    with pytest.raises(PushRefusedError, match="File exists"):
        ada.sync(pace=QUICK)


def test_refs_below_the_one_of_the_store_refuse_it(hub, ada):
    hub.git("update-ref", f"{ENTRIES}/x", "main")
    ada.write("cart", CART)

    with pytest.raises(PushRefusedError, match="cannot create"):
        ada.sync()


def test_a_remote_that_is_gone_loses_nothing(hub, ada):
    ada.write("cart", CART)
    ada.sync()
    ada.write("tax")
    remove(hub)
    before = tips(ada.repo)

    with pytest.raises(Unreachable):
        ada.sync()

    assert tips(ada.repo) == before
    assert owed(ada.ctx) == (Owed("origin", 1),)


def test_a_store_that_was_deleted_at_the_remote_is_sent_again_and_told(hub, ada):
    ada.write("cart", CART)
    ada.sync()
    hub.git("update-ref", "-d", ENTRIES)

    done = ada.sync()

    assert moves(done)[1] == [(NEW, "cart")]
    assert "holds it no more" in ada.ctx.repo.notices[-1]
    assert shown(hub) == ada.tip


def test_a_store_that_was_set_back_at_the_remote_comes_forward_again(hub, ada):
    ada.write("cart", CART)
    ada.sync()
    first = ada.tip
    ada.write("tax")
    ada.sync()
    hub.git("update-ref", ENTRIES, first)

    assert moves(ada.sync())[1] == [(NEW, "tax")]
    assert shown(hub) == ada.tip


def test_a_bundle_gives_and_takes_nothing(hub, ada, bob, tmp_path):
    ada.write("cart", CART)
    ada.sync()
    hub.git("bundle", "create", "-q", str(tmp_path / "all.bundle"), "--all")
    bob.repo.git("remote", "set-url", "origin", str(tmp_path / "all.bundle"))
    bob.write("tax")

    assert moves(bob.sync(pull=True))[0] == [(NEW, "cart")]
    with pytest.raises(Unreachable):
        bob.sync()
    assert bob.names == {"cart", "tax"}


def test_a_mirror_syncs_and_keeps_what_it_writes(hub, ada):
    ada.write("cart", CART)
    ada.sync()
    mirror = clone(hub, "mirror.git", "--mirror")
    eve = Member(mirror, "Eve <eve@example.org>")
    eve.write("tax")

    assert moves(eve.sync())[1] == [(NEW, "tax")]
    assert shown(hub) == eve.tip


def overtaken(monkeypatch, other, times):
    """Let somebody else push just before a push, so often."""
    plain = sending.push
    turns = iter(range(times))

    def push(*args):
        turn = next(turns, None)
        if turn is not None:
            with monkeypatch.context() as undone:
                undone.setattr(sending, "push", plain)
                other.write(f"fast-{turn}")
                other.sync()
        return plain(*args)

    monkeypatch.setattr(sending, "push", push)


def test_who_is_overtaken_begins_again_and_both_are_there(hub, ada, bob, monkeypatch):
    ada.write("cart", CART)
    overtaken(monkeypatch, bob, 2)

    done = ada.sync()

    assert moves(done) == ([(NEW, "fast-0"), (NEW, "fast-1")], [(NEW, "cart")])
    assert shown(hub) == ada.tip
    assert moves(bob.sync())[0] == [(NEW, "cart")]


def test_who_is_overtaken_every_time_ends_as_a_lost_race_does(hub, ada, bob, monkeypatch):
    ada.write("cart", CART)
    overtaken(monkeypatch, bob, 3)

    with pytest.raises(LostRaceError) as caught:
        ada.sync(pace=places.Pace(tries=2))

    assert caught.value.exit_code == 4
    assert "cart" not in hub.git("ls-tree", "-r", "--name-only", ENTRIES)
    assert ada.names == {"cart", "fast-0"}
    assert only_since(ada.ctx, entry_log(ada.ctx, None, None)), "what came in is remembered"
    assert owed(ada.ctx) == (Owed("origin", 1),)


def test_who_pushes_on_top_of_us_before_we_look_again_proves_that_ours_is_there(
    hub, ada, bob, monkeypatch
):
    ada.write("cart", CART)
    plain = sending.push

    def push(*args):
        told = plain(*args)
        with monkeypatch.context() as undone:
            undone.setattr(sending, "push", plain)
            bob.write("on-top")
            bob.sync()
        return told

    monkeypatch.setattr(sending, "push", push)
    done = ada.sync()

    assert moves(done) == ([(NEW, "on-top")], [(NEW, "cart")])
    assert done.state == result.EXCHANGED
    assert done.commit == shown(hub) == bob.tip


def test_a_branch_that_is_only_here_is_no_place_for_the_store_either(hub, ada):
    ada.repo.git("branch", "work")
    ada.write("cart", CART)

    with pytest.raises(FirstBranchError, match="refs/heads/work is a branch of the code"):
        with_ref(ada, "refs/heads/work").sync()

    assert shown(hub, "refs/heads/work") is None


def test_what_stands_where_the_store_belongs_is_named_by_the_ref_there(hub, ada):
    ada.write("cart", CART)

    with pytest.raises(places.NoStoreError, match="refs/heads/main: expected a file") as caught:
        with_ref(ada, "refs/heads/main").sync()

    assert ENTRIES not in caught.value.message


@pytest.mark.parametrize("here", ["sha1", "sha256"])
@pytest.mark.parametrize("content", ["a store", "code", "nothing"])
def test_a_remote_with_ids_of_another_kind_is_told_at_once(tmp_path, here, content):
    there = "sha256" if here == "sha1" else "sha1"
    hub = bare(tmp_path, "other.git", there)
    if content == "a store":
        hub.git("update-ref", ENTRIES, "main")
    elif content == "nothing":
        hub.git("update-ref", "-d", "refs/heads/main")
    mine = RepoBuilder.start(tmp_path, here, name="mine")
    mine.git("remote", "add", "origin", str(hub.path))
    ada = Member(mine, "Ada <ada@example.org>")
    ada.write("cart")

    with pytest.raises(OtherFormat) as caught:
        ada.sync()

    kinds = {"sha1": "SHA-1", "sha256": "SHA-256"}
    if content != "nothing":
        assert f"uses {kinds[there]}, this clone {kinds[here]}" in caught.value.message
    assert hub.refs("refs/knowl") == ({ENTRIES: hub.rev(ENTRIES)} if content == "a store" else {})
