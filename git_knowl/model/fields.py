"""Entry <-> plain fields: the nested mapping that a document's frontmatter and a draft hold.

Reading is tolerant where a newer program may have written: keys nobody here knows are kept with
the value they stand in, anchors of unknown kinds are kept whole. Writing leaves out what a reader
would fill in anyway and keeps one order of keys.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, overload

from git_knowl.errors import KnowlError
from git_knowl.model import limits
from git_knowl.model.anchor import (
    Anchor,
    FileAnchor,
    FileFingerprint,
    ForeignAnchor,
    PackageAnchor,
    PackageFingerprint,
    UrlAnchor,
)
from git_knowl.model.entry import (
    TYPES,
    Entry,
    EntryLink,
    Promoted,
    Related,
    Reviewed,
    Source,
)
from git_knowl.model.ids import is_id
from git_knowl.model.quoting import shown

T = TypeVar("T")

KEBAB_CASE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
KEBAB_CASE_WORDS = "kebab-case (lower-case letters and digits, joined by single hyphens)"

_ABSENT: Any = object()


class DocumentError(KnowlError):
    """A document that is no entry; ``field`` is the path to what is wrong: ``anchors.0.path``."""

    def __init__(self, field: str, expected: str, got: str = "nothing") -> None:
        super().__init__(
            f"{field}: expected {expected}, got {got}", "'git knowl schema entry' lists every field"
        )
        self.field = field
        self.expected = expected


class Fields:
    """One mapping on its way to a value: hands out checked fields; what is left over is extra."""

    def __init__(self, found: object, at: str = "") -> None:
        if not isinstance(found, Mapping):
            raise DocumentError(at or "frontmatter", "a mapping of keys to values", shown(found))
        self._left = dict(found)
        self._at = at

    def path(self, key: str) -> str:
        """Return how messages name a field."""
        return f"{self._at}.{key}" if self._at else key

    def text(self, key: str) -> str:
        """Return a field that must be there, as text."""
        found = self._left.pop(key, _ABSENT)
        return _as_text(found, self.path(key))

    @overload
    def text_or(self, key: str, default: None = None) -> str | None: ...
    @overload
    def text_or(self, key: str, default: str) -> str: ...
    def text_or(self, key: str, default: str | None = None) -> str | None:
        """Return a field as text, or the default where it is missing or empty."""
        found = self._left.pop(key, None)
        return default if found is None else _as_text(found, self.path(key))

    @overload
    def number_or(self, key: str, default: None = None) -> int | None: ...
    @overload
    def number_or(self, key: str, default: int) -> int: ...
    def number_or(self, key: str, default: int | None = None) -> int | None:
        """Return a field as a whole number, or the default."""
        found = self._left.pop(key, None)
        if found is None:
            return default
        if isinstance(found, bool) or not isinstance(found, int):
            raise DocumentError(self.path(key), "a whole number", shown(found))
        return found

    def is_set(self, key: str) -> bool:
        """Return a true-or-false field, false where it is missing."""
        found = self._left.pop(key, None)
        if found is None:
            return False
        if not isinstance(found, bool):
            raise DocumentError(self.path(key), "true or false", shown(found))
        return found

    def one(self, key: str, make: "Callable[[Fields], T]") -> T | None:
        """Return the value made from a nested mapping, or None where it is missing."""
        found = self._left.pop(key, None)
        return None if found is None else make(Fields(found, self.path(key)))

    def many(self, key: str, make: "Callable[[Fields], T]") -> tuple[T, ...]:
        """Return the values made from a list of mappings."""
        return tuple(make(Fields(item, at)) for item, at in self._listed(key))

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts."""
        return tuple(_as_text(item, at) for item, at in self._listed(key))

    def rest(self) -> dict[str, Any]:
        """Return what nobody asked for."""
        return self._left

    def _listed(self, key: str) -> Iterable[tuple[object, str]]:
        found = self._left.pop(key, None)
        if found is None:
            found = []
        if not isinstance(found, list | tuple):
            raise DocumentError(self.path(key), "a list", shown(found))
        return [(item, f"{self.path(key)}.{place}") for place, item in enumerate(found)]


def _as_text(found: object, at: str) -> str:
    # A number or truth value has one spelling in our YAML, so it is text somebody left unquoted.
    if isinstance(found, str):
        return found
    if isinstance(found, bool):
        return "true" if found else "false"
    if isinstance(found, int):
        return str(found)
    raise DocumentError(at, "text", "nothing" if found is _ABSENT else shown(found))


def from_fields(found: object, body: str) -> Entry:
    """Return the entry of a frontmatter mapping and a body.

    Raises DocumentError when a required field is missing, a value has the wrong shape, or a value
    would be unsafe to build a path from. Softer rules are `git_knowl.model.rules`.
    """
    fields = Fields(found)
    if len(body) > limits.BODY:
        expected = f"at most {limits.BODY} characters"
        raise DocumentError("body", expected, f"{len(body)}")
    return Entry(
        name=_name(fields),
        id=_identifier(fields),
        description=fields.text("description"),
        type=_type(fields),
        created=fields.text("created"),
        updated=fields.text("updated"),
        as_of=fields.text_or("as_of"),
        patch_id=fields.text_or("patch_id"),
        rev=fields.number_or("rev", 1),
        anchors=fields.many("anchors", _anchor),
        source=fields.one("source", _source),
        provenance=fields.text_or("provenance", "observed"),
        depends_on=fields.many("depends_on", _link),
        supersedes=fields.texts("supersedes"),
        related=fields.many("related", _related),
        tags=fields.texts("tags"),
        reviewed=fields.one("reviewed", _reviewed),
        promoted=fields.one("promoted", _promoted),
        body=body,
        extra=fields.rest(),
    )


