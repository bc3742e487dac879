"""Markdown with frontmatter <-> Entry: what is read, what is refused, what is written."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml

from git_knowl.model import limits, yaml_reader
from git_knowl.model.anchor import (
    CommitAnchor,
    CommitFingerprint,
    EntryFingerprint,
    EntryLink,
    FileAnchor,
    FileFingerprint,
    ForeignAnchor,
    PackageAnchor,
    PackageFingerprint,
    SnippetAnchor,
    SnippetFingerprint,
    SymbolAnchor,
    SymbolFingerprint,
    TreeAnchor,
    TreeFingerprint,
    UrlAnchor,
)
from git_knowl.model.document import DocumentError, parse, read, render
from git_knowl.model.entry import Entry, Promoted, Related, Reviewed, Source

ID = "01k4zzzzzzzzzzzzzzzzzzzzzz"
TIME = "2026-11-29T10:00:00Z"
FLOAT_LIKE = "0e12345678901234567890123456789012345678901234567890123456789012"
LATER_FINGERPRINT = "{text: a, sha256: b, blob: c, at: d, by: e, how: f, mode: '100644'}"
KINDS = f"""\
---
name: cart-doubles
id: "{ID}"
description: Read before changing the discount rule
type: project
created: "{TIME}"
updated: "{TIME}"
rev: 1
anchors:
- kind: symbol
  path: lib/cart.ts
  symbol: Cart.total
  accepted:
  - {{text: "{FLOAT_LIKE}", blob: "sha1:{"b" * 40}", algorithm: 1, digest: "{"d" * 64}", \
at: "{TIME}", by: Ada, how: web}}
- kind: snippet
  path: lib/cart.ts
  quote: "if (n > 3) {{\\n  n *= 2"
  line: 12
  accepted:
  - {{text: "{FLOAT_LIKE}", sha256: "{"a" * 64}", at: "{TIME}", by: Ada, how: web, \
commit: "{"c" * 40}", dirty: true, lines: 3}}
- kind: tree
  pathspec: ":(glob)lib/**/*.ts"
  accepted:
  - {{text: "{FLOAT_LIKE}", digest: "sha1:{"e" * 64}", tree: "sha1:{"f" * 40}", files: 7, \
at: "{TIME}", by: Ada, how: web}}
- kind: commit
  commit: "{"c" * 40}"
  patch_id: "{"1" * 40}"
  accepted:
  - {{text: "{FLOAT_LIKE}", state: reverted, at: "{TIME}", by: Ada, how: web}}
depends_on:
- id: "{ID}"
  name: other
  accepted:
  - {{text: "{FLOAT_LIKE}", digest: "{"d" * 64}", at: "{TIME}", by: Ada, how: web}}
---
Above three pieces the price doubles.
"""
MINIMAL = f"""\
---
name: cart-doubles
id: "{ID}"
description: Read before changing the discount rule
type: project
created: "{TIME}"
updated: "{TIME}"
rev: 1
---
Above three pieces the price doubles.
"""
FULL = f"""\
---
name: cart-doubles
id: "{ID}"
description: "Read before touching the cart: it doubles"
type: reference
created: "{TIME}"
updated: "{TIME}"
as_of: "{"4" * 40}"
patch_id: "{"5" * 40}"
rev: 3
anchors:
- kind: file
  path: lib/cart.ts
  accepted:
  - {{text: "{FLOAT_LIKE}", sha256: "{"a" * 64}", blob: "sha1:{"b" * 40}", at: "{TIME}", \
by: Ada <ada@example.org>, how: terminal, commit: "{"c" * 40}", dirty: true}}
- kind: package
  purl: "pkg:npm/%40scope/parser"
  lockfile: pnpm-lock.yaml
  accepted:
  - {{text: "{FLOAT_LIKE}", version: "1.10", integrity: sha512-x, at: "{TIME}", \
by: Ada <ada@example.org>, how: web}}
- kind: url
  url: "https://example.org/a"
  verified: "{TIME}"
  max_age_days: 30
