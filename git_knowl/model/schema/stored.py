"""What stands in the store: the frontmatter of an entry, and drafts."""

from typing import Annotated, Any, Literal

from pydantic import Field

from git_knowl.model import limits
from git_knowl.model.schema import words
from git_knowl.model.schema.words import Open


class Stamp(Open):
    """Who found a fingerprint true, when and how, for the text with the digest ``text``."""

    text: words.Digest
    at: words.Time
    by: Annotated[str, words.line(limits.PATH)]
    how: words.Tag


class FileFingerprint(Stamp):
    """Content of a file as git stores it."""

    sha256: words.Digest
    blob: Annotated[
        str,
        Field(
            description="an object id with its format",
            json_schema_extra={"pattern": "^(sha1:[0-9a-f]{40}|sha256:[0-9a-f]{64})$"},
        ),
    ]
    commit: str | None = None
    dirty: bool = False


class PackageFingerprint(Stamp):
    """A resolved version."""

    version: Annotated[str, words.line(limits.PATH)]
    integrity: str | None = None


class FileAnchor(Open):
    """A regular file or symlink."""

    kind: Literal["file"]
    path: words.Path
    accepted: tuple[FileFingerprint, ...] = ()


class PackageAnchor(Open):
    """A package and the lockfile that resolves it."""

    kind: Literal["package"]
    purl: words.Purl
    lockfile: words.Path
    accepted: tuple[PackageFingerprint, ...] = ()


class UrlAnchor(Open):
    """A page that was read."""

    kind: Literal["url"]
    url: words.Url
    verified: words.Time
    max_age_days: words.Days = limits.URL_DEFAULT_AGE_DAYS


class ForeignAnchor(Open):
    """An anchor of a kind that a newer program made; it is kept as it came."""

    kind: Annotated[
        str,
        Field(
            description="a kind of a newer program",
            json_schema_extra={"not": {"enum": ["file", "package", "url"]}},
        ),
    ]


class Source(Open):
    """Who or what vouches for the entry."""

    kind: words.SourceKind
    ref: words.Reference | None = None
    quote: words.Quote | None = None


class Link(Open):
    """Another entry: the id decides, the name is for people."""

    id: words.Id
    name: words.Name


class Related(Open):
    """Another entry on the same subject."""

    id: words.Id
    relation: Literal["extends", "contradicts"]
    score: int | None = None


class Reviewed(Open):
    """Who let the text in, when and by which door."""

    by: Annotated[str, words.line(limits.PATH)]
    at: words.Time
    how: words.Tag


class Promoted(Open):
    """The guideline file that took the entry over."""

    file: words.Path
    digest: words.Digest


class Entry(Open):
    """The frontmatter of an entry; the body follows it as Markdown."""

    name: words.Name
    id: words.Id
    description: words.Description
    type: words.Type
    created: words.Time
    updated: words.Time
    as_of: str | None = None
    patch_id: str | None = None
    rev: Annotated[int, Field(ge=1)] = 1
    anchors: Annotated[
        tuple[FileAnchor | PackageAnchor | UrlAnchor | ForeignAnchor, ...],
        Field(max_length=limits.ANCHORS),
    ] = ()
    source: Source | None = None
    provenance: words.Provenance = "observed"
    depends_on: tuple[Link, ...] = ()
    supersedes: tuple[words.Id, ...] = ()
    related: tuple[Related, ...] = ()
    tags: Annotated[tuple[words.Tag, ...], Field(max_length=limits.TAGS)] = ()
    reviewed: Reviewed | None = None
    promoted: Promoted | None = None


class Draft(Open):
    """A proposal that waits for a person, as the inbox keeps it."""

    id: words.Id
    kind: Literal["capture", "update", "retire", "discard", "guideline"]
    item: words.Digest
    at: words.Time
    by: str
    name: words.Name | None = None
    flags: tuple[words.Id, ...] = ()
    warnings: tuple[str, ...] = ()
    entry: Entry | None = None
    body: words.Body | None = None
    target: words.Id | None = None
    expected: words.Digest | None = None
    reason: words.Reason | None = None
    lane: words.Lane = "shared"
    host: str | None = None
    session: str | None = None
    worktree: str | None = None
    guideline: dict[str, Any] | None = None
    tests: dict[str, Any] | None = None
