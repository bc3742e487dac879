"""The entry: a reviewed piece of knowledge, and the digest that names one text of it."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from git_knowl.model.anchor import Anchor, EntryLink, SnippetAnchor

TYPES = ("project", "reference", "feedback")
PROVENANCES = ("observed", "stated", "inferred")
SOURCE_KINDS = ("quote", "session", "commit", "task", "url")
HOWS = ("terminal", "web", "unattended")
SHARED = "shared"
LOCAL = "local"
LANES = (SHARED, LOCAL)


@dataclass(frozen=True, slots=True)
class Source:
    """Who or what vouches for an entry."""

    kind: str
    ref: str | None = None
    quote: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Related:
    """Another entry on the same subject: ``relation`` is extends or contradicts."""

    id: str
    relation: str
    score: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The person who let the text in, when, and by which door."""

    by: str
    at: str
    how: str
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Promoted:
    """The guideline file that took the entry over, with the digest promoted."""

    file: str
    digest: str
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Entry:
    """One reviewed piece of knowledge; times are UTC as ``2026-11-29T10:00:00Z``."""

    name: str
    id: str
    description: str
    type: str
    created: str
    updated: str
    rev: int
    body: str
    as_of: str | None = None
    patch_id: str | None = None
    anchors: tuple[Anchor, ...] = ()
    source: Source | None = None
    provenance: str = "observed"
    depends_on: tuple[EntryLink, ...] = ()
    supersedes: tuple[str, ...] = ()
    related: tuple[Related, ...] = ()
    tags: tuple[str, ...] = ()
    reviewed: Reviewed | None = None
    promoted: Promoted | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def digest(self) -> str:
        """SHA-256 over what a reader is told; fingerprints, times and reviewer are left out."""
        return text_digest(self)

    @property
    def evidence(self) -> tuple[Anchor, ...]:
        """All that the entry rests on: its anchors, then the entries it depends on."""
        return (*self.anchors, *self.depends_on)

    def resting_on(self, evidence: Iterable[Anchor]) -> "Entry":
        """Return the entry with this evidence, each piece in its field."""
        found = tuple(evidence)
        return replace(
            self,
            anchors=tuple(one for one in found if not isinstance(one, EntryLink)),
            depends_on=tuple(one for one in found if isinstance(one, EntryLink)),
        )


def text_digest(entry: Entry) -> str:
    """Return the SHA-256 hex of name, description, type, body, targets, source, links and tags.

    Of a snippet the quoted lines count after the target. Canonical JSON (sorted keys, no spaces,
    UTF-8), so that other programs can compute it.
    """
    source = entry.source
    told = {
        "name": entry.name,
        "description": entry.description,
        "type": entry.type,
        "body": entry.body,
        "anchors": [_named(anchor) for anchor in entry.anchors],
        "source": source and {"kind": source.kind, "ref": source.ref, "quote": source.quote},
        "depends_on": [{"id": link.id, "name": link.name} for link in entry.depends_on],
        "tags": list(entry.tags),
    }
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _named(anchor: Anchor) -> str:
    if isinstance(anchor, SnippetAnchor):
        return f"{anchor.target}\n{anchor.quote}"
    return anchor.target
