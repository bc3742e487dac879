"""Near-duplicates are found among few and among many candidates."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from git_knowl.services.filters import duplicates
from git_knowl.services.filters.duplicates import similar

LINT = "never run the full lint, an uncached run takes three minutes"
OTHERS = {
    "theme": "every text part looks the theme up by itself, so long sessions render slowly",
    "budget": "all clients draw on one retry budget",
}
MANY = {
    f"other-{n}": f"module number{n} reads setting{n % 97} before handler{n % 89} starts"
    for n in range(2_000)
}


def test_a_paraphrase_is_found_and_another_topic_is_not():
    found = similar(
        "do not run the full lint: uncached it takes three minutes", {"lint": LINT, **OTHERS}, 3
    )

    assert [key for key, _score in found] == ["lint"]
    assert found[0][1] >= 70


def test_the_best_comes_first_and_no_more_than_asked_for():
    candidates = {"near": LINT + " on a cold cache", "same": LINT.upper(), "far": OTHERS["budget"]}

    assert [key for key, _score in similar(LINT, candidates, 1)] in (["near"], ["same"])
    assert {key for key, _score in similar(LINT, candidates, 5)} == {"near", "same"}


def test_the_floor_decides_what_counts_as_near():
    candidates = {"half": "never run the full build"}

    assert similar(LINT, candidates, 3, floor=95) == []
    assert similar(LINT, candidates, 3, floor=40) != []


def test_punctuation_and_case_do_not_matter():
    assert similar("Never run: THE full-lint!", {1: "never run the full lint"}, 1) == [(1, 100)]


def test_nothing_is_like_an_empty_text_or_an_empty_store():
    assert similar("", {"lint": LINT}, 3) == []
    assert similar(LINT, {}, 3) == []


def test_a_paraphrase_is_found_among_thousands():
    candidates = {**MANY, "lint": LINT}

    assert (
        similar("the full lint takes three minutes uncached, never run it", candidates, 3)[0][0]
        == "lint"
    )


def test_text_without_spaces_is_found_among_thousands():
    candidates = {**MANY, "budget": "重试预算是三次，超过以后返回错误"}

    assert similar("重试预算为三次，超过后返回错误", candidates, 1)[0][0] == "budget"


def test_a_text_of_short_words_is_compared_with_none_of_too_many():
    assert similar("it is so", MANY, 3) == []


@given(st.lists(st.sampled_from([*sorted(OTHERS.values()), LINT, "x y z"]), max_size=4), st.text())
@settings(deadline=None)
def test_scores_are_between_the_floor_and_a_hundred_and_sorted(texts, text):
    found = similar(text, dict(enumerate(texts)), 10)
    scores = [score for _key, score in found]

    assert scores == sorted(scores, reverse=True)
    assert all(duplicates.FLOOR <= score <= 100 for score in scores)
