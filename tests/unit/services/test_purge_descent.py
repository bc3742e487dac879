"""What somebody made of a text before others purged it does not come back by the documented way."""

from __future__ import annotations

import pytest

from git_knowl.services.edit import apply_edit, document
from git_knowl.services.gate import require_person
from git_knowl.services.proposals.send import send
from git_knowl.services.purge.purge import Order, look, purge
from git_knowl.services.purge.remote import look_at, replace
from git_knowl.services.purged.descent import WARNING, wanted_known
from git_knowl.services.purged.known import HoldsPurgedError, purged_known
from git_knowl.services.purged.wanted import Wanted
from git_knowl.services.review import Decision, decide
from git_knowl.services.verify import evidence
from git_knowl.store.merge import outcome
from git_knowl.store.merge.admitting import OF_PURGED
from tests.support.contexts import inbox_of
from tests.support.people import CART, live
from tests.support.purges import LEAK, LEAKING, purge_text, reachable
from tests.support.remotes import ENTRIES, member


@pytest.fixture
def leaked(hub, ada, bob):
    """Let two clones and the remote hold a text that leaked."""
    ada.write("cart", CART)
    ada.write("leaks", CART, body=LEAKING)
    for one in (ada, bob):
        one.sync()


@pytest.fixture
def carol(hub, leaked):
    found = member(hub, "carol")
    found.sync()
    return found


def edit(one, old, new):
    text = document(live(one.ctx, "leaks")).replace(old, new)
    apply_edit(one.ctx, evidence(one.ctx, "leaks"), text, looked=True)


def purge_everywhere(one, *, redact):
    purge_text(one.ctx, redact=redact)
    replace(one.ctx, look_at(one.ctx, "origin"), require_person(one.ctx, "purge"))


def purge_known(one, wanted=None):
    """Follow docs/purge.md in a clone whose sync stopped."""
    with pytest.raises(HoldsPurgedError):
        one.sync()
    order = Order(wanted or wanted_known(one.ctx.store), require_person(one.ctx, "purge"))
    found = look(one.ctx, order.wanted)
    assert found.made_of_it == purge(one.ctx, order).found.made_of_it
    return found.made_of_it


def holders(repo, ref=ENTRIES):
    """Return the objects with the text in the history of a ref."""
    listed = repo.git("rev-list", "--objects", "--no-object-names", ref).split()
    return [oid for oid in listed if LEAK in repo.git("cat-file", "-p", oid)]


@pytest.mark.parametrize("redact", [True, False])
def test_a_variant_with_the_secret_reaches_nobody(hub, ada, bob, leaked, carol, redact):
    edit(bob, "pass phrase", "passphrase")
    purge_everywhere(ada, redact=redact)

    assert purge_known(bob) == ("leaks",)
    assert purge_known(carol) == ()
    for one in (bob, ada, carol, bob, ada):
        one.sync()

    assert holders(hub) == []
    assert reachable(ada.repo) == reachable(carol.repo) == holders(bob.repo) == []
    assert ada.tip == bob.tip == carol.tip
    assert bob.names == ({"cart", "leaks"} if redact else {"cart"})


def test_the_draft_of_a_variant_is_sent_only_by_its_id(hub, ada, bob, leaked):
    edit(bob, "pass phrase", "passphrase")
    purge_everywhere(ada, redact=False)
    purge_known(bob)
    (draft,) = inbox_of(bob.ctx).drafts

    done = send(bob.ctx, "origin")

    assert done.ids == ()
    assert "purged elsewhere" in done.kept[draft.id]
    assert hub.refs("refs/knowl/proposals") == {}
    assert send(bob.ctx, "origin", [draft.id]).ids == (draft.id,)


@pytest.mark.parametrize(("redact", "kind"), [(True, "update"), (False, "capture")])
def test_the_variant_waits_here_for_a_person(hub, ada, bob, leaked, redact, kind):
    edit(bob, f"The pass phrase is {LEAK}", "The pass phrase is in the vault")
    purge_everywhere(ada, redact=redact)
    purge_known(bob)
    bob.sync()

    (draft,) = inbox_of(bob.ctx).drafts
    decide(bob.ctx, [Decision(draft.id, accepted=True)], require_person(bob.ctx, "review"))
    bob.ctx.refresh()
    bob.sync()
    done = ada.sync()

    assert (draft.kind, draft.warnings) == (kind, (WARNING,))
    assert outcome.REFUSED not in {one.kind for one in done.received}
    assert "in the vault" in live(ada.ctx, "leaks").body
    assert holders(hub) == []


def test_several_versions_go_and_the_last_one_waits(ada, bob, leaked):
    for old, new in (("pass phrase", "passphrase"), ("two suppliers", "three suppliers")):
        edit(bob, old, new)
    purge_everywhere(ada, redact=True)
    purge_known(bob)

    (draft,) = inbox_of(bob.ctx).drafts
    assert holders(bob.repo) == []
    assert "three suppliers" in draft.entry.body


def test_what_the_purge_saw_and_kept_is_no_variant(ada, bob, leaked):
    edit(ada, LEAK, "in the vault")
    ada.sync()
    purge_everywhere(ada, redact=True)

    assert purge_known(bob) == ()
    bob.sync()
    assert "in the vault" in live(bob.ctx, "leaks").body
    assert inbox_of(bob.ctx).drafts == ()


@pytest.mark.parametrize("redact", [True, False])
def test_a_clone_that_does_not_know_of_variants_brings_nothing_back(ada, bob, leaked, redact):
    """An older program takes out by digest alone, and sends what it has besides."""
    edit(bob, "pass phrase", "passphrase")
    purge_everywhere(ada, redact=redact)
    purge_known(bob, Wanted(digests=purged_known(bob.ctx.store) or fetched(bob)))
    bob.sync()

    done = ada.sync()

    told = {(one.kind, one.note) for one in done.received if one.name == "leaks"}
    assert told <= {(outcome.REFUSED, OF_PURGED)}
    assert LEAK not in (live(ada.ctx, "leaks").body if redact else "")
    assert inbox_of(ada.ctx).drafts == ()


def test_a_variant_that_was_sent_meanwhile_goes_from_the_remote_too(hub, ada, bob, leaked):
    purge_text(ada.ctx, redact=True)
    edit(bob, "pass phrase", "passphrase")
    bob.sync()

    replace(ada.ctx, look_at(ada.ctx, "origin"), require_person(ada.ctx, "purge"))

    assert holders(hub) == holders(ada.repo) == []
    assert [(one.kind, one.name) for one in inbox_of(ada.ctx).drafts] == [("update", "leaks")]
    assert purge_known(bob) == ("leaks",)
    bob.sync()
    ada.sync()
    assert live(ada.ctx, "leaks") == live(bob.ctx, "leaks")
    assert holders(hub) == []


def fetched(one):
    """Return the digests that a sync that stopped has fetched."""
    with pytest.raises(HoldsPurgedError):
        one.sync()
    return purged_known(one.ctx.store)
