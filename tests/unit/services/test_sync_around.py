"""Around a sync: the log since the last one, other projects, setting up, and syncing by itself."""

from __future__ import annotations

import pytest

from git_knowl.errors import KnowlError
from git_knowl.services.setup import init
from git_knowl.services.sync import auto, result, since
from git_knowl.store import history
from git_knowl.store.merge.join import ForeignProject
from git_knowl.store.state import PutState
from tests.support import stores
from tests.support.builders import RepoBuilder
from tests.support.people import CART, tips
from tests.support.remotes import ENTRIES, Member, clone, moves, remove

NEW = "new"


def shown(hub):
    return hub.refs(ENTRIES).get(ENTRIES)


def everything(repo):
    """Return refs, and how many objects and files there are in the git directory."""
    files = sorted(str(path) for path in (repo.path / ".git").rglob("*") if path.is_file())
    return repo.refs(), files, repo.git("count-objects", "-v")


# --- since the last sync ----------------------------------------------------------------------


def log_since(one):
    view = one.ctx.store.view()
    return [made.subject for made in since.only_since(one.ctx, history.log(one.ctx.store, view))]


def test_since_the_last_sync_are_what_it_brought_and_what_came_after(ada, bob):
    ada.write("old")
    ada.sync()
    bob.sync()
    ada.write("cart", CART)
    ada.sync()
    bob.sync()
    bob.write("tax")
    bob.sync()

    assert log_since(bob) == ["capture tax", "capture cart"]


def test_since_the_first_sync_everything_is_new(ada, bob):
    ada.write("cart", CART)
    ada.sync()
    bob.sync()

    assert log_since(bob) == ["capture cart"]


def test_a_clone_that_took_nothing_yet_says_so(ada):
    ada.write("cart", CART)
    ada.sync()

    with pytest.raises(since.NeverSyncedError):
        log_since(ada)


@pytest.mark.parametrize(
    "data", [None, b"no json", b"[]", b'{"after": 1}', b'{"before": "' + b"1" * 40 + b'"}']
)
def test_what_is_remembered_may_be_lost(ada, bob, data):
    ada.write("cart", CART)
    ada.sync()
    bob.sync()
    stores.write(stores.open_store(bob.repo), PutState(since.FILE, data))

    with pytest.raises(since.NeverSyncedError):
        log_since(bob)
    assert bob.sync().state == result.IN_STEP


# --- other projects ---------------------------------------------------------------------------


def test_a_store_about_other_code_is_not_joined_until_somebody_says_so(tmp_path, hub, ada):
    ada.write("cart", CART)
    ada.sync()
    other = RepoBuilder.make(tmp_path, name="other")
    other.commit("another beginning", {"x": "y"})
    other.git("remote", "add", "origin", str(hub.path))
    eve = Member(other, "Eve <eve@example.org>")
    eve.write("tax")
    before = tips(other), shown(hub)

    for options in ({}, {"dry_run": True}, {"pull": True}):
        with pytest.raises(ForeignProject):
            eve.sync(**options)
    assert (tips(other), shown(hub)) == before
    eve.sync(same_project=True)

    assert eve.names == {"cart", "tax"}
    assert eve.sync().state == result.IN_STEP
    assert moves(ada.sync())[0] == [(NEW, "tax")]


# --- setting up and by itself -----------------------------------------------------------------


def test_init_in_a_fresh_clone_brings_the_store(hub, ada, bob):
    ada.write("cart", CART)
    ada.sync()

    assert init(bob.ctx).done == ("fetched the store of 'origin': 1 captured by Ada",)
    assert bob.names == {"cart"}
    assert init(bob.ctx).done == ()


def test_init_says_nothing_of_a_remote_without_a_store(hub, ada):
    before = everything(ada.repo)

    assert init(ada.ctx).done == ()
    assert everything(ada.repo) == before


def test_init_in_a_shallow_clone_brings_the_store(hub, ada):
    ada.write("cart", CART)
    ada.sync()
    shallow = RepoBuilder(hub.path.parent / "shallow")
    hub.git("clone", "-q", "--depth=1", f"file://{hub.path}", str(shallow.path))
    eve = Member(shallow, "Eve <eve@example.org>")

    assert "fetched the store" in init(eve.ctx).done[0]
    assert eve.names == {"cart"}


def test_init_goes_on_where_the_remote_is_gone(hub, ada):
    remove(hub)

    (told,) = init(ada.ctx).done

    assert told.startswith("did not fetch the store of a remote: 'origin' cannot be reached")


def test_init_says_what_is_wrong_with_the_setting_and_goes_on(ada):
    ada.repo.git("config", "knowl.remote", "nobody")

    (told,) = init(ada.ctx).done

    assert "there is no remote 'nobody'" in told


def test_init_with_several_remotes_waits_for_one_to_be_named(hub, ada):
    ada.repo.git("remote", "add", "fork", str(hub.path))

    assert init(ada.ctx).done == ()


def test_a_sync_after_a_write_is_one_line(hub, ada, bob):
    ada.write("cart", CART)
    ada.sync()
    bob.write("tax")

    auto.after_write(bob.ctx)

    assert bob.ctx.repo.notices == ["sent 1 to 'origin'; received: 1 captured by Ada"]
    assert shown(hub) == bob.tip


def test_after_a_write_that_is_not_owed_no_remote_is_asked(hub, ada):
    ada.write("cart", CART)
    ada.sync()
    remove(hub)
    ada.write("mine", lane="local")

    auto.after_write(ada.ctx)

    assert ada.ctx.repo.notices == []


def test_a_sync_after_a_write_that_fails_is_one_line_and_no_error(hub, ada):
    ada.write("cart", CART)
    remove(hub)

    auto.after_write(ada.ctx)

    (told,) = ada.ctx.repo.notices
    assert told.startswith("not synced: ")
    assert "\n" not in told
    assert ada.names == {"cart"}


def test_a_failure_to_remember_costs_only_that(ada, bob, monkeypatch):
    ada.write("cart", CART)
    ada.sync()

    def full(*_args, **_options):
        raise KnowlError("no space is left")

    monkeypatch.setattr(since, "publish", full)
    bob.sync()

    assert bob.names == {"cart"}
    assert "no space is left" in bob.ctx.repo.notices[-1]


def test_clones_of_clones_pass_the_store_on(hub, ada):
    ada.write("cart", CART)
    eve = Member(clone(ada.repo, "eve"), "Eve <eve@example.org>")

    assert moves(eve.sync())[0] == [(NEW, "cart")]
    eve.write("tax")
    assert moves(eve.sync())[1] == [(NEW, "tax")]
    assert ada.names == {"cart", "tax"}