- kind: rhyme
  path: lib/cart.ts
  name: total
source:
  kind: session
  ref: s-1
  quote: "from now on\\nno lint"
provenance: stated
depends_on:
- id: "{ID}"
  name: other
supersedes: ["{ID}"]
related:
- id: "{ID}"
  relation: extends
  score: 80
tags: [cart, "no"]
reviewed:
  by: Ada <ada@example.org>
  at: "{TIME}"
  how: terminal
promoted:
  file: docs/cart.md
  digest: "{"d" * 64}"
mood:
  calm: true
---
The fact.

---
Why: because.
"""


def minimal() -> Entry:
    return Entry(
        name="cart-doubles",
        id=ID,
        description="Read before changing the discount rule",
        type="project",
        created=TIME,
        updated=TIME,
        rev=1,
        body="Above three pieces the price doubles.",
    )


def kinds() -> Entry:
    """Return an entry with one anchor of each kind that `full` has not."""
    signed = {"at": TIME, "by": "Ada", "how": "web"}
    symbol = SymbolFingerprint(FLOAT_LIKE, "sha1:" + "b" * 40, 1, "d" * 64, **signed)
    lines = SnippetFingerprint(FLOAT_LIKE, "a" * 64, **signed, commit="c" * 40, dirty=True, lines=3)
    tree = TreeFingerprint(FLOAT_LIKE, "sha1:" + "e" * 64, "sha1:" + "f" * 40, 7, **signed)
    needed = EntryFingerprint(FLOAT_LIKE, "d" * 64, **signed)
    return replace(
        minimal(),
        anchors=(
            SymbolAnchor("lib/cart.ts", "Cart.total", (symbol,)),
            SnippetAnchor("lib/cart.ts", "if (n > 3) {\n  n *= 2", 12, (lines,)),
            TreeAnchor(":(glob)lib/**/*.ts", (tree,)),
            CommitAnchor(
                "c" * 40, "1" * 40, (CommitFingerprint(FLOAT_LIKE, "reverted", **signed),)
            ),
        ),
        depends_on=(EntryLink(ID, "other", (needed,)),),
    )


def full() -> Entry:
    by = "Ada <ada@example.org>"
    file = FileFingerprint(
        text=FLOAT_LIKE,
        sha256="a" * 64,
        blob="sha1:" + "b" * 40,
        at=TIME,
        by=by,
        how="terminal",
        commit="c" * 40,
        dirty=True,
    )
    package = PackageFingerprint(FLOAT_LIKE, "1.10", TIME, by, "web", integrity="sha512-x")
    return Entry(
        name="cart-doubles",
        id=ID,
        description="Read before touching the cart: it doubles",
        type="reference",
        created=TIME,
        updated=TIME,
        rev=3,
        body="The fact.\n\n---\nWhy: because.",
        as_of="4" * 40,
        patch_id="5" * 40,
        anchors=(
            FileAnchor("lib/cart.ts", (file,)),
            PackageAnchor("pkg:npm/%40scope/parser", "pnpm-lock.yaml", (package,)),
            UrlAnchor("https://example.org/a", TIME, 30),
            ForeignAnchor("rhyme", {"path": "lib/cart.ts", "name": "total"}),
        ),
        source=Source("session", "s-1", "from now on\nno lint"),
        provenance="stated",
        depends_on=(EntryLink(ID, "other"),),
        supersedes=(ID,),
        related=(Related(ID, "extends", 80),),
        tags=("cart", "no"),
        reviewed=Reviewed(by, TIME, "terminal"),
        promoted=Promoted("docs/cart.md", "d" * 64),
        extra={"mood": {"calm": True}},
    )


def document(line: str, *, body: str = "x") -> bytes:
    """Return the minimal document with one more line of frontmatter."""
    head = MINIMAL.partition("---\nAbove")[0]
    return f"{head}{line}\n---\n{body}\n".encode()


def refusal(data: bytes) -> DocumentError:
    with pytest.raises(DocumentError) as caught:
        parse(data)
    return caught.value


def test_minimal_entry_is_written_without_defaults() -> None:
    assert render(minimal()).decode() == MINIMAL


def test_full_entry_is_written_in_the_order_of_the_format() -> None:
    assert render(full()).decode() == FULL


def test_every_kind_of_anchor_is_written_in_its_own_form() -> None:
    assert render(kinds()).decode() == KINDS
    assert parse(KINDS.encode()) == kinds()


@pytest.mark.parametrize("text", [MINIMAL, FULL, KINDS], ids=["minimal", "full", "kinds"])
def test_document_is_read_and_written_back_to_the_byte(text: str) -> None:
    assert render(parse(text.encode())) == text.encode()


def test_full_document_is_read_whole() -> None:
    assert parse(FULL.encode()) == full()


def test_accepting_one_more_fingerprint_adds_one_line() -> None:
    entry = full()
    anchor = entry.anchors[0]
    assert isinstance(anchor, FileAnchor)
    more = replace(anchor, accepted=(*anchor.accepted, replace(anchor.accepted[0], dirty=False)))

    before = render(entry).decode().splitlines()
    after = render(replace(entry, anchors=(more, *entry.anchors[1:]))).decode().splitlines()

    assert len(after) == len(before) + 1
    assert [line for line in before if line not in after] == []


@pytest.mark.parametrize(
    "mark", [b"\xef\xbb\xbf", b""], ids=["byte order mark", "no byte order mark"]
)
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"], ids=["LF", "CRLF", "CR"])
def test_document_of_any_editor_is_read(mark: bytes, end: bytes) -> None:
    assert parse(mark + FULL.encode().replace(b"\n", end)) == full()


@pytest.mark.parametrize(
    "body",
    [
        "x",
        "",
        "\n",
        "x\n",
        "\n\n x \n\n",
        "  indented",
        "---",
        "---\nname: y\n---",
        "\tx",
        "é\u2028",
    ],
    ids=repr,
)
def test_body_keeps_its_white_space_and_rules(body: str) -> None:
    entry = replace(minimal(), body=body)

    assert parse(render(entry)).body == body


def test_last_line_of_a_document_may_lack_its_end() -> None:
    assert parse(MINIMAL.rstrip().encode()) == minimal()


def test_carriage_returns_of_a_body_are_written_as_line_ends() -> None:
    entry = replace(minimal(), body="a\r\nb\rc\r")

    assert render(parse(render(entry))) == render(entry)
    assert parse(render(entry)).body == "a\nb\nc\n"


@pytest.mark.parametrize(
    "line",
    ["content: x", "handler: y", "no: z", "on: 1", "1: one", '"": x', "metadata: {a: [b]}"],
)
def test_keys_that_stop_careless_readers_are_kept(line: str) -> None:
    entry = parse(document(line))

    assert len(entry.extra) == 1
    assert parse(render(entry)) == entry


@pytest.mark.parametrize(
    "text", ["0012345", "1.10", "0e12345", "2026-11-29", "12:30:45", "0x1f", "1_000", "yes", ".5"]
)
def test_unquoted_scalars_that_look_like_something_else_stay_text(text: str) -> None:
    entry = parse(document(f"tags: [{text}]\nlater: {text}"))

    assert entry.tags == (text,)
    assert entry.extra == {"later": text}
    assert f'tags: ["{text}"]' in render(entry).decode()


def test_numbers_and_truth_values_stand_for_the_text_somebody_left_unquoted() -> None:
    assert parse(document("tags: [2026, -5, true, false]")).tags == ("2026", "-5", "true", "false")


def test_missing_and_empty_optional_keys_get_their_defaults() -> None:
    entry = parse(document("source:\nanchors:\ntags: []\nreviewed: null\nprovenance: ~"))

    assert entry == replace(minimal(), body="x")


def test_url_without_a_limit_gets_the_usual_one() -> None:
    entry = parse(document(f"anchors:\n- kind: url\n  url: 'https://x.org'\n  verified: {TIME}"))

    assert entry.anchors == (UrlAnchor("https://x.org", TIME, limits.URL_DEFAULT_AGE_DAYS),)


@pytest.mark.parametrize(
    "line",
    [
        "format: 7",
        "source: {kind: quote, quote: x, mood: [1, {a: null}]}",
        f'depends_on: [{{id: "{ID}", name: b, weight: 3}}]',
        f'related: [{{id: "{ID}", relation: extends, why: x}}]',
        "reviewed: {by: A, at: B, how: web, seal: {x: y}}",
        f"promoted: {{file: a, digest: '{'d' * 64}', line: 4}}",
        "anchors: [{kind: file, path: a, renamed: {from: b}}]",
        f"anchors: [{{kind: file, path: a, accepted: [{LATER_FINGERPRINT}]}}]",
        "anchors: [{kind: package, purl: pkg:npm/a, lockfile: b, range: ^1}]",
        "anchors: [{kind: url, url: https://x.org, verified: x, max_age_days: 5, etag: '\"1\"'}]",
        "anchors: [{kind: hologram, depth: [1, [2, {three: 3}]], lines: 'a\n\n  b'}]",
    ],
)
def test_what_a_newer_program_added_survives(line: str) -> None:
    before = read(document(line))
    after = read(render(parse(document(line))))

    assert after == before


@pytest.mark.parametrize(
    ("data", "field"),
    [
        (b"", "frontmatter"),
        (b"just text\n", "frontmatter"),
        (b"\n" + MINIMAL.encode(), "frontmatter"),
        (b"---\nname: x\n", "frontmatter"),
        (b"---\n---\nx\n", "frontmatter"),
        (b"---\n- a\n---\n", "frontmatter"),
        (b"---\ntext\n---\n", "frontmatter"),
        (document("name: again"), "frontmatter"),
        (document("later: {a: 1, a: 2}"), "frontmatter"),
        (document("later: &x 1"), "frontmatter"),
        (document("later: *x"), "frontmatter"),
        (document("later: !!binary aGk="), "frontmatter"),
        (document("later: !x {}"), "frontmatter"),
        (document("? [a]\n: b"), "frontmatter"),
        (document("? {a: b}\n: b"), "frontmatter"),
        (document(f"{'k' * 101}: b"), "frontmatter"),
        (document("later: [}"), "frontmatter"),
        (document("later: '\\"), "frontmatter"),
        (document('later: "\\ud800"'), "frontmatter"),
        (document("later: \x00"), "frontmatter"),
        (document("later: " + "[" * 33 + "]" * 33), "frontmatter"),
        (document("later: " + "[" * 30_000), "frontmatter"),
        (document("later: " + "{a: " * 15_000), "frontmatter"),
        (document("later:\n  " + "- " * 30_000), "frontmatter"),
        (document(f"later: {'x' * limits.FRONTMATTER_BYTES}"), "frontmatter"),
        (document("a: b\n...\nc: d"), "frontmatter"),
        (b"\xff\xfe-\x00", "document"),
        (MINIMAL.encode() + b"\xed\xa0\x80", "document"),
        (MINIMAL.encode() + b"x" * limits.DOCUMENT_BYTES, "document"),
        (MINIMAL.encode() + b"x" * limits.BODY, "body"),
        (document("tags: x"), "tags"),
        (document("tags: [a, [b]]"), "tags.1"),
        (document("source: me"), "source"),
        (document("source: {ref: x}"), "source.kind"),
        (document("rev2: 1\nanchors: {}"), "anchors"),
        (document("anchors: [x]"), "anchors.0"),
        (document("anchors: [{path: x}]"), "anchors.0.kind"),
        (document("anchors: [{kind: file}]"), "anchors.0.path"),
        (document("anchors: [{kind: file, path: [x]}]"), "anchors.0.path"),
        (document("anchors: [{kind: file, path: x, accepted: 1}]"), "anchors.0.accepted"),
        (
            document("anchors: [{kind: file, path: x, accepted: [{text: a}]}]"),
            "anchors.0.accepted.0.sha256",
        ),
        (
            document("anchors: [{kind: url, url: x, verified: y, max_age_days: z}]"),
            "anchors.0.max_age_days",
        ),
        (document(f'related: [{{id: "{ID}", relation: x, score: true}}]'), "related.0.score"),
        (MINIMAL.replace("rev: 1", "rev: one").encode(), "rev"),
        (MINIMAL.replace("cart-doubles", "../x").encode(), "name"),
        (MINIMAL.replace("cart-doubles", "a" * 121).encode(), "name"),
        (MINIMAL.replace("name: cart-doubles", "nom: x").encode(), "name"),
        (MINIMAL.replace(ID, ID.upper()).encode(), "id"),
        (MINIMAL.replace("type: project", "type: idea").encode(), "type"),
        (MINIMAL.replace(f'created: "{TIME}"', "created: [1]").encode(), "created"),
    ],
)
def test_what_is_no_entry_is_refused_with_the_field_named(data: bytes, field: str) -> None:
    error = refusal(data)

    assert error.field == field
    assert error.message.startswith(f"{field}: expected {error.expected}, got ")
    assert len(error.message) < 300


def test_error_in_yaml_says_the_line_of_the_file() -> None:
    error = refusal(document("later: {a: 1, a: 2}"))

    assert error.message.endswith("got the key 'a' for the second time in line 9")


def test_fingerprint_of_dirty_content_is_true_or_false_and_nothing_else() -> None:
    data = FULL.replace("dirty: true", "dirty: maybe").encode()

    assert refusal(data).field == "anchors.0.accepted.0.dirty"


def test_python_reader_gives_what_the_c_reader_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_reader, "Loader", yaml.SafeLoader)

    assert parse(FULL.encode()) == full()
    assert refusal(document('later: "\\ud800"')).message.endswith("got half a character in line 9")
    assert refusal(document("later: " + "[" * 30_000)).field == "frontmatter"
    assert refusal(document("later: *x")).message.endswith("got an alias in line 9")


def test_half_a_character_cannot_be_written() -> None:
    with pytest.raises(DocumentError, match=r"document: expected whole characters, got U\+DCFF"):
        render(replace(minimal(), anchors=(FileAnchor("a\udcff"),)))
    with pytest.raises(DocumentError, match="expected whole characters"):
        render(replace(minimal(), body="\ud800"))


def test_value_of_no_plain_kind_cannot_be_written() -> None:
    with pytest.raises(DocumentError, match=r"frontmatter: expected plain values, got 1\.5"):
        render(replace(minimal(), extra={"later": 1.5}))


def test_more_fingerprints_than_a_reader_takes_cannot_be_written() -> None:
    entry = full()
    anchor = entry.anchors[0]
    assert isinstance(anchor, FileAnchor)
    bloated = replace(anchor, accepted=anchor.accepted * 300)

    with pytest.raises(DocumentError, match="frontmatter: expected at most 65536 bytes"):
        render(replace(entry, anchors=(bloated,)))


def test_longest_body_of_the_widest_characters_can_be_written_and_read() -> None:
    entry = replace(full(), body="😀" * limits.BODY)

    assert parse(render(entry)) == entry


def test_invisible_characters_are_written_where_a_reviewer_sees_them() -> None:
    entry = replace(minimal(), description="a\u202eb\u200b\U000e0041\x9b")

    assert r'description: "a\u202eb\u200b\U000e0041\x9b"' in render(entry).decode()
    assert parse(render(entry)) == entry


def test_control_characters_are_escaped_so_that_git_calls_a_document_text() -> None:
    entry = replace(minimal(), description="a\x00\x01\x1f\x7fb")

    assert r'description: "a\x00\x01\x1f\x7fb"' in render(entry).decode()
    assert parse(render(entry)) == entry