def _name(fields: Fields) -> str:
    name = fields.text("name")
    if len(name) > limits.NAME or not KEBAB_CASE.fullmatch(name):
        expected = f"{KEBAB_CASE_WORDS} of at most {limits.NAME} characters"
        raise DocumentError(fields.path("name"), expected, shown(name))
    return name


def _identifier(fields: Fields) -> str:
    identifier = fields.text("id")
    if not is_id(identifier):
        raise DocumentError(fields.path("id"), "a lower-case ULID", shown(identifier))
    return identifier


def _type(fields: Fields) -> str:
    kind = fields.text("type")
    if kind not in TYPES:
        raise DocumentError(fields.path("type"), f"one of {', '.join(TYPES)}", shown(kind))
    return kind


def _anchor(fields: Fields) -> Anchor:
    kind = fields.text("kind")
    make = _ANCHORS.get(kind)
    return make(fields) if make else ForeignAnchor(kind, fields.rest())


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


_ANCHORS: dict[str, Callable[[Fields], Anchor]] = {"file": _file, "package": _package, "url": _url}


def _source(fields: Fields) -> Source:
    return Source(
        kind=fields.text("kind"),
        ref=fields.text_or("ref"),
        quote=fields.text_or("quote"),
        extra=fields.rest(),
    )


def _link(fields: Fields) -> EntryLink:
    return EntryLink(id=fields.text("id"), name=fields.text("name"), extra=fields.rest())


def _related(fields: Fields) -> Related:
    return Related(
        id=fields.text("id"),
        relation=fields.text("relation"),
        score=fields.number_or("score"),
        extra=fields.rest(),
    )


def _reviewed(fields: Fields) -> Reviewed:
    return Reviewed(
        by=fields.text("by"), at=fields.text("at"), how=fields.text("how"), extra=fields.rest()
    )


def _promoted(fields: Fields) -> Promoted:
    return Promoted(file=fields.text("file"), digest=fields.text("digest"), extra=fields.rest())


def to_fields(entry: Entry) -> dict[str, Any]:
    """Return the frontmatter of an entry in its fixed order, without the body and what is empty."""
    known = {
        "name": entry.name,
        "id": entry.id,
        "description": entry.description,
        "type": entry.type,
        "created": entry.created,
        "updated": entry.updated,
        "as_of": entry.as_of,
        "patch_id": entry.patch_id,
        "rev": entry.rev,
        "anchors": [_anchor_fields(anchor) for anchor in entry.anchors],
        "source": entry.source and _plain(entry.source, ("kind", "ref", "quote")),
        "provenance": None if entry.provenance == "observed" else entry.provenance,
        "depends_on": [_plain(link, ("id", "name")) for link in entry.depends_on],
        "supersedes": list(entry.supersedes),
        "related": [_plain(other, ("id", "relation", "score")) for other in entry.related],
        "tags": list(entry.tags),
        "reviewed": entry.reviewed and _plain(entry.reviewed, ("by", "at", "how")),
        "promoted": entry.promoted and _plain(entry.promoted, ("file", "digest")),
    }
    return _filled(known, entry.extra)


_FILE_FINGERPRINT = ("text", "sha256", "blob", "at", "by", "how", "commit", "dirty")
_PACKAGE_FINGERPRINT = ("text", "version", "integrity", "at", "by", "how")


def _anchor_fields(anchor: Anchor) -> dict[str, Any]:
    if isinstance(anchor, ForeignAnchor):
        return {"kind": anchor.kind, **anchor.fields}
    if isinstance(anchor, UrlAnchor):
        return _plain(anchor, ("kind", "url", "verified", "max_age_days"))
    if isinstance(anchor, FileAnchor):
        accepted = [_plain(item, _FILE_FINGERPRINT) for item in anchor.accepted]
        named = {"path": anchor.path}
    else:
        accepted = [_plain(item, _PACKAGE_FINGERPRINT) for item in anchor.accepted]
        named = {"purl": anchor.purl, "lockfile": anchor.lockfile}
    return _filled({"kind": anchor.kind, **named, "accepted": accepted}, anchor.extra)


def _plain(value: Any, keys: tuple[str, ...]) -> dict[str, Any]:
    return _filled({key: getattr(value, key) for key in keys}, value.extra)


def _filled(known: Mapping[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    filled = {key: value for key, value in known.items() if not _goes_unsaid(value)}
    return {**filled, **{key: value for key, value in extra.items() if key not in known}}


def _goes_unsaid(value: Any) -> bool:
    return value is None or value is False or value == []
