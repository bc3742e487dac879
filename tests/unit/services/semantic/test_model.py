"""The model of the extra, where it is installed: what it takes for like, and that it is steady."""

from __future__ import annotations

import pytest

from git_knowl.model.settings import ON, Settings
from git_knowl.services.find_text import find_text
from git_knowl.services.semantic import extra
from tests.support.people import CART, person, write

try:
    extra.check()
except extra.SemanticUnavailable as error:
    pytest.skip(error.message, allow_module_level=True)

from git_knowl.services.semantic.model import SIZE, load

TEXTS = ("The payment service waits two seconds before it tries again", "Tables are drawn on paper")


def test_a_paraphrase_is_more_like_than_another_subject():
    model = load()
    kept = [model.embed([text]) for text in TEXTS]
    near, far = model.compare(model.embed(["how long until a failed charge is repeated"]), kept)

    assert near > 0.3
    assert far < 0.1


def test_a_run_of_vectors_is_as_like_as_its_best():
    model = load()
    question = model.embed([TEXTS[1]])

    [one] = model.compare(question, [model.embed(TEXTS)])

    assert one == pytest.approx(1, abs=0.01)
    assert model.compare(question, []) == []


def test_a_text_has_the_same_vector_in_any_company():
    model = load()

    assert model.embed(TEXTS) == model.embed(TEXTS[:1]) + model.embed(TEXTS[1:])
    assert len(model.embed(TEXTS[:1])) == 2 * SIZE


@pytest.mark.parametrize("text", ["", "\x00", "重试预算", "a" * 100_000, "[SEP] ## [CLS]"])
def test_every_text_has_a_vector(text):
    assert len(load().embed([text])) == 2 * SIZE


def test_a_search_finds_what_shares_no_word_with_the_question(repo):
    ctx = person(repo)
    write(ctx, "cart-doubles", CART, body="The price in the cart doubles above three pieces.\n")
    write(ctx, "lint-runner", CART, body="Run all linters through the task runner.\n")
    ctx.refresh()
    question = "purchasing several articles costs too much"

    assert not find_text(ctx, question, 3).listing.entries

    ctx.settings = Settings(semantic=ON)
    found = find_text(ctx, question, 3)

    assert found.listing.entries[0].row.name == "cart-doubles"
    assert found.notes[found.listing.entries[0].row.id].fit.meaning > 0.2
