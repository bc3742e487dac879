"""Anchors as they are written on the command line and in payloads."""

from __future__ import annotations

from typing import Any

import pytest

from git_knowl.model.anchor import Anchor, FileAnchor, PackageAnchor, UrlAnchor
from git_knowl.model.targets import TargetError, parse_anchor


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


def test_paths_are_located_from_where_they_were_written() -> None:
    def below(path: str) -> str:
        return f"sub/{path}"

    assert parse_anchor("file:a", below) == FileAnchor("sub/a")
    assert parse_anchor("package:npm/x!l", below) == PackageAnchor("pkg:npm/x", "sub/l")
    assert parse_anchor("package:npm/x", below) == PackageAnchor("pkg:npm/x", "")


@pytest.mark.parametrize(
    "given",
    [
        "symbol:lib/cart.ts#total",
        "snippet:lib/cart.ts:1-3",
        "tree:lib",
        "commit:HEAD",
        "entry:cart-doubles",
        {"kind": "symbol", "path": "a", "name": "b"},
    ],
)
def test_kind_of_a_later_version_is_named_and_refused(given: Any) -> None:
    with pytest.raises(
        TargetError, match=r"kind '[a-z]+' is not supported by this version"
    ) as caught:
        parse_anchor(given)

    assert caught.value.hint == "it has file, package, url"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("lib/cart.ts", "anchor: expected KIND:TARGET with a kind out of file, package, url"),
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
