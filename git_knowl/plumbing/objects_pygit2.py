"""Objects through libgit2: thousands of reads and writes without leaving the process.

What libgit2 cannot open (SHA-256, reftable, unknown extensions) is left to plain git, and so is
what it cannot find: a promisor's missing blobs are fetched by git alone.
"""

from collections.abc import Iterable, Iterator

import pygit2

from git_knowl.plumbing.encoding import (
    Commit,
    ObjectError,
    TreeEntry,
    checked_id,
    decode_commit,
    decode_tree,
)
from git_knowl.plumbing.objects_git import GitObjects
from git_knowl.plumbing.repository import Repository

_KINDS = {
    "commit": pygit2.GIT_OBJECT_COMMIT,
    "tree": pygit2.GIT_OBJECT_TREE,
    "blob": pygit2.GIT_OBJECT_BLOB,
}


def open_database(repo: Repository, plain: GitObjects) -> "PygitObjects | None":
    """Return the database, or None when libgit2 cannot open the repository."""
    # Git itself has accepted the owner by now; libgit2 would judge by fewer configuration files.
    pygit2.settings.owner_validation = False
    try:
        found = pygit2.Repository(repo.common_dir, pygit2.enums.RepositoryOpenFlag.NO_SEARCH)
    except (pygit2.GitError, ValueError):
        return None
    return PygitObjects(found, repo.object_format, plain)


class PygitObjects:
    """Objects through libgit2, with plain git at hand for what is missing."""

    __slots__ = ("_format", "_odb", "_plain")

    def __init__(self, found: pygit2.Repository, object_format: str, plain: GitObjects) -> None:
        self._odb = found.odb
        self._format = object_format
        self._plain = plain

    def read_blobs(self, oids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield id and content in the order asked; raise MissingObject for an absent one."""
        for oid in oids:
            data = self._read(oid, "blob")
            if data is None:
                yield from self._plain.read_blobs([oid])
            else:
                yield oid, data

    def read_tree(self, oid: str) -> list[TreeEntry]:
        """Return the items of a tree; the id ``""`` stands for no tree."""
        data = self._read(oid, "tree") if oid else b""
        return self._plain.read_tree(oid) if data is None else decode_tree(data, self._format)

    def read_commit(self, oid: str) -> Commit:
        """Return a commit taken apart."""
        data = self._read(oid, "commit")
        return self._plain.read_commit(oid) if data is None else decode_commit(data)

    def write(self, objects: list[tuple[str, bytes]]) -> list[str]:
        """Store (kind, content) pairs and return their ids; with fsync asked for, git does it."""
        if self._plain.fsync:
            return self._plain.write(objects)
        return [str(self._odb.write(_KINDS[kind], data)) for kind, data in objects]

    def close(self) -> None:
        """Let go of the git that reads what libgit2 lacks."""
        self._plain.close()

    def _read(self, oid: str, kind: str) -> bytes | None:
        try:
            found, data = self._odb.read(checked_id(oid))
        except (KeyError, ValueError, pygit2.GitError):
            return None
        if found != _KINDS[kind]:
            names = {number: name for name, number in _KINDS.items()}
            raise ObjectError(f"expected {oid} to be a {kind}, found a {names.get(found, found)}")
        return bytes(data)
