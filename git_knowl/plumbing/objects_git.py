"""Objects through plain git: the way that works in every repository git itself can open."""

from __future__ import annotations

import os

from git_knowl.plumbing.encoding import (
    BrokenObject,
    Commit,
    MissingObject,
    ObjectError,
    TreeEntry,
    checked_id,
    decode_commit,
    decode_tree,
    encode_pack,
    object_id,
)
from git_knowl.plumbing.process import Conversation, GitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from git_knowl.plumbing.repository import Repository

# 256 ids fit a pipe, so that git reads them all before the first answer is awaited.
_WINDOW = 256


class GitObjects:
    """Objects through plain git: one `cat-file` for all reads, one `unpack-objects` a write."""

    __slots__ = ("_child", "_repo", "fsync")

    def __init__(self, repo: Repository, *, fsync: bool = False) -> None:
        self._repo = repo
        self.fsync = fsync
        self._child: Conversation | None = None

    def read_blobs(self, oids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield id and content in the order asked; raise MissingObject for an absent one."""
        window: list[str] = []
        for oid in oids:
            window.append(oid)
            if len(window) == _WINDOW:
                yield from self._ask(window, "blob")
                window = []
        yield from self._ask(window, "blob")

    def read_tree(self, oid: str) -> list[TreeEntry]:
        """Return the items of a tree; the id ``""`` stands for no tree."""
        if not oid:
            return []
        return decode_tree(self._ask([oid], "tree")[0][1], self._repo.object_format)

    def read_commit(self, oid: str) -> Commit:
        """Return a commit taken apart."""
        return decode_commit(self._ask([oid], "commit")[0][1])

    def write(self, objects: list[tuple[str, bytes]]) -> list[str]:
        """Store (kind, content) pairs in one process and return their ids."""
        if not objects:
            return []
        config = ("core.fsync=loose-object,reference",) if self.fsync else ()
        pack = encode_pack(objects, self._repo.object_format)
        self._repo.git("unpack-objects", "-q", stdin=pack, timeout=600.0, config=config)
        return [object_id(kind, data, self._repo.object_format) for kind, data in objects]

    def close(self) -> None:
        """Let go of the process that reads; it starts again when asked again."""
        child, self._child = self._child, None
        if child is not None:
            child.close()

    def _ask(self, oids: list[str], kind: str) -> list[tuple[str, bytes]]:
        """Read a window whole, so that a caller who stops early leaves no answer in the pipe."""
        if not oids:
            return []
        child = self._conversation()
        answers: list[tuple[str, bytes]] = []
        try:
            child.send("".join(f"{checked_id(oid)}\n" for oid in oids).encode())
            answers = [_answer(child) for _ in oids]
        finally:
            if not answers:
                self.close()
        return [
            (oid, self._content(oid, kind, answer))
            for oid, answer in zip(oids, answers, strict=True)
        ]

    def _content(self, oid: str, kind: str, answer: tuple[str, bytes]) -> bytes:
        found, data = answer
        if found == "missing":
            loose = os.path.join(self._repo.common_dir, "objects", oid[:2], oid[2:])
            raise BrokenObject(oid) if os.path.exists(loose) else MissingObject(oid)
        if found != kind:
            raise ObjectError(f"expected {oid} to be a {kind}, found a {found}")
        return data

    def _conversation(self) -> Conversation:
        if self._child is None:
            # libgit2 knows no replace refs; both ways must give the same bytes.
            env = {"GIT_NO_REPLACE_OBJECTS": "1"}
            self._child = self._repo.converse("cat-file", "--batch", env=env)
        return self._child


def _answer(child: Conversation) -> tuple[str, bytes]:
    head = child.read_line().decode("ascii", "replace").split(" ")
    if head[-1] == "missing":
        return "missing", b""
    if len(head) != 3:
        raise GitError(child.argv, 0, f"cat-file answered '{' '.join(head)}'")
    data = child.read_exactly(int(head[2]) + 1)
    return head[1], data[:-1]
