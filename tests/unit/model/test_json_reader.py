"""JSON as it comes in at a door."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_knowl.model.json_reader import JsonError, read_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(VALUES)
def test_what_was_written_is_read(value: object) -> None:
    assert read_json(json.dumps(value)) == value
    assert read_json(json.dumps(value).encode()) == value


@given(st.text() | st.binary())
def test_whatever_comes_in_is_read_or_refused(text: str | bytes) -> None:
    with suppress(JsonError):
        read_json(text)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"name": 1, "name": 1}', "name"),
        ('{"items": [{"entry": {"body": "a", "type": "x", "body": "b"}}]}', "body"),
        ('{"a": 1, "\\u0061": 2}', "a"),
    ],
)
def test_a_key_that_stands_twice_is_refused_by_name(text: str, key: str) -> None:
    with pytest.raises(JsonError, match=f"the key '{key}' is there twice"):
        read_json(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "a value is missing in line 1, column 1"),
        ("{\n'a': 1}", "a key in double quotes is missing in line 2, column 1"),
        ('{"a" 1}', "a colon is missing"),
        ('["a" 1]', "a comma is missing"),
        ('"a', "a text has no end"),
        ('"a\nb"', "a control character is not escaped"),
        ('"\\x"', "an escape is none"),
        ("1 2", "more follows after the end"),
        ("NaN", "NaN is no number"),
        ("[-Infinity]", "-Infinity is no number"),
        ("1" * 10_000, "a number in it is too long"),
        ("[" * 200_000, "nested too deeply"),
        (b'"\xff"', "it is no UTF-8"),
    ],
)
def test_what_is_wrong_is_told_in_plain_words(text: str | bytes, words: str) -> None:
    with pytest.raises(JsonError) as caught:
        read_json(text)

    assert words in str(caught.value)
    assert "Expecting" not in str(caught.value)
