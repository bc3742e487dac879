"""Objects in and out of the database: one small interface, two ways to fulfil it.

Plain git (`objects_git`) is the way of the short paths and of repositories libgit2 cannot open;
`objects_pygit2` is the way of bulk reading. Refs, diffs, filters, history and transport are none of
its business: those are always git itself.
"""

from __future__ import annotations

from git_knowl.plumbing.encoding import (
    FILE_MODE,
    TREE_MODE,
    BrokenObject,
    Commit,
    MissingObject,
    ObjectError,
    TreeEntry,
    decode_commit,
    decode_tree,
    encode_commit,
    encode_tree,
    genesis,
    object_id,
)
from git_knowl.plumbing.objects_git import GitObjects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Protocol

    from git_knowl.plumbing.repository import Repository
else:
    Protocol = object  # `import typing` costs most of a bare start of Python

__all__ = [
    "FILE_MODE",
    "TREE_MODE",
    "BrokenObject",
    "Commit",
    "GitObjects",
    "MissingObject",
    "ObjectDatabase",
    "ObjectError",
    "TreeEntry",
    "decode_commit",
    "decode_tree",
    "encode_commit",
    "encode_tree",
    "genesis",
    "object_id",
    "open_objects",
]


class ObjectDatabase(Protocol):
    """Objects of one repository; ids are opaque hexadecimal text."""

    def read_blobs(self, oids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield id and content in the order asked; raise MissingObject for an absent one."""

    def read_tree(self, oid: str) -> list[TreeEntry]:
        """Return the items of a tree; the id ``""`` stands for no tree."""

    def read_commit(self, oid: str) -> Commit:
        """Return a commit taken apart."""

    def write(self, objects: list[tuple[str, bytes]]) -> list[str]:
        """Store (kind, content) pairs, all of them, and return their ids."""

    def close(self) -> None:
        """Let go of what the database holds open; it opens again when asked again."""


def open_objects(repo: Repository, *, bulk: bool = False, fsync: bool = False) -> ObjectDatabase:
    """Return the object database of a repository.

    ``bulk`` is worth it from some thousand reads on: it loads libgit2, which costs nine bare starts
    of Python, and falls back to plain git where libgit2 cannot open the repository.
    """
    plain = GitObjects(repo, fsync=fsync)
    if not bulk:
        return plain
    from git_knowl.plumbing import objects_pygit2  # noqa: PLC0415 - 130 ms, for bulk work only

    return objects_pygit2.open_database(repo, plain) or plain
