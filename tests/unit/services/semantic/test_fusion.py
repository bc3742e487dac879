"""What likeness in meaning adds to the words of a question, with likeness given, not computed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_knowl.model.entry import SHARED
from git_knowl.services.search import (
    NEAR_IN_MEANING,
    SURE_OF_MEANING,
    Fit,
    Scope,
    is_sure,
    score,
    search,
)
from tests.support.builders import RepoBuilder
from tests.support.caches import cache_of, plant
from tests.support.stores import entry, open_store

BUDGET = entry("retry-budget", 1, description="Outgoing calls share one budget a minute")
TABLES = entry("table-loss", 2, description="The renderer drops tables before version two")
LINT = entry("no-direct-lint", 3, description="Run the checks through the task runner")
UNRELATED = "which umbrella keeps rain away"

shares = st.floats(0, 1)
cosines = st.floats(-1, 1)


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    store = open_store(RepoBuilder.start(tmp_path_factory.mktemp("fusion")))
    plant(store, SHARED, BUDGET, TABLES, LINT)
    return cache_of(store)


def ids(results):
    return [hit.id for hit in results.hits]


def test_what_shares_no_word_is_found_by_its_meaning_alone(cache):
    results = search(cache, UNRELATED, alike={BUDGET.id: 0.6, TABLES.id: 0.3, LINT.id: 0.1})

    assert ids(results) == [BUDGET.id, TABLES.id]
    assert results.confident
    assert results.hits[0].score == 0.6
    assert results.hits[0].fit.meaning == 0.6


def test_what_is_near_and_no_more_is_shown_as_the_nearest(cache):
    results = search(cache, UNRELATED, alike={BUDGET.id: NEAR_IN_MEANING})

    assert ids(results) == [BUDGET.id]
    assert not results.confident


def test_a_name_comes_before_all_that_is_like_it(cache):
    results = search(cache, "table-loss", alike={BUDGET.id: 1.0, TABLES.id: 0.2})

    assert ids(results) == [TABLES.id, BUDGET.id]
    assert results.hits[1].score < 1


def test_an_entry_that_was_not_compared_is_found_by_its_words(cache):
    results = search(cache, "renderer tables version", alike={BUDGET.id: 0.3})

    assert ids(results)[0] == TABLES.id
    assert results.hits[0].fit.meaning is None
    assert results.confident


def test_meaning_keeps_to_the_scope(cache):
    scope = Scope(hidden=frozenset([BUDGET.id]))

    assert not search(cache, UNRELATED, scope=scope, alike={BUDGET.id: 0.9}).hits


def test_an_entry_that_is_not_active_ranks_behind_one_as_like(cache):
    results = search(
        cache,
        UNRELATED,
        judge=lambda _: {BUDGET.id: "suspect"},
        alike={BUDGET.id: 0.5, TABLES.id: 0.5},
    )

    assert ids(results) == [TABLES.id, BUDGET.id]


@given(share=shares, meaning=cosines)
def test_no_score_is_lowered_by_meaning(share, meaning):
    plain, compared = Fit(share=share), Fit(share=share, meaning=meaning)

    assert score(plain, doubtful=False) <= score(compared, doubtful=False) < 1


@pytest.mark.parametrize(
    ("share", "meaning", "sure"),
    [
        (0.4, None, True),
        (0.39, None, False),
        (0.5, 0.1, False),
        (0.5, NEAR_IN_MEANING, True),
        (0.8, -0.2, True),
        (0.0, SURE_OF_MEANING, True),
        (0.3, 0.39, False),
    ],
)
def test_some_words_are_no_answer_where_the_meaning_is_another(share, meaning, sure):
    assert is_sure(Fit(share=share, meaning=meaning)) is sure


@given(share=shares, less=cosines, more=cosines)
def test_more_likeness_never_makes_an_answer_less_sure(share, less, more):
    less, more = sorted((less, more))

    assert is_sure(Fit(share=share, meaning=less)) <= is_sure(Fit(share=share, meaning=more))
