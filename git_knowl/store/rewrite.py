"""Histories without some of their files: the same commits, on trees that lack what was taken out.

The new history depends on nothing but the old one and on what is taken out, so that two clones that
take out the same come to the same commits, and can be joined ever after.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeAlias

from git_knowl.plumbing.commits import RawCommit, history
from git_knowl.plumbing.objects import ObjectDatabase, encode_tree, object_id
from git_knowl.plumbing.repository import Repository
from git_knowl.store.transaction import AFTER, WITH
from git_knowl.store.trees import is_tree

#: What becomes of a file, given its path and blob: other bytes, or True to keep, False to drop.
Sieve: TypeAlias = Callable[[str, str], bytes | bool]
#: What becomes of the message of a commit; the same bytes keep it.
Rewording: TypeAlias = Callable[[bytes], bytes]

_SUBMODULE = "160000"
_LINKED = re.compile(rb"(?m)^((?:%s|%s): )([0-9a-f]{40,64})$" % (WITH.encode(), AFTER.encode()))


class Rewriter:
    """Writes histories anew, one tip after the other; what was seen before is not read again.

    ``commits`` maps every commit seen to the one in its place, ``objects`` are those that are not
    in the database yet, ``unsigned`` counts signatures that could not stay, ``first`` are the
    commits on other parents than which nothing was written anew.
    """

    def __init__(self, repo: Repository, db: ObjectDatabase) -> None:
        self._repo = repo
        self._db = db
        self._trees: dict[tuple[Sieve, str, str], str] = {}
        self.commits: dict[str, str] = {}
        self.objects: list[tuple[str, bytes]] = []
        self.unsigned = 0
        self.first: list[str] = []

    def follow(self, tips: Iterable[str], sieve: Sieve, reword: Rewording) -> None:
        """Write the histories of some tips anew; `commits` then knows what is in their place."""
        wanted = [tip for tip in dict.fromkeys(tips) if tip not in self.commits]
        for oid, commit in history(self._repo, wanted) if wanted else ():
            if oid not in self.commits:
                self.commits[oid] = self._commit(oid, commit, sieve, reword)

    def _commit(self, oid: str, commit: RawCommit, sieve: Sieve, reword: Rewording) -> str:
        tree = self._tree(commit.tree, "", sieve) or self._add("tree", b"")
        parents = tuple(self.commits.get(parent, parent) for parent in commit.parents)
        message = _LINKED.sub(self._link, reword(commit.message))
        if (tree, parents, message) == (commit.tree, commit.parents, commit.message):
            return oid
        self.unsigned += commit.is_signed
        if parents == commit.parents:
            self.first.append(oid)
        return self._add("commit", commit.anew(tree, parents, message))

    def _link(self, found: re.Match[bytes]) -> bytes:
        """Lead a trailer of the local lane to the commit in the place of the one it names."""
        old = found[2].decode("ascii")
        return found[1] + self.commits.get(old, old).encode("ascii")

    def _tree(self, oid: str, prefix: str, sieve: Sieve) -> str:
        """Return the tree without what is taken out, "" where nothing is left of it."""
        key = (sieve, oid, prefix)
        if key not in self._trees:
            self._trees[key] = self._sifted(oid, prefix, sieve)
        return self._trees[key]

    def _sifted(self, oid: str, prefix: str, sieve: Sieve) -> str:
        before = self._db.read_tree(oid)
        after = [
            (mode, name, kept)
            for mode, name, item in before
            if (kept := self._item(mode, f"{prefix}{name}", item, sieve))
        ]
        if after == before:
            return oid
        return self._add("tree", encode_tree(after)) if after else ""

    def _item(self, mode: str, path: str, oid: str, sieve: Sieve) -> str:
        if is_tree(mode):
            return self._tree(oid, f"{path}/", sieve)
        if mode == _SUBMODULE:
            return oid
        kept = sieve(path, oid)
        if isinstance(kept, bytes):
            return self._add("blob", kept)
        return oid if kept else ""

    def _add(self, kind: str, data: bytes) -> str:
        self.objects.append((kind, data))
        return object_id(kind, data, self._repo.object_format)
