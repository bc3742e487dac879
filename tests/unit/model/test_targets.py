"""Anchors as they are written on the command line and in payloads."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from git_knowl.model.anchor import (
    Anchor,
    CommitAnchor,
    EntryLink,
    FileAnchor,
    PackageAnchor,
    SnippetAnchor,
    SymbolAnchor,
    TreeAnchor,
    UrlAnchor,
)
from git_knowl.model.targets import KINDS, TargetError, as_asked, parse_anchor
from tests.support.strategies import anchors, links


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("file:lib/cart.ts", FileAnchor("lib/cart.ts")),
        ("file:a:b!c#d.txt", FileAnchor("a:b!c#d.txt")),
        ("package:npm/left-pad", PackageAnchor("pkg:npm/left-pad", "")),
        ("package:npm/@scope/x", PackageAnchor("pkg:npm/%40scope/x", "")),
        ("package:npm/%40scope/x", PackageAnchor("pkg:npm/%40scope/x", "")),
        ("package:pkg:npm/x!web/pnpm-lock.yaml", PackageAnchor("pkg:npm/x", "web/pnpm-lock.yaml")),
        ("package:pypi/Foo_Bar!uv.lock", PackageAnchor("pkg:pypi/foo-bar", "uv.lock")),
        ("package:golang/example.org/a/b", PackageAnchor("pkg:golang/example.org/a/b", "")),
        ("url:https://example.org/a:b", UrlAnchor("https://example.org/a:b", "", 90)),
        ("url:30d:https://example.org", UrlAnchor("https://example.org", "", 30)),
        ("symbol:lib/cart.ts#Cart.total", SymbolAnchor("lib/cart.ts", "Cart.total")),
        ("symbol:a.js#Cart.#total", SymbolAnchor("a.js", "Cart.#total")),
        ("symbol:a%23b.js#total", SymbolAnchor("a#b.js", "total")),
        ("snippet:lib/cart.ts:3-5", SnippetAnchor("lib/cart.ts", "\n\n", 3)),
        ("snippet:a:b:7-7", SnippetAnchor("a:b", "", 7)),
        ("tree:src/chat", TreeAnchor("src/chat")),
        ("tree:src/chat/", TreeAnchor("src/chat")),
        ("tree:src/*.ts", TreeAnchor("src/*.ts")),
        ("tree::(glob)src/**/*.ts", TreeAnchor(":(glob)src/**/*.ts")),
        ("tree::!docs", TreeAnchor(":!docs")),
        ("tree::/", TreeAnchor(":/")),
        ("tree:.", TreeAnchor(".")),
        ("commit:HEAD~3", CommitAnchor("HEAD~3")),
        ("entry:cart-doubles", EntryLink("", "cart-doubles")),
        ("entry:cart-doubles~k4zzzz", EntryLink("", "cart-doubles~k4zzzz")),
    ],
)
def test_text_gives_an_anchor_nobody_has_accepted(text: str, anchor: Anchor) -> None:
    assert parse_anchor(text) == anchor


@pytest.mark.parametrize(
    ("given", "anchor"),
    [
        ({"kind": "file", "path": "a"}, FileAnchor("a")),
        ({"kind": "package", "purl": "pkg:npm/@s/x"}, PackageAnchor("pkg:npm/%40s/x", "")),
        (
            {"kind": "package", "purl": "pkg:npm/x", "lockfile": "l"},
            PackageAnchor("pkg:npm/x", "l"),
        ),
        (
            {"kind": "package", "purl": "pkg:npm/x", "lockfile": None},
            PackageAnchor("pkg:npm/x", ""),
        ),
        ({"kind": "url", "url": "http://x.org"}, UrlAnchor("http://x.org", "", 90)),
        (
            {"kind": "url", "url": "http://x.org", "max_age_days": 7},
            UrlAnchor("http://x.org", "", 7),
        ),
        ({"kind": "symbol", "path": "a", "symbol": "b.c"}, SymbolAnchor("a", "b.c")),
        ({"kind": "snippet", "path": "a", "from": 2, "to": 3}, SnippetAnchor("a", "\n", 2)),
        ({"kind": "snippet", "path": "a", "quote": "  x\n"}, SnippetAnchor("a", "  x", 0)),
        ({"kind": "snippet", "path": "a", "quote": "x", "line": 9}, SnippetAnchor("a", "x", 9)),
        ({"kind": "tree", "pathspec": "src"}, TreeAnchor("src")),
        ({"kind": "commit", "commit": "v1"}, CommitAnchor("v1")),
        ({"kind": "entry", "name": "a"}, EntryLink("", "a")),
    ],
)
def test_object_gives_the_same_anchor(given: dict[str, Any], anchor: Anchor) -> None:
    assert parse_anchor(given) == anchor


@pytest.mark.parametrize(
    "anchor",
    [
        FileAnchor("lib/a b.ts"),
        PackageAnchor("pkg:npm/%40scope/x", "web/pnpm-lock.yaml"),
        PackageAnchor("pkg:conan/libstdc%2B%2B", ""),
        UrlAnchor("https://example.org/?a=b", "", 7),
    ],
    ids=lambda anchor: anchor.target,
)
def test_target_of_an_anchor_is_read_back(anchor: Anchor) -> None:
    assert parse_anchor(anchor.target) == anchor


@given(anchors() | links())
def test_anchor_is_asked_for_again_as_it_was_asked_for(anchor: Anchor) -> None:
    if anchor.kind in KINDS:
        again = parse_anchor(as_asked(anchor))

        assert again.target == anchor.target
        assert getattr(again, "quote", None) == getattr(anchor, "quote", None)


def test_paths_are_located_from_where_they_were_written() -> None:
    def below(path: str) -> str:
        return f"sub/{path}"

    assert parse_anchor("file:a", below) == FileAnchor("sub/a")
    assert parse_anchor("package:npm/x!l", below) == PackageAnchor("pkg:npm/x", "sub/l")
    assert parse_anchor("package:npm/x", below) == PackageAnchor("pkg:npm/x", "")
    assert parse_anchor("symbol:a#b", below) == SymbolAnchor("sub/a", "b")
    assert parse_anchor("snippet:a:1-1", below) == SnippetAnchor("sub/a", "", 1)
    assert parse_anchor("tree:*.ts", below) == TreeAnchor("sub/*.ts")
    assert parse_anchor("tree::(glob)*.ts", below) == TreeAnchor(":(glob)*.ts")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("lib/cart.ts", "anchor: expected KIND:TARGET with a kind out of file, symbol, snippet"),
        ("", "anchor: expected KIND:TARGET"),
        ("dir:lib", "got 'dir'"),
        ({"path": "x"}, "got null"),
        ({"kind": ["file"]}, "got a list"),
        ("file:", "anchor.path: expected text, got nothing"),
        ("file:../x", "anchor.path: expected a path from the top"),
        ("file:/etc/passwd", "anchor.path: expected a path from the top"),
        ("file:a\nb", "anchor.path: expected one line"),
        ("file:\udcff", "anchor.path: expected UTF-8, got the byte 0xff"),
        ({"kind": "file"}, "anchor.path: expected text, got null"),
        ({"kind": "file", "path": 5}, "anchor.path: expected text, got 5"),
        ("symbol:a", "anchor.symbol: expected text, got nothing"),
        ("symbol:#b", "anchor.path: expected text, got nothing"),
        ({"kind": "symbol", "path": "a", "name": "b"}, "anchor.symbol: expected text, got null"),
        ("snippet:a", "anchor: expected a snippet as PATH:FROM-TO, got 'a'"),
        ("snippet:a:5", "anchor: expected a snippet as PATH:FROM-TO, got 'a:5'"),
        ("snippet:a:0-2", "anchor: expected a snippet as PATH:FROM-TO, got 'a:0-2'"),
        ("snippet:a:5-3", "anchor.to: expected 5 to 44, got 3"),
        ("snippet:a:1-41", "anchor.to: expected 1 to 40, got 41"),
        ({"kind": "snippet", "path": "a"}, "anchor.from: expected the number of a line, got null"),
        ({"kind": "snippet", "path": "a", "quote": " \n"}, "anchor.quote: expected text"),
        ({"kind": "snippet", "path": "a", "quote": "x\n" * 41}, "expected at most 40 lines"),
        ({"kind": "snippet", "path": "a", "quote": "x", "line": 0}, "anchor.line: expected"),
        ("tree:../x", "anchor.pathspec: expected a folder or pathspec from the top"),
        ("tree::(glob)../**", "anchor.pathspec: expected a folder or pathspec from the top"),
        ("tree:.git/hooks", "anchor.pathspec: expected a folder or pathspec from the top"),
        ("commit:", "anchor.commit: expected text, got nothing"),
        ("entry:Not_A_Name", "anchor.name: expected kebab-case"),
        ("package:left-pad", "anchor: expected a package as TYPE/NAME, got 'left-pad'"),
        ("package:", "anchor: expected a package as TYPE/NAME"),
        ("package:npm/", "anchor: expected a package as TYPE/NAME"),
        ("package:npm/x@1.2.3", "anchor: expected a package without version"),
        ("package:npm/@scope/x@1", "anchor: expected a package without version"),
        ("package:npm/x?a=b", "anchor: expected a package without version"),
        ("package:npm/x!../l", "anchor.lockfile: expected a path from the top"),
        ({"kind": "package", "purl": None}, "anchor.purl: expected text, got null"),
        ("url:", "anchor.url: expected text, got nothing"),
        ("url:example.org", "anchor.url: expected an http or https address"),
        ("url:0d:https://x.org", "anchor.max_age_days: expected 1 to 3650 days, got 0"),
        ("url:3651d:https://x.org", "anchor.max_age_days: expected 1 to 3650 days, got 3651"),
        (
            {"kind": "url", "url": "https://x.org", "max_age_days": "7"},
            "anchor.max_age_days: expected a whole number, got '7'",
        ),
        (
            {"kind": "url", "url": "https://x.org", "max_age_days": True},
            "anchor.max_age_days: expected a whole number, got true",
        ),
    ],
)
def test_what_is_no_anchor_is_refused_with_what_was_expected(given: Any, message: str) -> None:
    with pytest.raises(TargetError) as caught:
        parse_anchor(given)

    assert message in caught.value.message
