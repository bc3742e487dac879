"""What stands in the store: the frontmatter of an entry, and drafts."""

from typing import Annotated, Any, Literal

from pydantic import Field

from git_knowl.model import limits
from git_knowl.model.schema import words
from git_knowl.model.schema.words import Open

KINDS = ("file", "symbol", "snippet", "tree", "package", "url", "commit")


class Stamp(Open):
    """Who found a fingerprint true, when and how, for the text with the digest ``text``."""

    text: words.Digest
    at: words.Time
    by: Annotated[str, words.line(limits.PATH)]
    how: words.Tag


class FileFingerprint(Stamp):
    """Content of a file as git stores it."""

    sha256: words.Digest
    blob: words.Object
    commit: str | None = None
    dirty: bool = False


class SymbolFingerprint(Stamp):
    """Syntax tree of a symbol; ``algorithm`` numbers the way it was digested."""

    blob: words.Object
    algorithm: int
    digest: words.Digest
    commit: str | None = None
    dirty: bool = False


class SnippetFingerprint(Stamp):
    """Folded lines; ``lines`` is their number where it is not that of the quote."""

    sha256: words.Digest
    commit: str | None = None
    dirty: bool = False
    lines: Annotated[int, Field(ge=1, le=limits.SNIPPET_LINES)] | None = None


class TreeFingerprint(Stamp):
    """A set of files: a digest over paths and blobs, and the git tree where it is one."""

    digest: words.TreeDigest
    tree: words.Object | None = None
    files: Annotated[int, Field(ge=1)]
    commit: str | None = None
    dirty: bool = False


class PackageFingerprint(Stamp):
    """A resolved version."""

    version: Annotated[str, words.line(limits.PATH)]
    integrity: str | None = None


class CommitFingerprint(Stamp):
    """Whether the commit counted where it was looked at."""

    state: Literal["applied", "reverted"]


class EntryFingerprint(Stamp):
    """The text of another entry."""

    digest: words.Digest


class FileAnchor(Open):
    """A regular file or symlink."""

    kind: Literal["file"]
    path: words.Path
    accepted: tuple[FileFingerprint, ...] = ()


class SymbolAnchor(Open):
    """A named part of a source file."""

    kind: Literal["symbol"]
    path: words.Path
    symbol: words.Symbol
    accepted: tuple[SymbolFingerprint, ...] = ()


class SnippetAnchor(Open):
    """Lines of a file; ``line`` is where they began when they were first anchored."""

    kind: Literal["snippet"]
    path: words.Path
    quote: words.Snippet
    line: words.Line = 1
    accepted: tuple[SnippetFingerprint, ...] = ()


class TreeAnchor(Open):
    """The tracked files of a directory or pathspec."""

    kind: Literal["tree"]
    pathspec: words.Pathspec
    accepted: tuple[TreeFingerprint, ...] = ()


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


class CommitAnchor(Open):
    """A commit, and the patch-id by which it is known again under another id."""

    kind: Literal["commit"]
    commit: words.ObjectId
    patch_id: words.ObjectId | None = None
    accepted: tuple[CommitFingerprint, ...] = ()


class ForeignAnchor(Open):
    """An anchor of a kind that a newer program made; it is kept as it came."""

    kind: Annotated[
        str,
        Field(
            description="a kind of a newer program",
            json_schema_extra={"not": {"enum": list(KINDS)}},
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
    accepted: tuple[EntryFingerprint, ...] = ()


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
        tuple[
            FileAnchor
            | SymbolAnchor
            | SnippetAnchor
            | TreeAnchor
            | PackageAnchor
            | UrlAnchor
            | CommitAnchor
            | ForeignAnchor,
            ...,
        ],
        Field(max_length=limits.ANCHORS),
    ] = ()
    source: Source | None = None
    provenance: words.Provenance = "observed"
    depends_on: Annotated[tuple[Link, ...], Field(max_length=limits.DEPENDS_ON)] = ()
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
    sender: str | None = None
