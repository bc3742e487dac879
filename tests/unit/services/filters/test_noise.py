"""Doubts about a flag's text are mechanical, few, and silent about real findings."""

from __future__ import annotations

import pytest

from git_knowl.services.filters.noise import doubts


@pytest.mark.parametrize(
    "text",
    [
        "never run the full lint",
        "do not use GPL",
        "it turns out that the lock is taken twice when the cache is cold",
        "重试预算为三次，超过后返回 503",
        "не запускать полный линт",
        "src/cart.ts: total() doubles above 3 (the tax office wants it so)",
    ],
)
def test_a_finding_raises_no_doubt(text):
    assert doubts(text) == []


@pytest.mark.parametrize(
    "text", ["", "  ", "ok", "fix it", "it is so", "https://example.org/x", "👍"]
)
def test_too_short_a_text_is_doubted(text):
    assert "too short: expected a sentence" in doubts(text)


@pytest.mark.parametrize("text", ["{}[]<>==!! ;; -- ??", "=== --- *** ### a b c +++ |||"])
def test_text_without_words_is_doubted(text):
    assert "hardly any words: looks like output or code" in doubts(text)


@pytest.mark.parametrize(
    "text", ["Let me look at the failing test first", "I'll change the model layer right away"]
)
def test_an_announcement_is_doubted(text):
    assert doubts(text) == ["announces an action: expected what was found out"]
