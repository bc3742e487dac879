"""Texts as pieces of a vocabulary."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_knowl.services.semantic.wordpiece import numbers, pieces, read_vocabulary, words

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "re", "##try", "retry", "##ing", "budget", "##", "重"]
VOCABULARY = {piece: number for number, piece in enumerate(PIECES)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("retry", ["retry"]),
        ("retrying", ["retry", "##ing"]),
        ("Rétry BUDGET", ["retry", "budget"]),
        ("budget-retry", ["budget", "[UNK]", "retry"]),
        ("重重", ["重", "重"]),
        ("re\u200btry\n", ["retry"]),
        ("reting", ["[UNK]"]),
        ("retry" * 21, ["[UNK]"]),
        ("", []),
    ],
)
def test_a_text_is_cut_into_the_longest_known_pieces(text, expected):
    found = numbers(VOCABULARY, text, 100)

    assert [PIECES[number] for number in found] == ["[CLS]", *expected, "[SEP]"]


def test_a_long_text_is_cut_with_both_ends():
    assert numbers(VOCABULARY, "retry " * 50, 6) == [2, 6, 6, 6, 6, 3]


@given(st.text(max_size=200))
def test_every_text_has_numbers(text):
    found = numbers(VOCABULARY, text, 30)

    assert (found[0], found[-1]) == (2, 3)
    assert len(found) <= 30


@given(st.text())
def test_words_hold_no_blank(text):
    assert all(word and not any(char.isspace() for char in word) for word in words(text))


def test_no_word_is_unknown():
    assert pieces(VOCABULARY, "") == [1]


def test_a_vocabulary_is_numbered_by_its_lines(tmp_path):
    path = tmp_path / "vocab.txt"
    path.write_text("\n".join(PIECES) + "\n", encoding="utf-8")

    assert read_vocabulary(str(path)) == VOCABULARY
