"""Which remote a sync is with, what is owed to each, and hosts of every temper."""

from __future__ import annotations

import pytest

from git_knowl.plumbing.remote import NoSuchRemote
from git_knowl.services.sync.owed import Owed, never_asked, owed
from git_knowl.services.sync.place import WhichRemoteError
from tests.support.people import CART
from tests.support.remotes import ENTRIES, Member, bare, member, moves

NEW = "new"
COPY = "refs/knowl-remotes/origin/entries"


def shown(hub):
    return hub.refs(ENTRIES).get(ENTRIES)


def test_without_a_remote_sync_says_how_to_make_one(repo):
    alone = Member(repo, "Ada <ada@example.org>")

    with pytest.raises(WhichRemoteError, match="there is none") as caught:
        alone.sync()

    assert "git remote add" in caught.value.hint


def test_of_several_remotes_the_one_to_share_with_is_named(hub, ada, tmp_path):
    fork = bare(tmp_path, "fork.git")
    ada.repo.git("remote", "add", "fork", str(fork.path))
    ada.write("cart", CART)

    with pytest.raises(WhichRemoteError, match="origin, fork") as caught:
        ada.sync()
    assert "knowl.remote" in caught.value.hint
    ada.repo.git("config", "knowl.remote", "origin")
    other = Member(ada.repo, "Ada <ada@example.org>")
    other.sync()
    assert (shown(hub), shown(fork)) == (ada.tip, None)
    other.sync("fork")
    assert shown(fork) == ada.tip


def test_a_url_is_no_remote(hub, ada):
    with pytest.raises(NoSuchRemote):
        ada.sync(str(hub.path))


def test_what_is_owed_is_told_for_every_remote_by_its_own(hub, ada, tmp_path):
    fork = bare(tmp_path, "fork.git")
    ada.repo.git("remote", "add", "up/stream", str(fork.path))
    ada.write("cart", CART)
    assert owed(ada.ctx) == ()
    ada.sync("origin")
    ada.write("tax")
    ada.sync("up/stream")
    ada.write("fee")

    assert owed(ada.ctx) == (Owed("origin", 2), Owed("up/stream", 1))
    ada.repo.git("remote", "remove", "origin")
    assert owed(ada.ctx) == (Owed("up/stream", 1),)


def test_merges_and_what_others_did_are_not_owed(ada, bob):
    ada.write("cart", CART)
    ada.sync()
    bob.write("tax")
    bob.sync(pull=True)

    assert owed(bob.ctx) == (Owed("origin", 1),)
    bob.sync()
    assert owed(bob.ctx) == ()


def test_a_damaged_copy_is_told_and_hides_nothing(hub, ada):
    ada.write("cart", CART)
    ada.sync()
    ada.repo.git("update-ref", COPY, ada.repo.git("rev-parse", "HEAD^{tree}"))

    assert owed(ada.ctx) == ()
    assert COPY in ada.ctx.repo.notices[-1]


def test_a_push_address_of_its_own_is_asked_too(hub, ada, bob, tmp_path):
    other = bare(tmp_path, "other.git")
    ada.repo.git("remote", "set-url", "--push", "origin", str(other.path))
    ada.write("cart", CART)

    ada.sync()
    assert (shown(hub), shown(other)) == (None, ada.tip)
    bob.write("tax")
    bob.sync()
    bob.repo.git("push", "-q", str(other.path), f"{ENTRIES}:refs/heads/elsewhere")

    assert moves(ada.sync()) == ([(NEW, "tax")], [(NEW, "tax")])
    assert shown(other) == ada.tip


def test_what_is_owed_is_owed_to_the_push_address(hub, ada, tmp_path):
    other = bare(tmp_path, "other.git")
    ada.write("cart", CART)
    ada.sync()
    ada.repo.git("remote", "set-url", "--push", "origin", str(other.path))
    ada.write("tax")
    ada.sync()

    assert ada.sync(pull=True).owed == 1  # the remote that is asked lacks it
    assert owed(ada.ctx) == ()


def test_what_others_pushed_to_the_push_address_comes_in(hub, ada, tmp_path):
    other = bare(tmp_path, "other.git")
    eve = member(other, "eve")
    ada.repo.git("remote", "set-url", "--push", "origin", str(other.path))
    eve.write("cart")
    eve.sync()
    ada.write("tax")

    assert moves(ada.sync()) == ([(NEW, "cart")], [(NEW, "tax")])
    assert shown(other) == ada.tip


def test_a_store_that_no_remote_was_told_of_names_the_one_to_sync_with(hub, ada, tmp_path):
    assert never_asked(ada.ctx) == ()

    ada.write("cart", CART)
    assert never_asked(ada.ctx) == (Owed("origin", 1),)
    assert owed(ada.ctx) == ()

    bare(tmp_path, "fork.git")
    ada.repo.git("remote", "add", "fork", str(tmp_path / "fork.git"))
    assert never_asked(ada.ctx) == (Owed("origin", 1), Owed("fork", 1)), "none is chosen"
    ada.repo.git("config", "knowl.remote", "fork")
    chosen = Member(ada.repo, "Ada <ada@example.org>").ctx
    assert never_asked(chosen) == (Owed("fork", 1),)
    ada.sync("origin")
    assert never_asked(ada.ctx) == (), "the team's remote was found"
    assert never_asked(chosen) == (Owed("fork", 1),)


def test_a_remote_that_is_set_and_not_there_is_no_matter_of_a_status(ada):
    ada.write("cart", CART)
    ada.repo.git("config", "knowl.remote", "gone")

    assert never_asked(Member(ada.repo, "Ada <ada@example.org>").ctx) == ()
