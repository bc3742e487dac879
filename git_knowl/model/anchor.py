"""Anchors as a closed union: what an entry rests on, with the fingerprints found true.

A fingerprint counts for one text of the entry only: ``text`` holds the entry's digest.
Kinds written by a newer program are kept as they came and judged unknown.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias


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
class FileAnchor:
    """A regular file or symlink, by its path from the top of the work tree."""

    path: str
    accepted: tuple[FileFingerprint, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def kind(self) -> str:
        """The kind as it stands in documents."""
        return "file"

    @property
    def target(self) -> str:
        """The anchor as it is written on the command line."""
        return f"file:{self.path}"


@dataclass(frozen=True, slots=True)
class PackageAnchor:
    """A package as a purl without version, and the lockfile that resolves it.

    ``lockfile`` is empty as long as only the package was named and nobody looked for it.
    """

    purl: str
    lockfile: str
    accepted: tuple[PackageFingerprint, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def kind(self) -> str:
        """The kind as it stands in documents."""
        return "package"

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

    url: str
    verified: str
    max_age_days: int
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def kind(self) -> str:
        """The kind as it stands in documents."""
        return "url"

    @property
    def target(self) -> str:
        """The anchor as it is written on the command line."""
        return f"url:{self.max_age_days}d:{self.url}"


@dataclass(frozen=True, slots=True)
class ForeignAnchor:
    """An anchor of a kind this program does not know; kept byte for byte, judged unknown."""

    kind: str
    fields: Mapping[str, Any] = field(hash=False)

    @property
    def target(self) -> str:
        """A readable name: the kind and the first text among the fields."""
        first = next((v for v in self.fields.values() if isinstance(v, str)), "")
        return f"{self.kind}:{first}"


Anchor: TypeAlias = FileAnchor | PackageAnchor | UrlAnchor | ForeignAnchor
