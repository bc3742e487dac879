"""Anchors as a closed union: what an entry rests on, with the fingerprints found true.

A fingerprint counts for one text of the entry only: ``text`` holds the entry's digest.
Kinds written by a newer program are kept as they came and judged unknown.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeAlias, TypeVar

from git_knowl.model import limits

APPLIED = "applied"
REVERTED = "reverted"


@dataclass(frozen=True, slots=True)
class FileFingerprint:
    """Content of a file as git stores it: ``blob`` is ``FORMAT:HEX``, ``sha256`` plain hex."""

    text: str
    sha256: str
    blob: str
    at: str
    by: str
    how: str
    commit: str | None = None
    dirty: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class SymbolFingerprint:
    """Syntax tree of a symbol: ``digest`` by the algorithm of that number, in the file ``blob``."""

    text: str
    blob: str
    algorithm: int
    digest: str
    at: str
    by: str
    how: str
    commit: str | None = None
    dirty: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class SnippetFingerprint:
    """Folded lines: ``lines`` is their number where it is not that of the quote."""

    text: str
    sha256: str
    at: str
    by: str
    how: str
    commit: str | None = None
    dirty: bool = False
    lines: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class TreeFingerprint:
    """A set of files: ``digest`` is ``FORMAT:HEX`` over paths and blobs, ``tree`` a git tree id.

    FORMAT is that of the object ids that were counted; ``tree`` is there where the set was one
    directory as committed.
    """

    text: str
    digest: str
    tree: str | None
    files: int
    at: str
    by: str
    how: str
    commit: str | None = None
    dirty: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class PackageFingerprint:
    """Resolved version of a package; several in one lockfile are sorted and joined by ', '."""

    text: str
    version: str
    at: str
    by: str
    how: str
    integrity: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class CommitFingerprint:
    """Whether a commit counted where it was looked at: ``state`` is applied or reverted."""

    text: str
    state: str
    at: str
    by: str
    how: str
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class EntryFingerprint:
    """The text of another entry, by its digest."""

    text: str
    digest: str
    at: str
    by: str
    how: str
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class FileAnchor:
    """A regular file or symlink, by its path from the top of the work tree."""

    kind: ClassVar[str] = "file"
    path: str
    accepted: tuple[FileFingerprint, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def target(self) -> str:
        """The anchor as it is written on the command line."""
        return f"file:{self.path}"


@dataclass(frozen=True, slots=True)
class SymbolAnchor:
    """A named part of a source file, by its qualified name."""

    kind: ClassVar[str] = "symbol"
    path: str
    symbol: str
    accepted: tuple[SymbolFingerprint, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def target(self) -> str:
        """The anchor as it is written on the command line; the first ``#`` ends the path."""
        return f"symbol:{self.path.replace('%', '%25').replace('#', '%23')}#{self.symbol}"


@dataclass(frozen=True, slots=True)
class SnippetAnchor:
    """Lines of a file, wherever in it they stand; ``line`` is where they first began.

    As long as nobody has read them, ``quote`` is blank, but has their number; ``line`` is 0 for
    quoted lines that nobody has found.
    """

    kind: ClassVar[str] = "snippet"
    path: str
    quote: str
    line: int
    accepted: tuple[SnippetFingerprint, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def length(self) -> int:
        """How many lines are quoted."""
        return self.quote.count("\n") + 1

    @property
    def target(self) -> str:
        """The anchor as it is written on the command line."""
        return f"snippet:{self.path}:{self.line}-{self.line + self.length - 1}"


@dataclass(frozen=True, slots=True)
class TreeAnchor:
    """The tracked files of a directory or of a pathspec, magic words allowed."""

    kind: ClassVar[str] = "tree"
    pathspec: str
    accepted: tuple[TreeFingerprint, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def target(self) -> str:
        """The anchor as it is written on the command line."""
        return f"tree:{self.pathspec}"


@dataclass(frozen=True, slots=True)
class PackageAnchor:
    """A package as a purl without version, and the lockfile that resolves it.

    ``lockfile`` is empty as long as only the package was named and nobody looked for it.
    """

    kind: ClassVar[str] = "package"
    purl: str
    lockfile: str
    accepted: tuple[PackageFingerprint, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def target(self) -> str:
        """The anchor as it is written on the command line."""
        named = self.purl.removeprefix("pkg:").replace("%40", "@")
        return f"package:{named}!{self.lockfile}" if self.lockfile else f"package:{named}"


@dataclass(frozen=True, slots=True)
class UrlAnchor:
    """A page that was read: nothing is fetched, only the age of ``verified`` counts.

    ``verified`` is empty until somebody stamps it.
    """

    kind: ClassVar[str] = "url"
    url: str
    verified: str
    max_age_days: int
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def target(self) -> str:
        """The anchor as it is written on the command line."""
        return f"url:{self.max_age_days}d:{self.url}"


@dataclass(frozen=True, slots=True)
class CommitAnchor:
    """A commit by its full id, and the patch-id by which it is known again under another one.

    ``commit`` is any revision as long as nobody has looked it up.
    """

    kind: ClassVar[str] = "commit"
    commit: str
    patch_id: str | None = None
    accepted: tuple[CommitFingerprint, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def target(self) -> str:
        """The anchor as it is written on the command line."""
        return f"commit:{self.commit}"


@dataclass(frozen=True, slots=True)
class EntryLink:
    """Another entry that this one needs: the id decides, the name is for people.

    In documents it stands under ``depends_on``. ``id`` is empty as long as only the name was given
    and nobody looked it up.
    """

    kind: ClassVar[str] = "entry"
    id: str
    name: str
    accepted: tuple[EntryFingerprint, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def target(self) -> str:
        """The anchor as it is written on the command line."""
        return f"entry:{self.name}"


@dataclass(frozen=True, slots=True)
class ForeignAnchor:
    """An anchor of a kind this program does not know; kept byte for byte, judged unknown."""

    kind: str
    fields: Mapping[str, Any] = field(hash=False)

    @property
    def first(self) -> str:
        """The first text among the fields."""
        return next((v for v in self.fields.values() if isinstance(v, str)), "")

    @property
    def target(self) -> str:
        """A readable name: the kind and the first text among the fields, as far as a path goes."""
        first = self.first
        told = first if len(first) <= limits.PATH else f"{first[: limits.PATH - 1]}…"
        return f"{self.kind}:{told}"


Fingerprint: TypeAlias = (
    FileFingerprint
    | SymbolFingerprint
    | SnippetFingerprint
    | TreeFingerprint
    | PackageFingerprint
    | CommitFingerprint
    | EntryFingerprint
)
Accepting: TypeAlias = (
    FileAnchor
    | SymbolAnchor
    | SnippetAnchor
    | TreeAnchor
    | PackageAnchor
    | CommitAnchor
    | EntryLink
)
Anchor: TypeAlias = Accepting | UrlAnchor | ForeignAnchor
AnchorT = TypeVar("AnchorT", bound=Anchor)


def fingerprints(anchor: Anchor) -> tuple[Fingerprint, ...]:
    """Return what was accepted of an anchor; pages and kinds of newer programs have nothing."""
    return () if isinstance(anchor, UrlAnchor | ForeignAnchor) else anchor.accepted


def accepting(anchor: AnchorT, items: Iterable[Fingerprint]) -> AnchorT:
    """Return the anchor with these fingerprints in place of its own, where its kind has any."""
    if isinstance(anchor, UrlAnchor | ForeignAnchor):
        return anchor
    changed: Any = replace(anchor, accepted=tuple(items))  # type: ignore[arg-type]
    made: AnchorT = changed
    return made
