"""The document, for any entry and any bytes."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from git_knowl.model import rules, schema
from git_knowl.model.anchor import ForeignAnchor, SnippetAnchor, UrlAnchor, accepting
from git_knowl.model.document import DocumentError, parse, render
from git_knowl.model.fields import from_fields, to_fields
from git_knowl.model.yaml_reader import read_yaml
from git_knowl.model.yaml_words import LONGEST_KEY, YamlError
from git_knowl.model.yaml_writer import write_yaml
from tests.support import stores
from tests.support.strategies import entries, paths, plain_values, quotes

if TYPE_CHECKING:
    from git_knowl.model.anchor import Anchor
    from git_knowl.model.entry import Entry


@given(entries())
def test_parsing_what_was_rendered_gives_the_same_entry(entry: Entry) -> None:
    assert parse(render(entry)) == entry


@given(entries())
def test_rendering_what_was_parsed_gives_the_same_bytes(entry: Entry) -> None:
    document = render(entry)

    assert render(parse(document)) == document


@given(entries())
def test_crlf_and_byte_order_mark_are_read_as_if_they_were_not_there(entry: Entry) -> None:
    document = render(entry)

    assert parse(b"\xef\xbb\xbf" + document.replace(b"\n", b"\r\n")) == entry


@given(entries())
def test_entry_of_a_json_record_is_the_same_entry(entry: Entry) -> None:
    record = json.loads(json.dumps(to_fields(entry)))

    assert from_fields(record, entry.body) == entry


@given(entries())
def test_rules_and_published_schema_accept_the_same_entries(entry: Entry) -> None:
    fields = json.loads(json.dumps(to_fields(entry)))

    assert rules.validate(entry) == []
    assert schema.check("entry", fields) == []


@given(entries())
def test_digest_leaves_fingerprints_times_reviewer_and_unknown_keys_out(entry: Entry) -> None:
    bare = replace(
        entry,
        id="0" * 26,
        created="later",
        updated="later",
        rev=entry.rev + 1,
        as_of=None,
        patch_id=None,
        anchors=tuple(map(without_fingerprints, entry.anchors)),
        depends_on=tuple(map(without_fingerprints, entry.depends_on)),
        provenance="inferred",
        reviewed=None,
        promoted=None,
        related=(),
        supersedes=(),
        extra={},
    )

    assert bare.digest == entry.digest


def without_fingerprints(anchor: Anchor) -> Anchor:
    match anchor:
        case UrlAnchor():
            return replace(anchor, verified="2026-11-29T10:00:00Z", extra={})
        case ForeignAnchor():
            return anchor
        case _:
            return replace(accepting(anchor, ()), extra={})


@given(entries(), st.text(st.characters(codec="utf-8"), min_size=1))
def test_digest_changes_with_the_text(entry: Entry, more: str) -> None:
    assert replace(entry, body=entry.body + more).digest != entry.digest
    assert replace(entry, description=entry.description + more).digest != entry.digest
    assert replace(entry, tags=(*entry.tags, more)).digest != entry.digest


@given(entries(), paths(), quotes(), quotes())
def test_digest_changes_with_the_lines_a_snippet_quotes(
    entry: Entry, path: str, one: str, other: str
) -> None:
    def quoting(quote: str) -> str:
        return replace(entry, anchors=(SnippetAnchor(path, quote, 3),)).digest

    assert (quoting(one) == quoting(other)) == (one == other)


@given(st.binary(max_size=300))
def test_arbitrary_bytes_raise_nothing_but_a_document_error(data: bytes) -> None:
    parses_or_is_refused(data)


@given(st.binary(max_size=200), st.binary(max_size=50))
def test_arbitrary_frontmatter_raises_nothing_but_a_document_error(
    block: bytes, body: bytes
) -> None:
    parses_or_is_refused(b"---\n" + block + b"\n---\n" + body)


@given(entries(), st.data())
def test_damaged_document_raises_nothing_but_a_document_error(
    entry: Entry, data: st.DataObject
) -> None:
    document = bytearray(render(entry))
    place = data.draw(st.integers(0, len(document) - 1))
    document[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))

    parses_or_is_refused(bytes(document))


def parses_or_is_refused(data: bytes) -> None:
    try:
        entry = parse(data)
    except DocumentError:
        return

    assert parse(render(entry)) == entry


@given(st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=20), plain_values()))
def test_every_plain_value_survives_its_yaml(value: dict[str, Any]) -> None:
    assert read_yaml(write_yaml(value)) == (value or None)


@given(st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=20), plain_values()))
def test_other_readers_of_yaml_see_the_same_value(value: dict[str, Any]) -> None:
    """The libraries' own loaders resolve dates, octals, floats and merge keys; ours are quoted."""
    text = write_yaml(value)

    assert yaml.safe_load(text) == (value or None)


@given(st.text(max_size=100))
def test_arbitrary_text_is_yaml_or_a_yaml_error(text: str) -> None:
    with suppress(YamlError):
        read_yaml(text)


@given(
    entries(),
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=12),
    st.integers(1, 120),
    st.sampled_from(("entry", "inside", "source")),
)
def test_a_key_of_any_length_is_read_back_or_refused_by_name(
    entry: Entry, part: str, times: int, place: str
) -> None:
    key = f"x{part * times}"
    fields: dict[str, Any] = {"source": {"kind": "task", "ref": "7"}, **to_fields(entry)}
    fields["x"] = {"list": [{}]}
    holder = {"entry": fields, "inside": fields["x"]["list"][0], "source": fields["source"]}[place]
    holder[key] = True
    record = json.loads(json.dumps(fields))

    if len(key) > LONGEST_KEY:
        with pytest.raises(DocumentError, match="expected keys of at most 100 characters, got 'x"):
            from_fields(record, entry.body)
    else:
        found = from_fields(record, entry.body)
        assert parse(render(found)) == found


def test_what_has_a_long_key_all_the_same_is_not_written() -> None:
    made = replace(stores.entry("cart"), extra={"k" * 1_025: 1})

    with pytest.raises(DocumentError, match="got a key of 1025 characters"):
        render(made)
