"""Anchors and their fingerprints <-> plain fields, each kind in its fixed order of keys.

Keys that nobody here knows are kept with the value they stand in, anchors of unknown kinds whole.
"""

from collections.abc import Callable
from typing import Any

from git_knowl.model import limits
from git_knowl.model.anchor import (
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
    fingerprints,
)
from git_knowl.model.checked import Fields, filled, plain

_STAMP = ("at", "by", "how")
_WHERE = (*_STAMP, "commit", "dirty")
_LINK = ("id", "name")
#: The keys that name an anchor of each kind, and those of its fingerprints, as they are written.
_NAMED = {
    "file": ("path",),
    "symbol": ("path", "symbol"),
    "snippet": ("path", "quote", "line"),
    "tree": ("pathspec",),
    "package": ("purl", "lockfile"),
    "url": ("url", "verified", "max_age_days"),
    "commit": ("commit", "patch_id"),
}
_ACCEPTED = {
    "file": ("text", "sha256", "blob", *_WHERE),
    "symbol": ("text", "blob", "algorithm", "digest", *_WHERE),
    "snippet": ("text", "sha256", *_WHERE, "lines"),
    "tree": ("text", "digest", "tree", "files", *_WHERE),
    "package": ("text", "version", "integrity", *_STAMP),
    "commit": ("text", "state", *_STAMP),
    "entry": ("text", "digest", *_STAMP),
}


def read_anchor(fields: Fields) -> Anchor:
    """Return the anchor of a mapping; one of a kind nobody here knows is kept whole."""
    kind = fields.text("kind")
    make = _KINDS.get(kind)
    return make(fields) if make else ForeignAnchor(kind, fields.rest())


def write_anchor(anchor: Anchor) -> dict[str, Any]:
    """Return the fields of an anchor, without what is empty."""
    if isinstance(anchor, ForeignAnchor):
        return {"kind": anchor.kind, **anchor.fields}
    named = {key: getattr(anchor, key) for key in _NAMED[anchor.kind]}
    return filled({"kind": anchor.kind, **named, "accepted": _accepted(anchor)}, anchor.extra)


def read_link(fields: Fields) -> EntryLink:
    """Return the link of a mapping."""
    return EntryLink(
        id=fields.text("id"),
        name=fields.text("name"),
        accepted=fields.many("accepted", _entry_fingerprint),
        extra=fields.rest(),
    )


def write_link(link: EntryLink) -> dict[str, Any]:
    """Return the fields of a link to another entry."""
    named = {key: getattr(link, key) for key in _LINK}
    return filled({**named, "accepted": _accepted(link)}, link.extra)


def _accepted(anchor: Anchor) -> list[dict[str, Any]]:
    return [plain(item, _ACCEPTED[anchor.kind]) for item in fingerprints(anchor)]


def _file(fields: Fields) -> FileAnchor:
    return FileAnchor(
        path=fields.text("path"),
        accepted=fields.many("accepted", _file_fingerprint),
        extra=fields.rest(),
    )


def _file_fingerprint(fields: Fields) -> FileFingerprint:
    return FileFingerprint(
        text=fields.text("text"),
        sha256=fields.text("sha256"),
        blob=fields.text("blob"),
        at=fields.text("at"),
        by=fields.text("by"),
        how=fields.text("how"),
        commit=fields.text_or("commit"),
        dirty=fields.is_set("dirty"),
        extra=fields.rest(),
    )


def _symbol(fields: Fields) -> SymbolAnchor:
    return SymbolAnchor(
        path=fields.text("path"),
        symbol=fields.text("symbol"),
        accepted=fields.many("accepted", _symbol_fingerprint),
        extra=fields.rest(),
    )


def _symbol_fingerprint(fields: Fields) -> SymbolFingerprint:
    return SymbolFingerprint(
        text=fields.text("text"),
        blob=fields.text("blob"),
        algorithm=fields.number("algorithm"),
        digest=fields.text("digest"),
        at=fields.text("at"),
        by=fields.text("by"),
        how=fields.text("how"),
        commit=fields.text_or("commit"),
        dirty=fields.is_set("dirty"),
        extra=fields.rest(),
    )


def _snippet(fields: Fields) -> SnippetAnchor:
    return SnippetAnchor(
        path=fields.text("path"),
        quote=fields.text("quote"),
        line=fields.number_or("line", 1),
        accepted=fields.many("accepted", _snippet_fingerprint),
        extra=fields.rest(),
    )


def _snippet_fingerprint(fields: Fields) -> SnippetFingerprint:
    return SnippetFingerprint(
        text=fields.text("text"),
        sha256=fields.text("sha256"),
        at=fields.text("at"),
        by=fields.text("by"),
        how=fields.text("how"),
        commit=fields.text_or("commit"),
        dirty=fields.is_set("dirty"),
        lines=fields.number_or("lines"),
        extra=fields.rest(),
    )


def _tree(fields: Fields) -> TreeAnchor:
    return TreeAnchor(
        pathspec=fields.text("pathspec"),
        accepted=fields.many("accepted", _tree_fingerprint),
        extra=fields.rest(),
    )


def _tree_fingerprint(fields: Fields) -> TreeFingerprint:
    return TreeFingerprint(
        text=fields.text("text"),
        digest=fields.text("digest"),
        tree=fields.text_or("tree"),
        files=fields.number("files"),
        at=fields.text("at"),
        by=fields.text("by"),
        how=fields.text("how"),
        commit=fields.text_or("commit"),
        dirty=fields.is_set("dirty"),
        extra=fields.rest(),
    )


def _package(fields: Fields) -> PackageAnchor:
    return PackageAnchor(
        purl=fields.text("purl"),
        lockfile=fields.text("lockfile"),
        accepted=fields.many("accepted", _package_fingerprint),
        extra=fields.rest(),
    )


def _package_fingerprint(fields: Fields) -> PackageFingerprint:
    return PackageFingerprint(
        text=fields.text("text"),
        version=fields.text("version"),
        integrity=fields.text_or("integrity"),
        at=fields.text("at"),
        by=fields.text("by"),
        how=fields.text("how"),
        extra=fields.rest(),
    )


def _url(fields: Fields) -> UrlAnchor:
    return UrlAnchor(
        url=fields.text("url"),
        verified=fields.text("verified"),
        max_age_days=fields.number_or("max_age_days", limits.URL_DEFAULT_AGE_DAYS),
        extra=fields.rest(),
    )


def _commit(fields: Fields) -> CommitAnchor:
    return CommitAnchor(
        commit=fields.text("commit"),
        patch_id=fields.text_or("patch_id"),
        accepted=fields.many("accepted", _commit_fingerprint),
        extra=fields.rest(),
    )


def _commit_fingerprint(fields: Fields) -> CommitFingerprint:
    return CommitFingerprint(
        text=fields.text("text"),
        state=fields.text("state"),
        at=fields.text("at"),
        by=fields.text("by"),
        how=fields.text("how"),
        extra=fields.rest(),
    )


def _entry_fingerprint(fields: Fields) -> EntryFingerprint:
    return EntryFingerprint(
        text=fields.text("text"),
        digest=fields.text("digest"),
        at=fields.text("at"),
        by=fields.text("by"),
        how=fields.text("how"),
        extra=fields.rest(),
    )


_KINDS: dict[str, Callable[[Fields], Anchor]] = {
    "file": _file,
    "symbol": _symbol,
    "snippet": _snippet,
    "tree": _tree,
    "package": _package,
    "url": _url,
    "commit": _commit,
}
