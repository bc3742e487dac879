"""Objects as a merge reads them: each once, and those among them that nobody has stored yet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from git_knowl.plumbing.objects import MissingObject, ObjectDatabase, TreeEntry, decode_tree
from git_knowl.plumbing.objects import object_id as compute_id
from git_knowl.store import trees
from git_knowl.store.trees import Objects


class Reader:
    """A database with what a merge made on top of it."""

    def __init__(self, db: ObjectDatabase, object_format: str) -> None:
        self._db = db
        self.object_format = object_format
        self._folders: dict[str, list[TreeEntry]] = {}
        self._read: dict[str, bytes] = {}
        self._made: dict[str, bytes] = {}

    def read_tree(self, oid: str) -> list[TreeEntry]:
        """Return the items of a folder; asked again, from memory."""
        if oid not in self._folders:
            self._folders[oid] = self._db.read_tree(oid)
        return self._folders[oid]

    def load(self, blobs: Iterable[str]) -> None:
        """Read files ahead, as one stream; a missing one is met when it is asked for."""
        wanted = [blob for blob in dict.fromkeys(blobs) if not self._has(blob)]
        try:
            self._read.update(self._db.read_blobs(wanted))
        except MissingObject:
            return

    def read_blob(self, blob: str) -> bytes:
        """Return the content of a file; raises MissingObject for an absent one."""
        if not self._has(blob):
            self._read.update(self._db.read_blobs([blob]))
        return self._made[blob] if blob in self._made else self._read[blob]

    def put(self, data: bytes) -> str:
        """Keep a new content and return its id; nothing is stored."""
        blob = compute_id("blob", data, self.object_format)
        self._made[blob] = data
        return blob

    def content(self, blob: str) -> bytes | str:
        """Return a content that was made here, or the id of one that is in the database."""
        return self._made.get(blob, blob)

    def forget(self) -> None:
        """Let go of the files that were read; what was made stays."""
        self._read.clear()

    def edit(
        self, root: str | None, changes: Mapping[str, bytes | str | None]
    ) -> tuple[str, Objects]:
        """Return a tree after some changes with its new objects, which can be read at once."""
        made, objects = trees.edit(self, self.object_format, root, changes)
        for kind, data in objects:
            oid = compute_id(kind, data, self.object_format)
            if kind == "tree":
                self._folders[oid] = decode_tree(data, self.object_format)
            else:
                self._made[oid] = data
        return made, objects

    def _has(self, blob: str) -> bool:
        return blob in self._made or blob in self._read


class Files:
    """The files of one tree, as `git_knowl.store.purged` lists them."""

    def __init__(self, reader: Reader, root: str | None) -> None:
        self._reader = reader
        self._root = root

    def files(self, under: str = "") -> Iterator[tuple[str, str]]:
        """Yield (path, blob) of every file below a folder."""
        return trees.walk(self._reader, self._root, under)
