"""What every anchor kind shares: the world it may look at, what it sees there, and its Protocol.

A kind is a module with ``judge`` and ``observe``. It reads a World and nothing else: no clock, no
environment, no working directory, so the same anchor can be judged in any worktree or commit.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias, TypeVar

from git_knowl.errors import KnowlError
from git_knowl.model.anchor import Anchor, Fingerprint
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from git_knowl.model.verdict import AnchorVerdict

if TYPE_CHECKING:
    from git_knowl.anchors.commits import Standing
    from git_knowl.plumbing.history import Commit
    from git_knowl.plumbing.repository import Repository

State: TypeAlias = Literal[
    "present", "absent", "directory", "unreadable", "filter-failed", "special"
]

WORKTREE = "worktree"
"""The label of the world of working files."""

STAGED = "staged"
"""The label of the world that is about to be committed."""

_HEX = frozenset("0123456789abcdef")

AnchorT = TypeVar("AnchorT", bound=Anchor)
FingerprintT = TypeVar("FingerprintT", bound=Fingerprint)


class AnchorError(KnowlError):
    """An anchor that cannot be made here: its evidence is not there or cannot be fingerprinted."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What a world shows at one path.

    ``blob`` is the object id in hex of the content as git stores it, given with ``present`` only.
    ``dirty`` tells that the index of this world has something else at the path, or nothing: the
    content may be in no object yet. ``note`` says in words what a reader should know besides.
    """

    state: State
    blob: str | None = None
    mode: str | None = None
    dirty: bool = False
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Past:
    """What the history of the commit a world is compared with knows of one path.

    ``change`` is the commit that gave the path its content there, or removed it; ``is_known`` tells
    whether any commit had it, ``is_cut`` whether the history ends early in this clone, and
    ``renamed_to`` where a removed file lives now, found again by likeness, and ``parts`` the files
    that the change made out of the file, which stayed.
    """

    change: "Commit | None" = None
    is_known: bool = False
    is_cut: bool = False
    renamed_to: str | None = None
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Files:
    """The tracked files that a pathspec names, each with its blob.

    ``unsure`` are those whose content cannot be told, with the reason, ``looked`` those of which
    the working file was looked at, because git cannot tell its content by the stat.
    """

    blobs: Mapping[str, str]
    unsure: Mapping[str, str] = field(default_factory=dict)
    looked: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who accepts a fingerprint, when and by which door, and the entry text it counts for."""

    text: str
    at: str
    by: str
    how: str


class World(Protocol):
    """The files somebody asks about: a work tree, the index, or a commit."""

    @property
    def repo(self) -> "Repository":
        """The repository the files belong to."""

    @property
    def now(self) -> str:
        """The time of asking, as ``2026-11-29T10:00:00Z``."""

    @property
    def label(self) -> str:
        """How people call this world: ``worktree``, ``staged`` or ``commit REV``."""

    @property
    def head(self) -> str | None:
        """The commit these files are compared with; None while there is none."""

    @property
    def is_hurried(self) -> bool:
        """Whether somebody waits at a hook: what takes long is left unknown."""

    def blobs(self, paths: Sequence[str]) -> dict[str, Observation]:
        """Return what stands at every one of the paths, seen in as few git calls as possible."""

    def content(self, path: str) -> bytes | None:
        """Return a file as git stores it; None when it is absent or cannot be read."""

    def digests(self, paths: Sequence[str]) -> dict[str, str | None]:
        """Return the SHA-256 of each file as git stores it; None where there is no content."""

    def committed(self, paths: Sequence[str]) -> dict[str, str | None]:
        """Return the blob that ``head`` holds at each path, None where it holds no file."""

    def past(self, paths: Sequence[str]) -> dict[str, Past]:
        """Return what the history of ``head`` knows of the paths; this may take a while."""

    def holders(self, blobs: Iterable[str]) -> set[str]:
        """Return the paths that hold one of the blobs, by the index or commit of this world."""

    def renamed_to(self, path: str) -> str | None:
        """Return where a file of ``head`` is now, by the likeness of what is staged."""

    def contents(self, paths: Sequence[str]) -> dict[str, bytes | None]:
        """Return files as git stores them and keep them in memory; None as for ``content``."""

    def files(self, pathspec: str) -> Files:
        """Return the tracked files that a pathspec names; raises PathspecError."""

    def committed_content(self, path: str) -> bytes | None:
        """Return what ``head`` holds at a path; None where it holds no file."""

    def committed_files(self, pathspec: str) -> Mapping[str, str]:
        """Return the blob that ``head`` holds at each path that a pathspec names."""

    def renamed_folder(self, folder: str) -> str | None:
        """Return where the files of a folder went together, by the likeness of their contents."""

    def companions(self, path: str) -> list[str]:
        """Return files that were written together with the last change of a path, a few at most.

        What has left the path may stand in one of them.
        """

    def standings(self, commits: Mapping[str, str | None]) -> "dict[str, Standing]":
        """Return where commits, given with their patch-ids, stand in the history of ``head``."""


class AnchorKind(Protocol[AnchorT]):
    """What a module of one anchor kind offers."""

    def judge(self, anchor: AnchorT, digest: str, world: World) -> AnchorVerdict:
        """Compare the anchor with the world, by what was accepted for the text ``digest``."""

    def observe(self, anchor: AnchorT, world: World, stamp: Stamp) -> AnchorT:
        """Return the anchor with the present fingerprint as its only accepted one.

        Raises AnchorError when there is nothing to accept.
        """


def own_object(said: str, repo: "Repository") -> str | None:
    """Return the id in hex that ``FORMAT:HEX`` gives, where a repository can have such an object.

    Whatever else an entry says there is handed to nobody.
    """
    object_format, _, oid = said.partition(":")
    if object_format != repo.object_format or len(oid) != len(repo.zero_id):
        return None
    return oid if _HEX.issuperset(oid) else None


def accepted_for(accepted: Iterable[FingerprintT], digest: str) -> list[FingerprintT]:
    """Return the fingerprints that count for this text of the entry, the latest one last."""
    return sorted((item for item in accepted if item.text == digest), key=lambda item: item.at)


def active(anchor: Anchor, note: str | None = None) -> AnchorVerdict:
    """Return the verdict that the evidence still holds."""
    return AnchorVerdict(anchor.kind, anchor.target, ACTIVE, note=note)


def suspect(anchor: Anchor, reason: str, expected: str, found: str | None = None) -> AnchorVerdict:
    """Return the verdict that the evidence changed; ``found`` is None when nothing is left."""
    return AnchorVerdict(
        anchor.kind, anchor.target, SUSPECT, reason=reason, expected=expected, found=found
    )


def unknown(anchor: Anchor, reason: str) -> AnchorVerdict:
    """Return the verdict that nobody can tell from here."""
    return AnchorVerdict(anchor.kind, anchor.target, UNKNOWN, reason=reason)
