"""The same finding under two names: one proposal to merge in the inbox of whoever sees both."""

from __future__ import annotations

from git_knowl.services.gate import authorise
from git_knowl.services.review import Decision, decide
from git_knowl.store.inbox import read_inbox
from tests.support.people import CART

SAME = "Read before touching totals in the cart: above three pieces the price doubles"
NEARLY = "Read before touching the totals in the cart: the price doubles above three pieces"


def drafts(one):
    return read_inbox(one.ctx.store.view()).drafts


def both(ada, bob, text=NEARLY):
    """Let both write the same thing, and bob see what ada wrote."""
    first = ada.write("cart-doubles", CART, description=SAME)
    second = bob.write("doubling-cart-price", CART, description=text)
    ada.sync()
    told = bob.sync()
    return first, second, told


def test_a_likely_duplicate_becomes_one_proposal_to_retire_the_younger(ada, bob):
    first, second, told = both(ada, bob)
    older, younger = sorted((first, second), key=lambda entry: entry.id)

    (draft,) = drafts(bob)
    assert told.drafts == 1
    assert (draft.kind, draft.target, draft.expected) == ("retire", younger.id, younger.digest)
    assert draft.reason == f"says the same as '{older.name}'"


def test_it_is_proposed_once_and_the_same_by_everybody_who_sees_both(ada, bob):
    both(ada, bob)
    ada.sync()
    bob.sync()

    assert [one.id for one in drafts(ada)] == [one.id for one in drafts(bob)]
    assert len(drafts(ada)) == 1


def test_what_somebody_discarded_does_not_come_back(ada, bob):
    both(ada, bob)
    (draft,) = drafts(bob)
    decide(bob.ctx, [Decision(draft.id, accepted=False, reason="not the same")],
           authorise(bob.ctx, "review"))  # fmt: skip
    ada.write("third", CART, description=SAME + " again")
    ada.sync()
    bob.sync()

    assert draft.id not in [one.id for one in drafts(bob)]


def test_accepted_it_retires_the_younger_and_leaves_the_other(ada, bob):
    first, second, _ = both(ada, bob)
    (draft,) = drafts(bob)
    decide(bob.ctx, [Decision(draft.id, accepted=True)], authorise(bob.ctx, "review"))
    bob.sync()
    ada.sync()

    assert ada.names == bob.names == {min((first, second), key=lambda one: one.id).name}


def test_texts_on_one_subject_are_no_duplicates(ada, bob):
    _, _, told = both(ada, bob, "Read before changing how the cart is stored between sessions")

    assert (told.drafts, drafts(bob)) == (0, ())


def test_short_texts_that_are_built_alike_are_no_duplicates(ada, bob):
    ada.write("a-one", CART, description="Read before touching a")
    bob.write("b-one", CART, description="Read before touching b")
    ada.sync()

    assert bob.sync().drafts == 0
