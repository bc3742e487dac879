"""Both errors of the secret filter on the labelled set, which `tests/bench/secrets` publishes."""

from __future__ import annotations

from git_knowl.services.filters.secrets import scrub
from tests.bench.secrets.labelled import FORMATS, planted
from tests.bench.secrets.measure import missed, touched
from tests.bench.secrets.ordinary import PROSE, ordinary

CAUGHT = 0.99
TOUCHED = 0.01
#: No single provider hides behind the others.
CAUGHT_OF_EACH = 0.95
PROVIDERS = 40


def masked(text: str) -> str:
    return scrub(text).text


def test_at_least_99_in_100_secrets_of_documented_formats_are_caught():
    found = missed(masked, planted(seeds=[7]))
    worst = {name: left / count for name, count, left in found.by_provider() if left}

    assert found.share >= CAUGHT
    assert {name: share for name, share in worst.items() if share > 1 - CAUGHT_OF_EACH} == {}


def test_at_most_1_in_100_ordinary_texts_is_touched():
    texts = ordinary(seeds=[7])

    assert len(touched(masked, texts)) / len(texts) <= TOUCHED


def test_no_sentence_about_secrets_is_touched():
    assert touched(masked, PROSE) == []


def test_what_was_masked_is_never_masked_again():
    texts = [masked(one.text) for one in planted(seeds=[8], formats=FORMATS[::5])]

    assert touched(masked, texts) == []


def test_the_set_names_the_providers_it_was_asked_for():
    assert len({one.provider for one in FORMATS}) >= PROVIDERS
