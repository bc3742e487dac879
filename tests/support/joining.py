"""Two or more clones on disk that hand their shared lane to each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from git_knowl.plumbing import refs
from git_knowl.store.merge.join import Joined, join
from git_knowl.store.snapshot import Snapshot
from git_knowl.store.transaction import Record
from tests.support.builders import RepoBuilder
from tests.support.stores import AT, open_store, write

if TYPE_CHECKING:
    from pathlib import Path

    from git_knowl.store.snapshot import Stored
    from git_knowl.store.store import Store
    from git_knowl.store.transaction import Change

COPY = "refs/knowl-remotes/other/entries"


class Peer:
    """A repository with its store, and what it does with the store of another."""

    def __init__(self, builder: RepoBuilder, *, bulk: bool = False) -> None:
        self.builder = builder
        self.store: Store = open_store(builder, bulk=bulk)
        self.record = Record("sync", "sync with other", f"{builder.path.name} <p@example.org>", AT)

    @classmethod
    def make(cls, folder: Path, name: str, object_format: str = "sha1", **how: Any) -> Peer:
        """Return a peer in a new repository."""
        return cls(RepoBuilder.start(folder, object_format, name=name), **how)

    @property
    def tip(self) -> str | None:
        """The commit of the shared lane."""
        return self.store.view().commits[refs.ENTRIES]

    @property
    def tree(self) -> str:
        """The tree of the shared lane."""
        return self.builder.rev(f"{refs.ENTRIES}^{{tree}}")

    def write(self, *changes: Change, op: str = "capture") -> str:
        """Publish changes and return the commit."""
        record = Record(op, f"{op} something", f"{self.builder.path.name} <p@example.org>", AT)
        return write(self.store, *changes, record=record).commits[refs.ENTRIES]

    def fetch(self, other: Peer) -> str:
        """Bring the other's shared lane into this repository and return its commit."""
        spec = f"+{refs.ENTRIES}:{COPY}"
        self.builder.git("fetch", "-q", "--no-tags", str(other.builder.path), spec)
        return self.builder.rev(COPY)

    def join(self, other: Peer, **how: Any) -> Joined:
        """Join what the other has now."""
        return join(self.store, self.fetch(other), self.record, **how)

    def snapshot(self) -> Snapshot:
        """Return the shared lane as it stands."""
        return Snapshot(self.store.view(), "shared")

    def live(self, identifier: str) -> Stored | None:
        """Return a live entry."""
        return self.snapshot().get(identifier)

    def files(self) -> dict[str, str]:
        """Return path and blob of every file."""
        return dict(self.snapshot().paths())


def exchange(*peers: Peer) -> None:
    """Let everybody join everybody, until all of them have the same tip."""
    first, *others = peers
    for other in others:
        first.join(other)
    for other in others:
        other.join(first)
