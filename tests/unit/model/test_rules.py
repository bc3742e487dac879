"""Hard rules keep an entry out, soft ones are told to the reviewer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from git_knowl.model import limits, rules
from git_knowl.model.anchor import (
    EntryLink,
    FileAnchor,
    FileFingerprint,
    ForeignAnchor,
    PackageAnchor,
    PackageFingerprint,
    UrlAnchor,
)
from git_knowl.model.entry import Entry, Promoted, Related, Reviewed, Source

ID = "01k4zzzzzzzzzzzzzzzzzzzzzz"
TIME = "2026-11-29T10:00:00Z"
FILE = FileAnchor("lib/cart.ts")
QUOTE = Source("quote", quote="never run the full lint")


def entry(**fields: Any) -> Entry:
    plain = Entry(
        name="cart-doubles",
        id=ID,
        description="Read before changing the discount rule",
        type="project",
        created=TIME,
        updated=TIME,
        rev=1,
        body="Above three pieces the price doubles.",
        anchors=(FILE,),
    )
    return replace(plain, **fields)


def file_fingerprint(**fields: Any) -> FileFingerprint:
    plain = FileFingerprint(
        text="a" * 64, sha256="b" * 64, blob="sha1:" + "c" * 40, at=TIME, by="Ada", how="web"
    )
    return replace(plain, **fields)


def url(**fields: Any) -> UrlAnchor:
    return replace(UrlAnchor("https://example.org", TIME, 90), **fields)


def fields_of(faults: list[str]) -> list[str]:
    return [fault.partition(": expected ")[0] for fault in faults]


def test_ordinary_entry_has_no_faults_and_no_warnings() -> None:
    assert rules.validate(entry()) == []
    assert rules.warnings(entry()) == []


@pytest.mark.parametrize(
    "name", ["../x", "Cart", "a_b", "a--b", "-a", "a-", "", "a b", "ä", "a\n", "٣", "a" * 121]
)
def test_name_must_be_kebab_case_of_some_length(name: str) -> None:
    (fault,) = rules.validate(entry(name=name))

    assert fault.startswith(("name: expected kebab-case", "name: expected at most 120"))


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"id": ID.upper()}, "id"),
        ({"description": ""}, "description"),
        ({"description": "  "}, "description"),
        ({"description": "a\nb"}, "description"),
        ({"description": "a\x1b[31mb"}, "description"),
        ({"description": "a\u202eb"}, "description"),
        ({"description": "a\u200bb"}, "description"),
        ({"description": "a\u2028b"}, "description"),
        ({"description": "a\ufeffb"}, "description"),
        ({"description": "a\U000e0041b"}, "description"),
        ({"description": "a\U000e0101b"}, "description"),
        ({"description": "a\u3164b"}, "description"),
        ({"description": "x" * 301}, "description"),
        ({"type": "idea"}, "type"),
        ({"created": "2026-11-29"}, "created"),
        ({"updated": "2026-13-29T10:00:00Z"}, "updated"),
        ({"rev": 0}, "rev"),
        ({"body": ""}, "body"),
        ({"body": " \n\t"}, "body"),
        ({"body": "a\x00b"}, "body"),
        ({"body": "a\rb"}, "body"),
        ({"body": "a\x9bb"}, "body"),
        ({"body": "x" * 20_001}, "body"),
        ({"provenance": "heard"}, "provenance"),
        ({"anchors": (FileAnchor("../x"),)}, "anchors.0.path"),
        ({"anchors": (FILE, FileAnchor("/x"))}, "anchors.1.path"),
        ({"anchors": (FileAnchor("a//b"),)}, "anchors.0.path"),
        ({"anchors": (FileAnchor("a/./b"),)}, "anchors.0.path"),
        ({"anchors": (FileAnchor("a/"),)}, "anchors.0.path"),
        ({"anchors": (FileAnchor(".GIT/config"),)}, "anchors.0.path"),
        ({"anchors": (FileAnchor("a\udcff"),)}, "anchors.0.path"),
        ({"anchors": (FileAnchor("x" * 301),)}, "anchors.0.path"),
        ({"anchors": (FILE, FILE)}, "anchors.1"),
        ({"anchors": tuple(FileAnchor(f"f{n}") for n in range(21))}, "anchors"),
        (
            {"anchors": (FileAnchor("a", (file_fingerprint(text="x"),)),)},
            "anchors.0.accepted.0.text",
        ),
        (
            {"anchors": (FileAnchor("a", (file_fingerprint(sha256="x"),)),)},
            "anchors.0.accepted.0.sha256",
        ),
        (
            {"anchors": (FileAnchor("a", (file_fingerprint(blob="x"),)),)},
            "anchors.0.accepted.0.blob",
        ),
        ({"anchors": (FileAnchor("a", (file_fingerprint(at="x"),)),)}, "anchors.0.accepted.0.at"),
        ({"anchors": (FileAnchor("a", (file_fingerprint(by=""),)),)}, "anchors.0.accepted.0.by"),
        ({"anchors": (PackageAnchor("npm/a", "l"),)}, "anchors.0.purl"),
        ({"anchors": (PackageAnchor("pkg:npm/a@1", "l"),)}, "anchors.0.purl"),
        ({"anchors": (PackageAnchor("pkg:npm/a", ""),)}, "anchors.0.lockfile"),
        (
            {
                "anchors": (
                    PackageAnchor(
                        "pkg:npm/a", "l", (PackageFingerprint("a" * 64, "", TIME, "A", "web"),)
                    ),
                )
            },
            "anchors.0.accepted.0.version",
        ),
        ({"anchors": (url(url="ftp://x"),)}, "anchors.0.url"),
        ({"anchors": (url(url="https://a b"),)}, "anchors.0.url"),
        ({"anchors": (url(max_age_days=0),)}, "anchors.0.max_age_days"),
        ({"anchors": (url(max_age_days=3651),)}, "anchors.0.max_age_days"),
        ({"anchors": (url(verified=""),)}, "anchors.0.verified"),
        ({"source": Source("dream", "x")}, "source.kind"),
        ({"source": Source("session")}, "source"),
        ({"source": Source("session", "a\nb")}, "source.ref"),
        ({"source": Source("quote", quote="a\x00")}, "source.quote"),
        ({"source": Source("quote", quote="x" * 2001)}, "source.quote"),
        ({"depends_on": (EntryLink("x", "a"),)}, "depends_on.0.id"),
        ({"depends_on": (EntryLink(ID, "a"),)}, "depends_on.0.id"),
        ({"depends_on": (EntryLink(ID[:-1] + "y", "A"),)}, "depends_on.0.name"),
        ({"supersedes": ("x",)}, "supersedes.0"),
        ({"related": (Related("x", "extends"),)}, "related.0.id"),
        ({"related": (Related(ID, "likes"),)}, "related.0.relation"),
        ({"tags": ("a\nb",)}, "tags.0"),
        ({"tags": ("a", "a")}, "tags.1"),
        ({"tags": ("x" * 61,)}, "tags.0"),
        ({"tags": tuple(f"t{n}" for n in range(21))}, "tags"),
        ({"reviewed": Reviewed("a\nb", TIME, "web")}, "reviewed.by"),
        ({"reviewed": Reviewed("a", "x", "web")}, "reviewed.at"),
        ({"reviewed": Reviewed("a", TIME, "")}, "reviewed.how"),
        ({"promoted": Promoted("../x", "a" * 64)}, "promoted.file"),
        ({"promoted": Promoted("x", "a")}, "promoted.digest"),
    ],
)
def test_what_breaks_a_hard_rule_is_named_by_field(fields: dict[str, Any], field: str) -> None:
    assert fields_of(rules.validate(entry(**fields))) == [field]


@pytest.mark.parametrize(
    "description", ["ünï 😀", "❤️", "日本語", "a — b", "\u00a0x", "x\u3000y", "a" * 300]
)
def test_visible_characters_of_any_script_are_fine(description: str) -> None:
    assert rules.validate(entry(description=description)) == []


def test_lines_and_tabs_of_a_body_and_a_quote_are_fine() -> None:
    fine = entry(body="a\n\tb\n", source=Source("quote", quote="a\n\tb"))

    assert rules.validate(fine) == []


def test_hash_format_of_a_blob_may_be_either() -> None:
    accepted = (file_fingerprint(), file_fingerprint(blob="sha256:" + "d" * 64))

    assert rules.validate(entry(anchors=(FileAnchor("a", accepted),))) == []


def test_anchor_of_an_unknown_kind_is_left_alone() -> None:
    foreign = ForeignAnchor("hologram", {"depth": [1]})

    assert rules.validate(entry(anchors=(foreign, foreign))) == []


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("", {}),
        ("k" * 41, {}),
        ("two words", {}),
        ("holo\x00gram", {}),
        ("entry", {"name": "a\x00b"}),
        ("entry", {"name": "n" * 30_000}),
    ],
)
def test_anchor_of_an_unknown_kind_is_short_and_visible(kind: str, fields: dict[str, str]) -> None:
    made = entry(anchors=(ForeignAnchor(kind, fields),))

    assert rules.validate(made)
    assert rules.barred(made)


def test_entry_without_anchor_needs_a_source() -> None:
    assert rules.validate(entry(anchors=())) == [
        "source: expected a source, since there is no anchor, got nothing"
    ]
    assert rules.validate(entry(anchors=(), source=QUOTE)) == []


def test_feedback_needs_a_source_although_it_has_an_anchor() -> None:
    faults = rules.validate(entry(type="feedback", body="Use pnpm. Why: one store."))

    assert faults == ["source: expected who or what vouches for the feedback, got nothing"]


@pytest.mark.parametrize(
    "body",
    [
        "Use pnpm.\n\nWhy: one store.",
        "Use pnpm, because npm copies.",
        "Use pnpm\n\n## Why\nIt is quick.",
        "# Reason\nIt is quick.",
        "The reason is speed.",
        "**WHY** speed",
        "Use pnpm. **Why**: it is quick.",
        "Use pnpm. Reasons: speed, space.",
        "> Why – it is quick",
    ],
)
def test_feedback_with_a_reason_is_fine(body: str) -> None:
    assert rules.validate(entry(type="feedback", body=body, source=QUOTE)) == []


@pytest.mark.parametrize(
    "body",
    [
        *("Use pnpm.", "Be reasonable.", "Anywhy it is so."),
        *("Use pnpm, no reason here.", "Use pnpm without a reason.", "Ask me why if you must."),
        *("Use pnpm. Why:", "Use pnpm.\n\n## Why\n", "Use pnpm because", "Why: …"),
    ],
)
def test_feedback_without_a_reason_is_refused_with_the_body_named(body: str) -> None:
    (fault,) = rules.validate(entry(type="feedback", body=body, source=QUOTE))

    assert fault == "body: expected the reason for the feedback (a line 'Why: …'), got none"


@pytest.mark.parametrize(
    ("anchors", "count"),
    [
        ((), 1),
        ((FILE,), 1),
        ((url(),), 0),
        ((PackageAnchor("pkg:npm/a", "l"),), 0),
        ((ForeignAnchor("tree", {}), FILE), 1),
    ],
)
def test_reference_that_cannot_turn_suspect_by_itself_is_a_warning(
    anchors: tuple[Any, ...], count: int
) -> None:
    reference = entry(type="reference", anchors=anchors, source=QUOTE)

    assert rules.validate(reference) == []
    assert len(rules.warnings(reference)) == count


def test_invisible_characters_in_a_body_are_a_warning() -> None:
    hidden = entry(body="a\u202eb\U000e0041")

    assert rules.validate(hidden) == []
    assert rules.warnings(hidden) == [
        r"body: holds characters that nobody sees: \u202e, \U000e0041"
    ]


def test_every_fault_is_told_at_once() -> None:
    broken = entry(name="X", description="", type="idea", body="")

    assert fields_of(rules.validate(broken)) == ["name", "description", "type", "body"]


def test_limits_are_those_of_the_format() -> None:
    assert (limits.NAME, limits.DESCRIPTION, limits.ANCHORS) == (120, 300, 20)
    assert (limits.BODY, limits.PATH, limits.SUMMARY, limits.FLAG_PATHS) == (20_000, 300, 500, 20)
