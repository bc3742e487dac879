"""Search as the doors offer it: hits with verdicts, scores, and how sure the answer is."""

from __future__ import annotations

import pytest

from git_knowl.services.find_text import find_text
from tests.support.caches import plant
from tests.support.people import CART, person, write


@pytest.fixture
def ctx(repo):
    ctx = person(repo)
    write(ctx, "cart-doubles", CART, body="The discount doubles. Why: suppliers.\n")
    write(ctx, "conf", "file:conf.yml", body="The configuration is read once. Why: speed.\n")
    ctx.refresh()
    return ctx


def test_hits_have_a_verdict_and_a_score_each(repo, ctx):
    repo.write("lib/cart.ts", "changed\n")

    found = find_text(ctx, "discount suppliers", 10)

    assert [(one.row.name, one.verdict.status) for one in found.listing.entries] == [
        ("cart-doubles", "suspect")
    ]
    assert found.confident
    assert 0 < found.scores[0] < 1


def test_exact_names_come_first_up_to_the_limit(ctx):
    found = find_text(ctx, "conf", 1)

    assert [one.row.name for one in found.listing.entries] == ["conf"]
    assert found.scores == (1.0,)


def test_where_nothing_fits_nothing_is_shown(ctx):
    found = find_text(ctx, "kubernetes ingress", 10)

    assert (found.listing.entries, found.scores, found.confident) == ((), (), False)


def test_misspelt_words_are_told(ctx):
    assert find_text(ctx, "discuont suppliers", 10).corrected == {"discuont": ("discount",)}


def test_damage_is_told_beside_the_hits(ctx):
    plant(ctx.store, "shared", files={"entries/zz/x.md": b"no entry"})
    ctx.refresh()

    found = find_text(ctx, "discount", 10).listing

    assert [one.row.name for one in found.entries] == ["cart-doubles"]
    assert [one.path for one in found.damaged] == ["entries/zz/x.md"]
