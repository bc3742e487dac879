"""What search finds, in which order, and when it says that nothing fits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from git_knowl.model.anchor import FileAnchor, PackageAnchor
from git_knowl.model.entry import LOCAL, SHARED
from git_knowl.model.status import SUSPECT
from git_knowl.services.search import search
from tests.support.builders import RepoBuilder
from tests.support.caches import cache_of, plant
from tests.support.stores import entry, open_store

ENTRIES = [
    entry(
        "message-list-per-instance-cost",
        1,
        description="Read before touching the message list: each part is its own renderer",
        body="Every text part mounts a renderer of its own. Why: streaming. Never key by index.\n",
        anchors=(FileAnchor("src/chat/list.vue"),),
        tags=("performance",),
    ),
    entry(
        "retry-budget",
        2,
        description="Outgoing calls share one retryBudget per minute",
        body="Der Haushalt für Wiederholungen. 重试预算每分钟一次。 Naïve clients exhaust it.\n",
        anchors=(FileAnchor("src/net/client.ts"),),
    ),
    entry(
        "markstream-version",
        3,
        type="reference",
        description="The markdown renderer drops tables before 1.3",
        body="Tables vanish. The renderer is replaced when the package is upgraded.\n",
        anchors=(PackageAnchor("pkg:npm/markstream-vue", "pnpm-lock.yaml"),),
    ),
    entry(
        "no-direct-lint",
        4,
        type="feedback",
        description="Run the checks through the task runner",
        body="Why: caches. The linter alone gives other results than the pipeline.\n",
        anchors=(),
    ),
    entry("renderer", 5, description="What draws a part", body="See the canvas.\n", anchors=()),
]
NAMES = {item.id: item.name for item in ENTRIES}


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """Give the cache of one store for all questions."""
    store = open_store(RepoBuilder.start(tmp_path_factory.mktemp("search")))
    plant(store, SHARED, *ENTRIES)
    return cache_of(store)


def found(cache, question, **options):
    return [NAMES[hit.id] for hit in search(cache, question, **options).hits]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("message list", "message-list-per-instance-cost"),
        ("mounting renderers while streaming", "message-list-per-instance-cost"),
        ("performance", "message-list-per-instance-cost"),
        ("retryBudget", "retry-budget"),
        ("retry_budget", "retry-budget"),
        ("naive client", "retry-budget"),
        ("wiederholungen", "retry-budget"),
        ("重试", "retry-budget"),
        ("钟", "retry-budget"),
        ("次", "retry-budget"),
        ("markstream-vue", "markstream-version"),
        ("why do we not run the linter alone?", "no-direct-lint"),
    ],
)
def test_questions_in_words_find_their_entry_first(cache, question, first):
    results = search(cache, question)

    assert NAMES[results.hits[0].id] == first
    assert results.confident


@pytest.mark.parametrize(
    "question", ["renderer", "Renderer", ENTRIES[4].id, ENTRIES[4].id.upper(), " renderer "]
)
def test_an_exact_name_or_id_comes_first_with_the_highest_score(cache, question):
    hits = search(cache, question).hits

    assert (NAMES[hits[0].id], hits[0].score) == ("renderer", 1.0)
    assert all(hit.score < 1 for hit in hits[1:])


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("src/chat/list.vue", "message-list-per-instance-cost"),
        ("./src/chat/list.vue", "message-list-per-instance-cost"),
        ("src/chat/", "message-list-per-instance-cost"),
        ("what about the renderer in src/net/client.ts", "retry-budget"),
        ("pnpm-lock.yaml", "markstream-version"),
    ],
)
def test_an_exact_path_comes_first(cache, question, first):
    hits = search(cache, question).hits

    assert (NAMES[hits[0].id], hits[0].score) == (first, 1.0)


@pytest.mark.parametrize(
    ("question", "first", "meant"),
    [
        ("mesage list", "message-list-per-instance-cost", ("mesage", "message")),
        ("retri budgett", "retry-budget", ("budgett", "budget")),
        ("markstraem", "markstream-version", ("markstraem", "markstream")),
        ("message lsit", "message-list-per-instance-cost", ("lsit", "list")),
    ],
)
def test_misspelt_words_are_forgiven_and_told(cache, question, first, meant):
    results = search(cache, question)

    assert NAMES[results.hits[0].id] == first
    assert results.corrected[meant[0]][0] == meant[1]


@pytest.mark.parametrize(
    "question",
    [
        "sourdough bread",
        "kubernetes pod eviction",
        "天気予報",
        "zzzzzz",
        "",
        "   ",
        "?!",
        "the of and",
    ],
)
def test_nothing_fits_is_said_and_nothing_shown(cache, question):
    results = search(cache, question)

    assert (results.hits, results.confident) == ((), False)


def test_little_cover_is_shown_without_confidence(cache):
    results = search(cache, "the streaming of tenants")

    assert [NAMES[hit.id] for hit in results.hits] == ["message-list-per-instance-cost"]
    assert not results.confident


def test_no_more_than_the_limit_is_returned(cache):
    assert len(found(cache, "renderer")) > 1
    assert found(cache, "renderer", limit=1) == ["renderer"]


def test_doubtful_entries_rank_behind_equals(tmp_path):
    store = open_store(RepoBuilder.start(tmp_path))
    twins = [entry(f"cart-{at}", at, body="Totals are rounded down.\n") for at in (1, 2)]
    plant(store, SHARED, *twins)
    cache = cache_of(store)

    def suspected(ids):
        return {one: SUSPECT for one in ids if one == twins[0].id}

    plain = [hit.id for hit in search(cache, "totals rounded").hits]
    doubted = [hit.id for hit in search(cache, "totals rounded", judge=suspected).hits]

    assert plain == [twins[0].id, twins[1].id]
    assert doubted == [twins[1].id, twins[0].id]


def test_only_what_is_live_is_found_and_once(tmp_path):
    store = open_store(RepoBuilder.start(tmp_path))
    plant(store, SHARED, ENTRIES[1])
    plant(store, LOCAL, replace(ENTRIES[1], body="Only the local copy speaks of penguins.\n"))
    cache = cache_of(store)

    assert [hit.id for hit in search(cache, "retry budget").hits] == [ENTRIES[1].id]
    assert search(cache, "penguins").hits == ()


def test_an_empty_store_answers(tmp_path):
    cache = cache_of(open_store(RepoBuilder.start(tmp_path)))

    assert search(cache, "anything at all").hits == ()


SYNTAX = [
    '"',
    "'",
    '"" OR ""',
    "name:renderer",
    "a NEAR b",
    "(",
    "*",
    "^",
    "-",
    "\0",
    "a\0b",
    "AND",
]


@pytest.mark.parametrize("question", SYNTAX)
def test_syntax_of_the_index_means_nothing(cache, question):
    search(cache, question)
    search(cache, f"{question} renderer {question}")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    question=st.one_of(st.text(), st.lists(st.sampled_from([*SYNTAX, "renderer"])).map(" ".join))
)
def test_any_question_is_answered(cache, question):
    results = search(cache, question)

    scores = [hit.score for hit in results.hits]
    assert scores == sorted(scores, reverse=True)
    assert len({hit.id for hit in results.hits}) == len(results.hits)


def test_a_question_of_half_characters_is_answered(cache):
    assert search(cache, "\udcff\ud800").hits == ()
    assert search(cache, "x" * 1_000_000).hits == ()
