"""The short cut of reading frontmatter gives what the parser gives, or nothing."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from git_knowl.model import yaml_reader
from git_knowl.model.document import render
from git_knowl.model.fences import load, split
from git_knowl.model.yaml_quick import read_quick
from git_knowl.model.yaml_reader import read_yaml
from git_knowl.model.yaml_words import YamlError
from git_knowl.model.yaml_writer import write_yaml
from tests.support.strategies import entries, plain_values

if TYPE_CHECKING:
    from git_knowl.model.entry import Entry

#: Pieces of lines, right ones and such as change what a line means.
PIECES = st.sampled_from(
    [
        *(
            "a",
            "b",
            "key",
            "x_1",
            "null",
            "true",
            "~",
            "0",
            "-12",
            "007",
            "1e3",
            "0x1f",
            "12345678",
        ),
        *(
            "",
            " ",
            "  ",
            "    ",
            "\t",
            "\n",
            "\n\n",
            "\n  ",
            "\n- ",
            "\n  - ",
            "- ",
            "-",
            "--- ",
            "...",
        ),
        *(": ", ":", ", ", ",", "{", "}", "[", "]", "[]", "{}", "{a: b}", "[a, b]"),
        *(
            '"',
            "'",
            '"q"',
            '"\\n"',
            '"\\""',
            '"\\x41"',
            "\\",
            "#",
            " # c",
            "&a",
            "*a",
            "!t",
            "|",
            ">",
        ),
        *(
            "?",
            "? ",
            "%",
            "@",
            "`",
            "<<",
            "=",
            "é",
            "漢",
            "🙂",
            "\u00a0",
            "\u2028",
            "\ufeff",
            "\u0085",
        ),
    ]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)
KEYS = st.from_regex(re.compile(r"[a-z_]{1,6}"), fullmatch=True)


def same(text: str) -> bool:
    """Tell whether a text is read quickly, after checking that it comes to the same."""
    quick = read_quick(text)
    if quick is not None:
        assert json.dumps(quick) == json.dumps(read_yaml(text))
    return quick is not None


@given(entries())
def test_frontmatter_of_an_entry_is_read_quickly_to_the_same_value(entry: Entry) -> None:
    block, _ = split(render(entry).decode())

    same(block)


@given(st.dictionaries(KEYS, plain_values(), max_size=4))
def test_whatever_the_writer_writes_is_read_to_the_same_value(fields: dict[str, Any]) -> None:
    same(write_yaml(fields))


@given(entries(), st.data())
def test_a_damaged_document_is_read_to_the_same_value(entry: Entry, data: st.DataObject) -> None:
    block, _ = split(render(entry).decode())
    at = data.draw(st.integers(0, len(block)))
    length = data.draw(st.integers(0, 8))

    same(block[:at] + data.draw(TEXTS) + block[at + length :])


@given(entries(), st.data())
def test_lines_in_another_order_are_read_to_the_same_value(
    entry: Entry, data: st.DataObject
) -> None:
    block, _ = split(render(entry).decode())

    same("\n".join(data.draw(st.permutations(block.split("\n")))))


@given(TEXTS)
@example("a: b\na: c\n")
@example("a: {b: c, b: d}\n")
@example("a:\n- b\n  c: d\n")
@example("a: b\n  c: d\n")
@example("a:\n")
@example("a:\nb: c\n")
@example("a: [b]\n- c\n")
@example("a:\n- b: c\n  b: d\n")
@example("a:\n- b:\n  - c\n  - d\n  e: f\n- g: h\n")
@example("a:\n  b:\n  - c\n- d\n")
def test_any_text_is_read_to_the_same_value(text: str) -> None:
    same(text)
    same(f"a: {text}\n")
    same(f"a: b\nc:\n- d: {text}\n  e: f\n")


@pytest.mark.parametrize("line", ["a: b", "a: 12", 'a: "b: c"', "a: [b, c]", "a: {b: c}", "a: é"])
def test_the_parser_without_libyaml_agrees(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_reader, "Loader", yaml.SafeLoader)

    assert same(f"{line}\n")


def test_an_ordinary_entry_needs_no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = {
        "name": "retry-budget",
        "id": "01k4b2c3d4e5f6g7h8j9k0m1n2",
        "description": 'Read before changing retries: the budget is shared — by "all"',
        "type": "project",
        "created": "2026-11-29T10:00:00Z",
        "rev": 3,
        "anchors": [
            {
                "kind": "file",
                "path": "lib/cart.ts",
                "accepted": [{"text": "ab" * 32, "blob": "sha1:" + "cd" * 20, "dirty": False}],
            },
            {"kind": "url", "url": "https://example.org/a?b=c", "max_age_days": 90},
        ],
        "source": {"kind": "session", "quote": "one\ntwo"},
        "tags": ["retry", "budget"],
    }

    def refuse(*_: object, **__: object) -> None:
        raise YamlError("asked the parser")

    monkeypatch.setattr(yaml, "parse", refuse)

    assert load(write_yaml(fields)) == fields
