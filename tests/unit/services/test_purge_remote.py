"""A purge and the others: nothing that was purged comes back, and nobody loses anything else."""

from __future__ import annotations

import pytest

from git_knowl.errors import MovedError
from git_knowl.plumbing import refs
from git_knowl.services.edit import apply_edit, document
from git_knowl.services.gate import require_person
from git_knowl.services.purge.purge import Order, purge
from git_knowl.services.purge.remote import look_at, replace
from git_knowl.services.purged.known import (
    HoldsPurgedError,
    RemoteHoldsPurgedError,
    holds_purged,
    purged_known,
)
from git_knowl.services.purged.wanted import PurgeError, Wanted
from git_knowl.services.verify import evidence
from tests.support.people import CART, live
from tests.support.purges import LEAK, LEAKING, purge_text, reachable
from tests.support.remotes import ENTRIES, hook


@pytest.fixture
def leaked(hub, ada, bob):
    """Let both clones and the remote hold a text that leaked."""
    ada.write("cart", CART)
    ada.write("leaks", CART, body=LEAKING)
    ada.sync()
    bob.sync()


def purge_remote(one, name="origin"):
    return replace(one.ctx, look_at(one.ctx, name), require_person(one.ctx, "purge"))


def purge_known(one):
    wanted = Wanted(digests=purged_known(one.ctx.store))
    return purge(one.ctx, Order(wanted, require_person(one.ctx, "purge")))


def held(hub):
    """Return the objects with the text in the history that a remote shows."""
    listed = hub.git("rev-list", "--objects", "--no-object-names", ENTRIES).split()
    return [oid for oid in listed if LEAK in hub.git("cat-file", "-p", oid)]


def test_sync_stops_while_the_remote_holds_what_was_purged_here(hub, ada, leaked):
    purge_text(ada.ctx)
    before = (ada.tip, hub.refs(ENTRIES))

    for dry_run in (True, False):
        with pytest.raises(RemoteHoldsPurgedError, match="'origin' still holds"):
            ada.sync(dry_run=dry_run)

    assert (ada.tip, hub.refs(ENTRIES)) == before
    assert reachable(ada.repo) == []


def test_a_person_replaces_the_history_of_the_remote_and_sync_goes_on(hub, ada, leaked):
    purge_text(ada.ctx)

    tip = purge_remote(ada)

    assert hub.refs(ENTRIES) == {ENTRIES: tip}
    assert held(hub) == reachable(ada.repo) == []
    ada.write("later", CART)
    ada.sync()
    assert hub.refs(ENTRIES) == {ENTRIES: ada.tip}


def test_what_others_sent_meanwhile_is_not_lost(hub, ada, bob, leaked):
    bob.write("fee", CART)
    bob.sync()
    purge_text(ada.ctx)

    purge_remote(ada)

    assert ada.names == {"cart", "fee"}
    assert held(hub) == []


def test_the_others_purge_what_was_purged_and_are_in_step_again(hub, ada, bob, leaked):
    purge_text(ada.ctx)
    purge_remote(ada)
    bob.write("fee", CART)

    with pytest.raises(HoldsPurgedError, match="others purged"):
        bob.sync()
    assert held(hub) == []
    purge_known(bob)
    assert reachable(bob.repo) == []
    bob.sync()
    ada.sync()

    assert ada.names == bob.names == {"cart", "fee"}
    assert held(hub) == reachable(ada.repo) == reachable(bob.repo) == []


def test_a_redacted_entry_reaches_the_others_redacted(hub, ada, bob, leaked):
    purge_text(ada.ctx, redact=True)
    purge_remote(ada)
    with pytest.raises(HoldsPurgedError):
        bob.sync()
    purge_known(bob)
    bob.sync()
    ada.sync()

    assert live(bob.ctx, "leaks") == live(ada.ctx, "leaks")
    assert "[REDACTED:PURGED]" in live(bob.ctx, "leaks").body
    assert held(hub) == []


def test_a_newer_text_that_another_wrote_stays_live(hub, ada, bob, leaked):
    text = document(live(bob.ctx, "leaks")).replace(LEAK, "in the vault")
    apply_edit(bob.ctx, evidence(bob.ctx, "leaks"), text, looked=True)
    bob.sync()
    ada.sync()
    purge_text(ada.ctx)
    purge_remote(ada)

    assert "in the vault" in live(ada.ctx, "leaks").body
    assert held(hub) == []


def test_the_history_of_a_purge_by_name_meets_that_of_the_others(hub, ada, bob, leaked):
    """A message that holds the text is bared alike by who knows the text and who knows digests."""
    ada.write("plover-umbrella", CART)
    ada.sync()
    bob.sync()
    purge_text(ada.ctx, "plover-umbrella")
    purge_remote(ada)
    with pytest.raises(HoldsPurgedError):
        bob.sync()
    purge_known(bob)
    bob.sync()

    assert reachable(ada.repo, "plover-umbrella") == []
    for one in (hub, bob.repo):
        assert "plover-umbrella" not in one.git("log", "-p", ENTRIES)
    assert bob.names == {"cart", "leaks"}


def test_a_remote_that_moved_meanwhile_is_not_replaced(hub, ada, bob, leaked):
    purge_text(ada.ctx)
    plan = look_at(ada.ctx, "origin")
    bob.write("fee", CART)
    bob.sync()
    before = hub.refs(ENTRIES)

    with pytest.raises(MovedError, match="changed meanwhile"):
        replace(ada.ctx, plan, require_person(ada.ctx, "purge"))

    assert hub.refs(ENTRIES) == before


def test_a_remote_that_denies_it_is_told_and_stays(hub, ada, leaked):
    hook(hub, "update", "#!/bin/sh\nexit 1\n")
    purge_text(ada.ctx)
    before = hub.refs(ENTRIES)

    with pytest.raises(PurgeError, match="does not take another history"):
        purge_remote(ada)

    assert hub.refs(ENTRIES) == before


def test_a_remote_that_holds_nothing_of_it_is_not_replaced(hub, ada, leaked):
    with pytest.raises(PurgeError, match="nothing that was purged"):
        look_at(ada.ctx, "origin")


def test_a_clone_that_holds_it_itself_replaces_no_remote(hub, ada, bob, leaked):
    purge_text(ada.ctx)
    purge_remote(ada)

    with pytest.raises(HoldsPurgedError):
        look_at(bob.ctx, "origin")


def test_a_clean_history_is_told_from_one_that_holds_it(ada, leaked):
    before = ada.tip
    assert not holds_purged(ada.ctx.store, before)

    purge_text(ada.ctx)

    assert holds_purged(ada.ctx.store, before)
    assert not holds_purged(ada.ctx.store, ada.tip)
    assert purged_known(ada.ctx.store)


def test_what_nobody_purged_costs_no_look_at_any_history(ada):
    ada.write("cart", CART)

    assert purged_known(ada.ctx.store) == frozenset()
    assert refs.read(ada.repo.open(), (refs.ENTRIES,))[refs.ENTRIES] == ada.tip
