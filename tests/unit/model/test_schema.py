"""Published schemas, and payloads checked with them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from git_knowl.model import schema
from git_knowl.model.entry import SOURCE_KINDS
from git_knowl.model.schema import UnknownSchemaError

ID = "01k4zzzzzzzzzzzzzzzzzzzzzz"
DIGEST = "a" * 64
KEBAB = "kebab-case (lower-case letters and digits, joined by single hyphens)"
PROSE = "text without control characters but line feed and tab"
PATH = "a path from the top of the work tree"
ANCHOR_KINDS = "file, symbol, snippet, tree, package, url, commit, entry"
KINDS = "one of capture, update, retire, discard, guideline"
ENTRY_KEYS = (
    "name, description, type, body, anchors, source, provenance, depends_on, supersedes, tags"
)
ANCHOR = (
    "file:PATH, symbol:PATH#QUALIFIED.NAME, snippet:PATH:FROM-TO, tree:PATHSPEC,"
    " package:TYPE/NAME[!LOCKFILE], url:[DAYSd:]URL, commit:REV or entry:NAME"
)
LINE = "one line without control or invisible characters"


def item(**entry: Any) -> dict[str, Any]:
    """Return a capture item with some fields of its entry changed; None leaves one out."""
    whole = {"name": "a-b", "description": "Read it", "type": "project", "body": "x", **entry}
    kept = {key: value for key, value in whole.items() if value is not None}
    return {"kind": "capture", "flags": [ID], "entry": kept}


def captured(*items: Any) -> list[str]:
    return schema.check("capture", {"items": list(items)})


@pytest.mark.parametrize("name", schema.names())
def test_schema_is_a_valid_one_that_names_itself(name: str) -> None:
    published = schema.schema(name)

    Draft202012Validator.check_schema(published)
    assert published["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert published["$id"] == f"urn:git-knowl:schema:1:{name}"
    assert json.loads(json.dumps(published)) == published


def test_names_of_all_doors_are_there() -> None:
    assert set(schema.names()) >= {
        *("entry", "flag", "draft", "anchor"),
        *("capture", "update", "retire", "discard", "guideline"),
        *("ls", "audit", "why", "search", "show", "inbox", "write"),
    }


def test_unknown_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownSchemaError, match=r"expected one of agents, .*, got 'x'"):
        schema.schema("x")


def test_every_kind_of_item_passes() -> None:
    items = [
        item(
            anchors=["file:lib/cart.ts", {"kind": "url", "url": "https://example.org"}],
            source={"kind": "quote", "quote": "from now\non"},
            depends_on=["other", {"name": "third", "id": ID}],
            tags=["cart"],
        ),
        {"kind": "update", "name": "a", "expected": DIGEST, "entry": {"body": "y", "tags": None}},
        {"kind": "retire", "name": "a", "expected": DIGEST, "reason": "gone"},
        {"kind": "discard", "flags": [ID], "reason": "cheap to find"},
        {"kind": "guideline", "flags": [], "text": "Use pnpm.", "reason": "a convention"},
    ]
    for each in items:
        each["tests"] = {"derivable": "no", "reused": True}

    assert captured(*items) == []


def test_plain_validator_accepts_what_passes_and_refuses_what_does_not() -> None:
    validator = Draft202012Validator(schema.schema("capture"))

    assert validator.is_valid({"items": [item()]})
    assert not validator.is_valid({"items": [item(name="../x")]})


def test_bad_payload_is_told_field_by_field() -> None:
    bad = item(name="../x", description="a\nb", type="idea", body="")

    assert captured(bad) == [
        f"items.0.entry.name: expected {KEBAB}, got '../x'",
        f"items.0.entry.description: expected {LINE}, got 'a\\nb'",
        "items.0.entry.type: expected one of project, reference, feedback, got 'idea'",
        f"items.0.entry.body: expected {PROSE}, got ''",
    ]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (5, "items.0: expected an object, got 5"),
        (
            {},
            f"items.0.kind: expected {KINDS}, got nothing",
        ),
        (
            {"kind": "captrue"},
            f"items.0.kind: expected {KINDS}, got 'captrue'",
        ),
        ({"kind": "capture"}, "items.0.entry: expected an object, got nothing"),
        (item(name=None), f"items.0.entry.name: expected {KEBAB}, got nothing"),
        (item(name=7), f"items.0.entry.name: expected {KEBAB}, got 7"),
        (item(name="a\n"), f"items.0.entry.name: expected {KEBAB}, got 'a\\n'"),
        (item(name="a" * 121), "items.0.entry.name: expected at most 120 characters, got 121"),
        (
            item(description="\u202ea"),
            f"items.0.entry.description: expected {LINE}, got '\\u202ea'",
        ),
        (item(description=" "), f"items.0.entry.description: expected {LINE}, got ' '"),
        (
            item(body="x" * 20_001),
            "items.0.entry.body: expected at most 20000 characters, got 20001",
        ),
        (
            item(body="a\x00"),
            f"items.0.entry.body: expected {PROSE}, got 'a\\x00'",
        ),
        (
            item(titel="x"),
            f"items.0.entry.titel: expected one of the keys {ENTRY_KEYS}, got 'titel'",
        ),
        (item(anchors="file:x"), "items.0.entry.anchors: expected a list, got 'file:x'"),
        (item(anchors=["file:x"] * 21), "items.0.entry.anchors: expected at most 20 items, got 21"),
        (item(anchors=[5]), "items.0.entry.anchors.0: expected text or an object, got 5"),
        (
            item(anchors=["x"]),
            f"items.0.entry.anchors.0: expected {ANCHOR}, got 'x'",
        ),
        (
            item(anchors=[{"kind": "mood", "path": "x"}]),
            f"items.0.entry.anchors.0.kind: expected one of {ANCHOR_KINDS}, got 'mood'",
        ),
        (
            item(anchors=["file:x", {"kind": "file", "path": "../x"}]),
            f"items.0.entry.anchors.1.path: expected {PATH}, got '../x'",
        ),
        (
            item(anchors=[{"kind": "url", "url": "https://x.org", "max_age_days": 0}]),
            "items.0.entry.anchors.0.max_age_days: expected a number from 1 up, got 0",
        ),
        (
            item(anchors=[{"kind": "url", "url": "https://x.org", "max_age_days": 4000}]),
            "items.0.entry.anchors.0.max_age_days: expected at most 3650, got 4000",
        ),
        (
            item(anchors=[{"kind": "url", "url": "https://x.org", "max_age_days": 1.5}]),
            "items.0.entry.anchors.0.max_age_days: expected a whole number, got 1.5",
        ),
        (item(source="me"), "items.0.entry.source: expected an object or null, got 'me'"),
        (
            item(source={"kind": "dream"}),
            f"items.0.entry.source.kind: expected one of {', '.join(SOURCE_KINDS)}, got 'dream'",
        ),
        (item(depends_on=[5]), "items.0.entry.depends_on.0: expected text or an object, got 5"),
        (
            {**item(), "tests": {"reused": 1}},
            "items.0.tests.reused: expected text or true or false, got 1",
        ),
        (
            {**item(), "tests": {f"t{n}": "x" for n in range(21)}},
            "items.0.tests: expected at most 20 keys, got 21",
        ),
        (
            {"kind": "discard", "flags": [], "reason": "x"},
            "items.0.flags: expected 1 or more items, got 0",
        ),
        (
            {"kind": "retire", "name": "a", "expected": "a\n", "reason": "x"},
            "items.0.expected: expected 64 hex digits, got 'a\\n'",
        ),
    ],
)
def test_message_names_path_expectation_and_what_was_found(given: Any, message: str) -> None:
    assert captured(given) == [message]


@pytest.mark.parametrize(
    ("payload", "found"), [([], "a list"), ("x", "'x'"), (None, "null"), (5, "5"), (True, "true")]
)
def test_payload_that_is_no_object_is_refused(payload: object, found: str) -> None:
    assert schema.check("capture", payload) == [f"payload: expected an object, got {found}"]


def test_submission_without_items_is_refused() -> None:
    assert schema.check("capture", {}) == ["items: expected a list, got nothing"]
    assert schema.check("capture", {"items": []}) == ["items: expected 1 or more items, got 0"]


def test_deeply_nested_payload_is_refused_and_quoted_shortly() -> None:
    nested = json.loads("[" * 900 + "]" * 900)

    assert schema.check("capture", nested) == ["payload: expected an object, got a list"]


def test_update_of_a_named_entry_needs_neither_kind_nor_name() -> None:
    assert schema.check("update", {"expected": DIGEST, "entry": {"body": "x"}}) == []
    assert (
        schema.check("update", {"kind": "update", "name": "a", "expected": DIGEST, "entry": {}})
        == []
    )
    assert schema.check("update", {"entry": {}}) == [
        "expected: expected 64 hex digits, got nothing"
    ]


def test_flag_is_a_summary_and_what_belongs_to_it() -> None:
    assert (
        schema.check("flag", {"summary": "x", "paths": ["a/b"], "cue": "cost", "quote": None}) == []
    )
    assert schema.check("flag", {"summary": "x", "cue": "joy"}) == [
        "cue: expected one of surprise, cost, directive, background, got 'joy'"
    ]


def test_anchor_is_text_or_an_object() -> None:
    assert schema.check("anchor", "file:x") == []
    assert schema.check("anchor", {"kind": "package", "purl": "pkg:npm/x", "lockfile": None}) == []
    assert schema.check("anchor", 7) == ["payload: expected text or an object, got 7"]


def test_frontmatter_may_hold_keys_and_anchors_of_a_newer_program() -> None:
    fields = {
        "name": "a",
        "id": ID,
        "description": "x",
        "type": "project",
        "created": "2026-11-29T10:00:00Z",
        "updated": "2026-11-29T10:00:00Z",
        "later": 1,
        "anchors": [{"kind": "hologram", "depth": 3}, {"kind": "file", "path": "a", "later": 2}],
    }

    assert schema.check("entry", fields) == []
    (message,) = schema.check("entry", {**fields, "anchors": [{}]})
    kinds = ANCHOR_KINDS.replace("entry", "a kind of a newer program")
    assert message == f"anchors.0.kind: expected one of {kinds}, got nothing"


def line(**more: Any) -> dict[str, Any]:
    anchor = {
        "kind": "file",
        "target": "file:lib/cart.ts",
        "status": "suspect",
        "reason": "content changed",
        "expected": "a",
        "found": "b",
        "commit": None,
        "author": None,
        "moved_to": None,
    }
    return {
        "name": "a",
        "id": ID,
        "type": "project",
        "description": "x",
        "status": "suspect",
        "digest": DIGEST,
        "anchors": [anchor],
        "lane": "shared",
        "tier": "reviewed",
        "conflict": False,
        "updated": "2026-11-29T10:00:00Z",
        **more,
    }


@pytest.mark.parametrize(
    ("name", "output"),
    [
        ("ls", {"format": 1, "entries": [line()]}),
        ("why", {"format": 1, "entries": []}),
        (
            "audit",
            {
                "format": 1,
                "entries": [line()],
                "changed": [{"name": "a", "from": "active", "to": "suspect", "commit": None}],
            },
        ),
        ("search", {"format": 1, "confident": True, "entries": [line(score=0.5), line(score=7)]}),
        (
            "show",
            line(
                format=1,
                body="x",
                source=None,
                reviewed={"by": "A", "at": "2026-11-29T10:00:00Z", "how": "web"},
                provenance="observed",
                history=[],
            ),
        ),
        ("inbox", {"format": 1, "flags": [], "drafts": []}),
        ("write", {"ok": True, "ids": [ID]}),
        ("write", {"ok": True, "ids": [ID], "id": ID, "drafts": []}),
    ],
)
def test_output_shapes_of_the_contract_pass(name: str, output: dict[str, Any]) -> None:
    assert schema.check(name, output) == []


def test_output_that_lacks_a_key_is_found() -> None:
    short = line()
    del short["tier"]

    assert schema.check("ls", {"format": 1, "entries": [short]}) == [
        "entries.0.tier: expected text, got nothing"
    ]
