"""The forms of YAML that entries are written in."""

from __future__ import annotations

import pytest
import yaml

from git_knowl.model.yaml_reader import read_yaml
from git_knowl.model.yaml_words import YamlError
from git_knowl.model.yaml_writer import write_yaml


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({}, ""),
        ({"a": []}, "a: []\n"),
        ({"a": {}}, "a: {}\n"),
        ({"a": [[], {}]}, "a:\n- []\n- {}\n"),
        ({"a": {"b": 1}}, "a:\n  b: 1\n"),
        ({"a": {"b": {"c": 1}}}, "a:\n  b: {c: 1}\n"),
        ({"a": [{"b": 1, "c": {"d": [2, None]}}]}, "a:\n- b: 1\n  c: {d: [2, null]}\n"),
        ({"a": [{"b": [{"c": True}, {}]}]}, "a:\n- b:\n  - {c: true}\n  - {}\n"),
    ],
)
def test_two_levels_are_blocks_and_the_rest_stands_on_one_line(value: object, text: str) -> None:
    assert write_yaml(value) == text
    assert read_yaml(text) == (value or None)


@pytest.mark.parametrize(
    "text",
    ["Ada <a@b.org>", "src/chat/list.vue", "_x", "/x", "it's (2)", "a-b + c", "ünï 😀", "sha512-x"],
)
def test_ordinary_text_is_not_quoted(text: str) -> None:
    assert write_yaml({"a": text, "b": [text]}) == f"a: {text}\nb: [{text}]\n"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " a",
            "a ",
            "a: b",
            "a:",
            "a #",
            "- a",
            "?",
            "a?",
            "*a",
            "a,b",
            "[a",
            "{a",
            "'a",
            "%a",
        ),
        *("1", "-1", ".5", "0e12345", "1e3", "deadbeef", "01k4zzzzzzzzzzzzzzzzzzzzzz"),
        *("NO", "Null", "~", "y", "true", "2026-11-29", "<<", "="),
    ],
)
def test_text_that_a_parser_could_take_for_something_else_is_quoted(text: str) -> None:
    written = write_yaml({"a": text, "b": [text]})

    assert written == f'a: "{text}"\nb: ["{text}"]\n'
    assert yaml.safe_load(written) == {"a": text, "b": [text]}


def test_quotes_backslashes_lines_and_invisible_characters_are_escaped() -> None:
    text = '"\\\n\t\r\x00\x85\u2028\ufeff\u200b\U000e0041'

    assert write_yaml({"a": text}) == (
        r'a: "\"\\\n\t\x0d\x00\x85\u2028\ufeff\u200b\U000e0041"' + "\n"
    )
    assert read_yaml(write_yaml({"a": text})) == {"a": text}


@pytest.mark.parametrize("value", [1.5, b"x", object()], ids=lambda value: type(value).__name__)
def test_value_of_another_type_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        write_yaml({"a": value})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: true", True),
        ("a: false", False),
        ("a: null", None),
        ("a: ~", None),
        ("a:", None),
        ("a: 0", 0),
        ("a: -17", -17),
        ("a: 999999999999999999", 999999999999999999),
        ("a: 1000000000000000000", "1000000000000000000"),
        ("a: -0", "-0"),
        ("a: +1", "+1"),
        ("a: 007", "007"),
        ("a: 1.0", "1.0"),
        ("a: True", "True"),
        ("a: off", "off"),
        ("a: 'true'", "true"),
        ('a: "1"', "1"),
        ("a: |\n  x\n  y\n", "x\ny\n"),
        ("a: >-\n  x\n  y\n", "x y"),
        ("a: b # c", "b"),
    ],
)
def test_plain_words_are_resolved_in_one_spelling_each(text: str, value: object) -> None:
    assert read_yaml(text) == {"a": value}


def test_second_document_is_refused() -> None:
    with pytest.raises(YamlError, match="a second document in line 3"):
        read_yaml("a: 1\n--- {b: 2}")
