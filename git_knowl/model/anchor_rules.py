"""What anchors and their fingerprints must keep to, each kind by its own rules.

Every fault reads ``field: expected …, got …``; an empty list means that all is well.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

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
    Fingerprint,
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
    fingerprints,
)
from git_knowl.model.faults import (
    BODY,
    KEBAB_CASE,
    KEBAB_CASE_WORDS,
    SHA256,
    body_faults,
    choice_faults,
    form_faults,
    id_faults,
    is_path,
    length_faults,
    line_faults,
    name_faults,
    path_faults,
    time_faults,
    too_many,
    unfit_faults,
)
from git_knowl.model.quoting import shown

OBJECT = re.compile(r"sha1:[0-9a-f]{40}|sha256:[0-9a-f]{64}")
TREE_DIGEST = re.compile(r"(?:sha1|sha256):[0-9a-f]{64}")
OBJECT_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
PURL = re.compile(r"pkg:[a-z][a-z0-9.+-]*(?:/[^@?#\s/]+)+")
URL = re.compile(r"https?://[^\s/?#]+\S*")
#: What may stand before the path of a pathspec: ``:(glob,top)``, ``:!``, ``:/``.
MAGIC = re.compile(r":(?:\([^()]*\)|[!^/]*:?)")


def anchors_faults(anchors: Sequence[Anchor]) -> Iterator[str]:
    """Yield what is wrong with the anchors of an entry."""
    if len(anchors) > limits.ANCHORS:
        yield too_many("anchors", limits.ANCHORS, len(anchors))
    yield from _each_faults("anchors", anchors)


def links_faults(links: Sequence[EntryLink]) -> Iterator[str]:
    """Yield what is wrong with the entries that an entry depends on."""
    if len(links) > limits.DEPENDS_ON:
        yield too_many("depends_on", limits.DEPENDS_ON, len(links))
    yield from _each_faults("depends_on", links)


def reach_faults(field: str, anchor: Anchor) -> Iterator[str]:
    """Yield what an anchor names and none may name: what git and the system are never handed.

    Nobody looks at a page or another entry by what the anchor says, so these name what they like.
    """
    if isinstance(anchor, ForeignAnchor):
        yield from _foreign_faults(field, anchor)
    if isinstance(anchor, ForeignAnchor | UrlAnchor | EntryLink):
        return
    yield from _NAMES[anchor.kind](field, anchor)
    for place, item in enumerate(fingerprints(anchor)):
        yield from _objects_faults(f"{field}.accepted.{place}", item)


def url_faults(field: str, anchor: UrlAnchor) -> list[str]:
    """Return what is wrong with a url anchor, apart from when it was last verified."""
    found = line_faults(f"{field}.url", anchor.url, limits.URL)
    if not found:
        found = form_faults(f"{field}.url", anchor.url, URL, "an http or https address")
    lowest, highest = limits.URL_MAX_AGE_DAYS
    if not lowest <= anchor.max_age_days <= highest:
        got = anchor.max_age_days
        found.append(f"{field}.max_age_days: expected {lowest} to {highest} days, got {got}")
    return found


def pathspec_faults(field: str, pathspec: str) -> list[str]:
    """Return what is wrong with a pathspec: outside the work tree, or not of one line."""
    found = line_faults(field, pathspec, limits.PATH)
    if not found and not _is_pathspec(pathspec):
        expected = "a folder or pathspec from the top of the work tree"
        found.append(f"{field}: expected {expected}, got {shown(pathspec)}")
    return found


def quote_faults(field: str, quote: str) -> list[str]:
    """Return what is wrong with the quoted lines of a snippet."""
    found = body_faults(field, quote, limits.SNIPPET)
    count = quote.count("\n") + 1
    if count > limits.SNIPPET_LINES:
        found.append(f"{field}: expected at most {limits.SNIPPET_LINES} lines, got {count}")
    return found


def _is_pathspec(pathspec: str) -> bool:
    magic = MAGIC.match(pathspec)
    path = (pathspec[magic.end() :] if magic else pathspec).removesuffix("/")
    return path == "." or (bool(magic) and not path) or is_path(path)


def _each_faults(field: str, anchors: Sequence[Anchor]) -> Iterator[str]:
    seen: set[str] = set()
    for place, anchor in enumerate(anchors):
        yield from _anchor_faults(f"{field}.{place}", anchor)
        if anchor.target in seen and not isinstance(anchor, ForeignAnchor):
            yield f"{field}.{place}: expected every anchor once, got {shown(anchor.target)} again"
        seen.add(anchor.target)


def _anchor_faults(field: str, anchor: Anchor) -> Iterator[str]:
    if isinstance(anchor, ForeignAnchor):
        yield from _foreign_faults(field, anchor)
        return
    yield from _NAMES[anchor.kind](field, anchor)
    for place, item in enumerate(fingerprints(anchor)):
        yield from _fingerprint_faults(f"{field}.accepted.{place}", item)


def _foreign_faults(field: str, anchor: ForeignAnchor) -> Iterator[str]:
    """Yield what is wrong with an anchor of a newer program: with what a line says of it."""
    if not KEBAB_CASE.fullmatch(anchor.kind):
        yield f"{field}.kind: expected {KEBAB_CASE_WORDS}, got {shown(anchor.kind)}"
    yield from length_faults(f"{field}.kind", anchor.kind, limits.KIND)
    expected = "no control characters but line feed and tab"
    yield from length_faults(field, anchor.first, limits.SNIPPET)
    yield from unfit_faults(field, anchor.first, BODY, expected)


def _file_faults(field: str, anchor: FileAnchor) -> Iterable[str]:
    return path_faults(f"{field}.path", anchor.path)


def _symbol_faults(field: str, anchor: SymbolAnchor) -> Iterable[str]:
    yield from path_faults(f"{field}.path", anchor.path)
    yield from line_faults(f"{field}.symbol", anchor.symbol, limits.SYMBOL)


def _snippet_faults(field: str, anchor: SnippetAnchor) -> Iterable[str]:
    yield from path_faults(f"{field}.path", anchor.path)
    yield from quote_faults(f"{field}.quote", anchor.quote)
    if anchor.line < 1:
        yield f"{field}.line: expected a number from 1 up, got {anchor.line}"


def _tree_faults(field: str, anchor: TreeAnchor) -> Iterable[str]:
    return pathspec_faults(f"{field}.pathspec", anchor.pathspec)


def _package_faults(field: str, anchor: PackageAnchor) -> Iterable[str]:
    yield from form_faults(f"{field}.purl", anchor.purl, PURL, "a purl without version")
    yield from path_faults(f"{field}.lockfile", anchor.lockfile)


def _url_faults(field: str, anchor: UrlAnchor) -> Iterable[str]:
    yield from url_faults(field, anchor)
    yield from time_faults(f"{field}.verified", anchor.verified)


def _commit_faults(field: str, anchor: CommitAnchor) -> Iterable[str]:
    yield from form_faults(f"{field}.commit", anchor.commit, OBJECT_ID, "a full commit id")
    if anchor.patch_id is not None:
        yield from form_faults(f"{field}.patch_id", anchor.patch_id, OBJECT_ID, "a full patch-id")


def _link_faults(field: str, link: EntryLink) -> Iterable[str]:
    yield from id_faults(f"{field}.id", link.id)
    yield from name_faults(f"{field}.name", link.name)


def _fingerprint_faults(field: str, item: Fingerprint) -> Iterator[str]:
    yield from _OWN[type(item)](field, item)
    yield from _objects_faults(field, item)
    yield from form_faults(f"{field}.text", item.text, SHA256, "64 hex digits")
    yield from time_faults(f"{field}.at", item.at)
    yield from line_faults(f"{field}.by", item.by, limits.PATH)
    yield from line_faults(f"{field}.how", item.how, limits.TAG)


def _objects_faults(field: str, item: Fingerprint) -> Iterator[str]:
    """Yield what is wrong with the ids of objects that a fingerprint speaks of."""
    if isinstance(item, FileFingerprint | SymbolFingerprint):
        yield from _object_faults(f"{field}.blob", item.blob)
    elif isinstance(item, TreeFingerprint) and item.tree is not None:
        yield from _object_faults(f"{field}.tree", item.tree)
    commit = getattr(item, "commit", None)
    if commit is not None:
        yield from form_faults(f"{field}.commit", commit, OBJECT_ID, "a full commit id")


def _file_item_faults(field: str, item: FileFingerprint) -> Iterable[str]:
    return _sha256_faults(f"{field}.sha256", item.sha256)


def _symbol_item_faults(field: str, item: SymbolFingerprint) -> Iterable[str]:
    return _sha256_faults(f"{field}.digest", item.digest)


def _snippet_item_faults(field: str, item: SnippetFingerprint) -> Iterable[str]:
    yield from _sha256_faults(f"{field}.sha256", item.sha256)
    if item.lines is not None and not 1 <= item.lines <= limits.SNIPPET_LINES:
        yield f"{field}.lines: expected 1 to {limits.SNIPPET_LINES}, got {item.lines}"


def _tree_item_faults(field: str, item: TreeFingerprint) -> Iterable[str]:
    expected = "an object format and 64 hex digits"
    yield from form_faults(f"{field}.digest", item.digest, TREE_DIGEST, expected)
    if item.files < 1:
        yield f"{field}.files: expected a number from 1 up, got {item.files}"


def _package_item_faults(field: str, item: PackageFingerprint) -> Iterable[str]:
    return line_faults(f"{field}.version", item.version, limits.PATH)


def _commit_item_faults(field: str, item: CommitFingerprint) -> Iterable[str]:
    return choice_faults(f"{field}.state", item.state, (APPLIED, REVERTED))


def _entry_item_faults(field: str, item: EntryFingerprint) -> Iterable[str]:
    return _sha256_faults(f"{field}.digest", item.digest)


def _sha256_faults(field: str, value: str) -> list[str]:
    return form_faults(field, value, SHA256, "64 hex digits")


def _object_faults(field: str, value: str) -> list[str]:
    return form_faults(field, value, OBJECT, "an object id such as sha1:…")


_NAMES: dict[str, Callable[[str, Any], Iterable[str]]] = {
    "file": _file_faults,
    "symbol": _symbol_faults,
    "snippet": _snippet_faults,
    "tree": _tree_faults,
    "package": _package_faults,
    "url": _url_faults,
    "commit": _commit_faults,
    "entry": _link_faults,
}
_OWN: dict[type, Callable[[str, Any], Iterable[str]]] = {
    FileFingerprint: _file_item_faults,
    SymbolFingerprint: _symbol_item_faults,
    SnippetFingerprint: _snippet_item_faults,
    TreeFingerprint: _tree_item_faults,
    PackageFingerprint: _package_item_faults,
    CommitFingerprint: _commit_item_faults,
    EntryFingerprint: _entry_item_faults,
}
