"""Hypothesis strategies: values of the model as they may legally be, and the noise around them."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from hypothesis import strategies as st

from git_knowl.model import limits
from git_knowl.model.anchor import (
    APPLIED,
    REVERTED,
    Anchor,
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
from git_knowl.model.anchor_rules import pathspec_faults
from git_knowl.model.characters import UNFIT_FOR_BODY, UNFIT_FOR_LINE
from git_knowl.model.entry import (
    PROVENANCES,
    SOURCE_KINDS,
    TYPES,
    Entry,
    Promoted,
    Related,
    Reviewed,
    Source,
)
from git_knowl.model.ids import ALPHABET

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")

#: Texts that YAML has traps for, put among the random ones.
TRAPS = (
    "no",
    "on",
    "y",
    "null",
    "~",
    "true",
    "0e12345",
    "0012345",
    "1.10",
    "12:30:45",
    "1_000",
    "0x1f",
    ".inf",
    "2026-11-29",
    "<<",
    "=",
    "- a",
    "a: b",
    "a #b",
    "*a",
    "&a",
    "!a",
    "---",
    "{a}",
    "[a]",
    "'a'",
    '"a"',
    "\\n",
    "%a",
    "@a",
    "`a`",
    "ünï 😀",
)
VALUES = (
    CommitAnchor,
    CommitFingerprint,
    Entry,
    EntryFingerprint,
    EntryLink,
    FileAnchor,
    FileFingerprint,
    PackageAnchor,
    PackageFingerprint,
    Promoted,
    Related,
    Reviewed,
    SnippetAnchor,
    SnippetFingerprint,
    Source,
    SymbolAnchor,
    SymbolFingerprint,
    TreeAnchor,
    TreeFingerprint,
    UrlAnchor,
)
#: Every key a document has by itself; extra keys are others.
KNOWN_KEYS = frozenset(
    {field.name for made in VALUES for field in fields(made)} - {"extra", "body"} | {"kind"}
)
#: Keys that make careless readers stumble.
TRAP_KEYS = ("content", "handler", "no", "on", "1", "metadata", "body", "format", "", "<<")


UNFIT_LINE = re.compile(f"[{UNFIT_FOR_LINE}]")
UNFIT_BODY = re.compile(f"[{UNFIT_FOR_BODY}]")


def lines(longest: int = 40) -> SearchStrategy[str]:
    """Give texts of one line."""
    made = st.text(st.characters(codec="utf-8"), min_size=1, max_size=longest)
    fit = made.map(lambda text: UNFIT_LINE.sub("x", text))
    return (st.sampled_from(TRAPS) | fit).filter(str.strip)


def bodies(longest: int = 200) -> SearchStrategy[str]:
    """Give texts of many lines, fences and blank ends among them."""
    characters = st.sampled_from("\n\t") | st.characters(codec="utf-8")
    known = st.sampled_from(("---", "\n---\n", "  x\n\n", "# Why\n"))
    made = st.text(characters, min_size=1, max_size=longest)
    return (known | made.map(lambda text: UNFIT_BODY.sub("x", text))).filter(str.strip)


def ids() -> SearchStrategy[str]:
    """Give lower-case ULIDs."""
    return st.builds(
        str.__add__, st.sampled_from("01234567"), st.text(ALPHABET, min_size=25, max_size=25)
    )


def names() -> SearchStrategy[str]:
    """Give kebab-case names."""
    return st.from_regex(r"[a-z0-9]{1,8}(-[a-z0-9]{1,8}){0,4}", fullmatch=True)


def times() -> SearchStrategy[str]:
    """Give times as entries write them."""
    return st.datetimes().map(lambda moment: f"{moment:%Y-%m-%dT%H:%M:%SZ}".rjust(20, "0"))


def hexes(length: int) -> SearchStrategy[str]:
    """Give hex numbers, those that look like floats among them."""
    digits = st.text("0123456789abcdef", min_size=length, max_size=length)
    return digits | digits.map(lambda text: "0e" + text[2:])


def paths() -> SearchStrategy[str]:
    """Give paths from the top of a work tree."""
    part = lines(12).map(lambda text: text.replace("/", "_"))
    usual = part.filter(lambda text: text not in (".", "..") and text.lower() != ".git")
    return st.lists(usual, min_size=1, max_size=4).map("/".join)


def plain_values() -> SearchStrategy[Any]:
    """Give values as frontmatter can hold them."""
    whole = st.integers(-(10**18) + 1, 10**18 - 1)
    text = st.sampled_from(TRAPS) | st.text(st.characters(codec="utf-8"), max_size=20)
    return st.recursive(
        st.none() | st.booleans() | whole | text,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys(), inner, max_size=3),
        max_leaves=6,
    )


def _keys() -> SearchStrategy[str]:
    made = st.text(st.characters(codec="utf-8"), max_size=20)
    return (st.sampled_from(TRAP_KEYS + TRAPS) | made).filter(lambda key: key not in KNOWN_KEYS)


def extras() -> SearchStrategy[Mapping[str, Any]]:
    """Give keys of a newer program, none of them known today."""
    return st.just({}) | st.dictionaries(_keys(), plain_values(), max_size=2)


def file_fingerprints() -> SearchStrategy[FileFingerprint]:
    """Give fingerprints of files."""
    return st.builds(FileFingerprint, **_stamps(), **_wheres(), sha256=hexes(64), blob=_objects())


def symbol_fingerprints() -> SearchStrategy[SymbolFingerprint]:
    """Give fingerprints of symbols."""
    return st.builds(
        SymbolFingerprint,
        **_stamps(),
        **_wheres(),
        blob=_objects(),
        algorithm=st.integers(1, 9),
        digest=hexes(64),
    )


def snippet_fingerprints() -> SearchStrategy[SnippetFingerprint]:
    """Give fingerprints of snippets."""
    lengths = st.none() | st.integers(1, limits.SNIPPET_LINES)
    return st.builds(SnippetFingerprint, **_stamps(), **_wheres(), sha256=hexes(64), lines=lengths)


def tree_fingerprints() -> SearchStrategy[TreeFingerprint]:
    """Give fingerprints of sets of files."""
    digests = hexes(64).map("sha1:{}".format) | hexes(64).map("sha256:{}".format)
    return st.builds(
        TreeFingerprint,
        **_stamps(),
        **_wheres(),
        digest=digests,
        tree=st.none() | _objects(),
        files=st.integers(1, 10**6),
    )


def commit_fingerprints() -> SearchStrategy[CommitFingerprint]:
    """Give fingerprints of commits."""
    states = st.sampled_from((APPLIED, REVERTED))
    return st.builds(CommitFingerprint, **_stamps(), state=states)


def entry_fingerprints() -> SearchStrategy[EntryFingerprint]:
    """Give fingerprints of other entries."""
    return st.builds(EntryFingerprint, **_stamps(), digest=hexes(64))


def _stamps() -> dict[str, SearchStrategy[Any]]:
    return {"text": hexes(64), "at": times(), "by": lines(), "how": lines(), "extra": extras()}


def _wheres() -> dict[str, SearchStrategy[Any]]:
    return {"commit": st.none() | hexes(40), "dirty": st.booleans()}


def _objects() -> SearchStrategy[str]:
    return hexes(40).map("sha1:{}".format) | hexes(64).map("sha256:{}".format)


def package_fingerprints() -> SearchStrategy[PackageFingerprint]:
    """Give fingerprints of packages."""
    return st.builds(
        PackageFingerprint,
        **_stamps(),
        version=st.sampled_from(("1.10", "1.2.3", "2", "1e3")) | lines(),
        integrity=st.none() | lines(),
    )


def quotes() -> SearchStrategy[str]:
    """Give the lines of snippets, blank ends and indents among them."""
    indented = st.builds(str.__add__, st.sampled_from(("", "  ", "\t")), lines(20))
    several = st.lists(st.just("") | indented, max_size=5)
    return st.builds(lambda first, last: "\n".join((*first, last)), several, indented)


def pathspecs() -> SearchStrategy[str]:
    """Give folders and pathspecs with magic words."""
    magic = st.sampled_from(("", ":(glob)", ":(icase,top)", ":!", ":/"))
    named = st.builds(str.__add__, magic, paths()).filter(lambda text: len(text) <= limits.PATH)
    return st.just(".") | named.filter(lambda text: not pathspec_faults("", text))


def _commits() -> SearchStrategy[str]:
    return hexes(40) | hexes(64)


def anchors() -> SearchStrategy[Anchor]:
    """Give anchors of all kinds known today and of one that is not."""
    named = names().map("pkg:npm/{}".format) | names().map("pkg:npm/%40scope/{}".format)
    urls = st.from_regex(r"https?://[a-z]{1,9}\.[a-z]{2,4}(/[a-z0-9#?&=]{0,9})?", fullmatch=True)
    kinds = st.sampled_from(("entry", "future", "no"))
    patch_ids = st.none() | hexes(40)
    return st.one_of(
        st.builds(FileAnchor, paths(), _few(file_fingerprints(), 2), extras()),
        st.builds(SymbolAnchor, paths(), lines(), _few(symbol_fingerprints(), 2), extras()),
        st.builds(
            SnippetAnchor,
            paths(),
            quotes(),
            st.integers(1, 10**6),
            _few(snippet_fingerprints(), 2),
            extras(),
        ),
        st.builds(TreeAnchor, pathspecs(), _few(tree_fingerprints(), 2), extras()),
        st.builds(CommitAnchor, _commits(), patch_ids, _few(commit_fingerprints(), 2), extras()),
        st.builds(PackageAnchor, named, paths(), _few(package_fingerprints(), 2), extras()),
        st.builds(UrlAnchor, urls, times(), st.integers(*limits.URL_MAX_AGE_DAYS), extras()),
        st.builds(ForeignAnchor, kinds, extras()),
    )


def links() -> SearchStrategy[EntryLink]:
    """Give links to entries that another one depends on."""
    return st.builds(EntryLink, ids(), names(), _few(entry_fingerprints(), 2), extras())


def entries() -> SearchStrategy[Entry]:
    """Give entries that keep every hard rule."""
    return _loose_entries().map(_ruled)


def _loose_entries() -> SearchStrategy[Entry]:
    return st.builds(
        Entry,
        name=names(),
        id=ids(),
        description=lines(),
        type=st.sampled_from(TYPES),
        created=times(),
        updated=times(),
        rev=st.integers(1, 10**9),
        body=bodies(),
        as_of=st.none() | hexes(40),
        patch_id=st.none() | hexes(40),
        anchors=st.lists(anchors(), max_size=3, unique_by=lambda one: one.target).map(tuple),
        source=_sources(),
        provenance=st.sampled_from(PROVENANCES),
        depends_on=st.lists(links(), max_size=2, unique_by=lambda one: one.target).map(tuple),
        supersedes=_few(ids(), 2),
        related=_few(_related(), 2),
        tags=st.lists(lines(), max_size=3, unique=True).map(tuple),
        reviewed=st.none() | st.builds(Reviewed, lines(), times(), lines(), extras()),
        promoted=st.none() | st.builds(Promoted, paths(), hexes(64), extras()),
        extra=extras(),
    )


def _ruled(entry: Entry) -> Entry:
    body = f"{entry.body} Why: it says why." if entry.type == "feedback" else entry.body
    needs_source = entry.type == "feedback" or not entry.anchors
    source = entry.source or (Source("session", "one") if needs_source else None)
    others = tuple(link for link in entry.depends_on if link.id != entry.id)
    return replace(entry, body=body, source=source, depends_on=others)


def _sources() -> SearchStrategy[Source | None]:
    made = st.builds(
        Source,
        st.sampled_from(SOURCE_KINDS),
        st.none() | lines(),
        st.none() | bodies(),
        extras(),
    )
    return st.none() | made.filter(lambda source: bool(source.ref or source.quote))


def _related() -> SearchStrategy[Related]:
    relations = st.sampled_from(("extends", "contradicts"))
    return st.builds(Related, ids(), relations, st.none() | st.integers(0, 100), extras())


def _few(one: SearchStrategy[T], most: int) -> SearchStrategy[tuple[T, ...]]:
    return st.lists(one, max_size=most).map(tuple)
