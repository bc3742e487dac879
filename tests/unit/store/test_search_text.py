"""How text becomes words: scripts without spaces, identifiers, questions of any kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_knowl.store.search_text import (
    LONGEST_QUESTION,
    MOST_WORDS,
    correctable,
    index_text,
    question_identifiers,
    question_words,
)


def tokens(text):
    return index_text(text)[0].split()


def test_prose_is_indexed_as_it_stands():
    text = "Read before touching the cart, twice."

    assert index_text(text)[0] == text


@pytest.mark.parametrize(
    ("written", "tokens_added"),
    [
        ("retryBudget", ["Budget", "retry", "retrybudget"]),
        ("retry_budget", ["retrybudget"]),
        ("retry-budget", ["retrybudget"]),
        ("src/chat/list.vue", ["srcchatlistvue"]),
        ("HTTPServer", ["HTTP", "Server", "httpserver"]),
        ("NW-1040", ["nw1040"]),
        ("sha256", []),
        ("URLs", []),
        ("Cart", []),
    ],
)
def test_an_identifier_is_found_whole_and_in_parts(written, tokens_added):
    assert tokens(written) == [written, *tokens_added]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("重试预算", ["重试", "试预", "预算", "算"]),
        ("算", ["算", "算"]),
        ("用pnpm安装", ["用", "用", "pnpm", "安装", "装"]),
        ("リトライ", ["リト", "トラ", "ライ", "イ"]),
        ("재시도", ["재시", "시도", "도"]),
        ("\uff21\uff22", ["AB"]),
    ],
)
def test_scripts_without_spaces_become_pairs(written, expected):
    assert tokens(written) == expected


def test_a_question_is_cut_into_the_words_of_the_index():
    asked = question_words("why does retryBudget 重试预算 fail in src/chat_list.vue? École")

    assert asked == [
        *("why", "does", "retry", "budget", "重试", "试预", "预算", "fail", "in"),
        *("src", "chat", "list", "vue", "école"),
    ]


def test_identifiers_of_a_question_are_joined_as_in_the_index():
    asked = "retryBudget and retry-budget in src/chat.vue 重试"

    assert question_identifiers(asked) == ["retrybudget", "srcchatvue"]


def test_long_questions_are_cut():
    assert len(question_words("word ".join(map(str, range(9999))))) == MOST_WORDS
    assert question_words("x" * 99_999) == ["x" * LONGEST_QUESTION]


def test_only_words_are_worth_correcting():
    chunks = index_text("The cart-total of cartTotals in 20261129 and URLs")[1]

    assert correctable(chunks) == {"cart", "total", "totals", "urls"}


@given(st.text())
def test_any_text_can_be_indexed_and_asked(text):
    index_text(text)

    for word in question_words(text) + question_identifiers(text):
        assert word
        assert not set(word) & set(' "*()^:\0')
