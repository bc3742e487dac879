"""Git's objects as bytes: ids, trees, commits and packs, without a process.

https://git-scm.com/docs/gitformat-pack describes the pack stream; trees and commits are older than
any page about them.
"""

from __future__ import annotations

import os
import zlib

from git_knowl.errors import KnowlError
from git_knowl.model.hashing import BY_FORMAT

TreeEntry = tuple[str, str, str]
"""Mode, name and object id; the mode as git writes it in trees (``100644``, ``40000``)."""

TREE_MODE = "40000"
FILE_MODE = "100644"
_RAW_ID = {"sha1": 20, "sha256": 32}
_ID_LENGTHS = (40, 64)
_PACK_KINDS = {"commit": 1, "tree": 2, "blob": 3}
_GENESIS_WHO = "git-knowl <git-knowl@localhost> 0 +0000"
_GENESIS_MESSAGE = "git-knowl\n"


_FSCK = "'git fsck' tells whether the repository is damaged"


class ObjectError(KnowlError):
    """An object that is there and cannot be used."""

    def __init__(self, message: str) -> None:
        super().__init__(message, _FSCK)


class MissingObject(ObjectError):
    """An object that is not in the database."""

    found = "is not in this repository"

    def __init__(self, oid: str) -> None:
        super().__init__(f"the object {oid} {self.found}")
        self.oid = oid


class BrokenObject(MissingObject):
    """An object whose file is there and holds none, which readers do without just as well."""

    found = "is damaged: its file is there, and git cannot read it"


class Commit:
    """A commit taken apart; identities are as written, with time and zone."""

    __slots__ = ("author", "committer", "message", "parents", "tree")

    def __init__(
        self, tree: str, parents: tuple[str, ...], author: str, committer: str, message: str
    ) -> None:
        self.tree = tree
        self.parents = parents
        self.author = author
        self.committer = committer
        self.message = message


def object_id(kind: str, data: bytes, object_format: str) -> str:
    """Return the id git gives to an object of this kind and content."""
    digest = BY_FORMAT[object_format](usedforsecurity=False)
    digest.update(b"%s %d\0" % (kind.encode(), len(data)))
    digest.update(data)
    return digest.hexdigest()


def encode_tree(entries: list[TreeEntry]) -> bytes:
    """Return the content of a tree; the order of the entries does not matter."""
    ordered = sorted(entries, key=_tree_order)
    return b"".join(
        b"%s %s\0%s" % (mode.encode(), os.fsencode(name), bytes.fromhex(oid))
        for mode, name, oid in ordered
    )


def decode_tree(data: bytes, object_format: str) -> list[TreeEntry]:
    """Return the items in the content of a tree; raise ObjectError when it is damaged."""
    size = _RAW_ID[object_format]
    entries: list[TreeEntry] = []
    at = 0
    while at < len(data):
        space = data.find(b" ", at)
        nul = data.find(b"\0", space)
        end = nul + 1 + size
        if space < 0 or nul < 0 or end > len(data):
            raise ObjectError("a tree object ends in the middle of an item")
        entries.append(
            (
                data[at:space].decode("ascii", "replace"),
                os.fsdecode(data[space + 1 : nul]),
                data[nul + 1 : end].hex(),
            )
        )
        at = end
    return entries


def encode_commit(
    tree: str, parents: tuple[str, ...], author: str, committer: str, message: str
) -> bytes:
    """Return the content of a commit; identities read ``Name <mail> 1700000000 +0000``."""
    lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
    lines += [f"author {author}", f"committer {committer}", "", message]
    return "\n".join(lines).encode("utf-8", "surrogateescape")


def decode_commit(data: bytes) -> Commit:
    """Return the content of a commit taken apart; unknown headers and signatures are left out."""
    head, _, message = data.decode("utf-8", "surrogateescape").partition("\n\n")
    fields: dict[str, list[str]] = {"tree": [], "parent": [], "author": [], "committer": []}
    for line in head.split("\n"):
        name, _, value = line.partition(" ")
        if name in fields:
            fields[name].append(value)
    if not (fields["tree"] and fields["author"] and fields["committer"]):
        raise ObjectError("a commit object lacks its tree, author or committer")
    return Commit(
        fields["tree"][0],
        tuple(fields["parent"]),
        fields["author"][0],
        fields["committer"][0],
        message,
    )


def genesis(object_format: str) -> tuple[str, list[tuple[str, bytes]]]:
    """Return the id of the constant first commit of every ref, and the objects it needs.

    It is the same in every clone, so stores that were started apart share history and merge.
    """
    tree = object_id("tree", b"", object_format)
    commit = encode_commit(tree, (), _GENESIS_WHO, _GENESIS_WHO, _GENESIS_MESSAGE)
    return object_id("commit", commit, object_format), [("tree", b""), ("commit", commit)]


def encode_pack(objects: list[tuple[str, bytes]], object_format: str) -> bytes:
    """Return a pack stream of whole objects (gitformat-pack), ended by its digest."""
    body = b"".join(_pack_item(kind, data) for kind, data in objects)
    stream = b"PACK" + (2).to_bytes(4, "big") + len(objects).to_bytes(4, "big") + body
    return stream + BY_FORMAT[object_format](stream, usedforsecurity=False).digest()


def _pack_item(kind: str, data: bytes) -> bytes:
    """Type and length, four bits in the first byte and seven in each that follows, then zlib."""
    size = len(data)
    byte = (_PACK_KINDS[kind] << 4) | (size & 15)
    size >>= 4
    head = bytearray()
    while size:
        head.append(byte | 0x80)
        byte = size & 0x7F
        size >>= 7
    head.append(byte)
    return bytes(head) + zlib.compress(data, 1)


def _tree_order(entry: TreeEntry) -> bytes:
    """Folders sort as if their name ended in a slash."""
    mode, name, _ = entry
    return os.fsencode(name + "/") if mode == TREE_MODE else os.fsencode(name)


def checked_id(oid: str) -> str:
    """Return a full object id; raise ObjectError for an abbreviation or anything else.

    `cat-file` and libgit2 would both take other text for a revision or for the start of an id.
    """
    if oid.strip("0123456789abcdef") or len(oid) not in _ID_LENGTHS:
        raise ObjectError(f"expected an object id of 40 or 64 hexadecimal digits, found '{oid}'")
    return oid
