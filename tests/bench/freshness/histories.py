"""Real histories, read from git directories, and the symbols of their files."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from random import Random as Draw
from typing import TYPE_CHECKING

import pygit2

from git_knowl.anchors.symbols.digest import digest_of
from git_knowl.anchors.symbols.grammars import SymbolsUnavailable
from git_knowl.anchors.symbols.outline import Outline, is_supported, outline

if TYPE_CHECKING:
    from collections.abc import Iterator

    from git_knowl.anchors.symbols.outline import Symbol

# Tests, examples and what others wrote: nobody rests knowledge on them.
_LEFT_OUT = re.compile(
    r"(^|/)(tests?|spec|__tests__|examples?|docs?|vendor|node_modules|dist)/|[._]test\.|\.min\."
)
_LINES = 2


@dataclass(frozen=True)
class Change:
    """One path that a commit changed, with the blobs before and after; None for no file."""

    path: str
    before: str | None
    after: str | None


class History:
    """The newest commits of a repository along first parents, and what stands in them."""

    def __init__(self, git_dir: str) -> None:
        self.git_dir = git_dir
        self.repo = pygit2.Repository(git_dir)
        self._outlines: dict[tuple[str, str], Outline | None] = {}
        self._digests: dict[tuple[str, str, str], str | None] = {}

    def newest(self, number: int) -> list[pygit2.Commit]:
        """Return so many commits, the oldest first."""
        found = [self.repo[self.repo.head.target]]
        while len(found) <= number and found[-1].parents:
            found.append(found[-1].parents[0])
        return found[::-1]

    def changes(self, before: pygit2.Commit, after: pygit2.Commit) -> list[Change]:
        """Return the files of a known language that differ."""
        diff = self.repo.diff(before, after, context_lines=0)
        return [
            Change(new.path or old.path, _blob(old), _blob(new))
            for delta in diff.deltas
            for old, new in [(delta.old_file, delta.new_file)]
            if is_supported(new.path or old.path)
        ]

    def files(self, commit: pygit2.Commit) -> dict[str, str]:
        """Return the blob of every file of a commit that symbols are anchored in."""
        found: dict[str, str] = {}
        trees = [("", commit.tree)]
        while trees:
            folder, tree = trees.pop()
            for item in tree:
                path = f"{folder}{item.name}"
                if item.type_str == "tree":
                    trees.append((f"{path}/", item))
                elif item.type_str == "blob" and is_supported(path) and not _LEFT_OUT.search(path):
                    found[path] = str(item.id)
        return found

    def data(self, blob: str) -> bytes:
        """Return the content of a blob."""
        return self.repo[blob].data

    def outline(self, path: str, blob: str) -> Outline | None:
        """Return the symbols of a file; None where it cannot be read."""
        key = (path, blob)
        if key not in self._outlines:
            if len(self._outlines) > 60:
                self._outlines.clear()
            try:
                self._outlines[key] = outline(path, self.data(blob))
            except SymbolsUnavailable:
                self._outlines[key] = None
        return self._outlines[key]

    def symbol(self, path: str, blob: str | None, name: str) -> Symbol | None:
        """Return a symbol that can be judged."""
        there = self.outline(path, blob) if blob else None
        found = there.find(name) if there else None
        return None if found is None or found.is_broken else found

    def digest(self, path: str, blob: str | None, name: str) -> str | None:
        """Return the digest of a symbol; None where there is none."""
        key = (path, blob or "", name)
        if key not in self._digests:
            found = self.symbol(path, blob, name)
            self._digests[key] = digest_of(found) if found else None
        return self._digests[key]

    def anchors(self, commit: pygit2.Commit, number: int, seed: int) -> list[Anchor]:
        """Return symbols drawn at random, of two lines or more."""
        drawn = Draw(seed)  # noqa: S311 - the same in every run
        files = self.files(commit)
        found = [
            Anchor(path, blob, symbol.name)
            for path, blob in sorted(files.items())
            for symbol in self._symbols(path, blob)
            if symbol.lines >= _LINES and not symbol.is_broken
        ]
        return drawn.sample(found, min(number, len(found)))

    def _symbols(self, path: str, blob: str) -> Iterator[Symbol]:
        there = self.outline(path, blob)
        yield from there.symbols.values() if there else ()

    @cached_property
    def name(self) -> str:
        """How the repository is called."""
        parts = [
            part for part in self.git_dir.rstrip("/").split("/") if part not in (".git", "repo")
        ]
        return parts[-1].replace("+", "/")


@dataclass
class Anchor:
    """A symbol as it was accepted last."""

    path: str
    blob: str
    name: str


def text_of(symbol: Symbol) -> bytes:
    """Return the source of a symbol."""
    nodes = [
        node for part in symbol.parts for node in ((part.own,) if part.omitted else part.nodes)
    ]
    return b"\n".join(node.text or b"" for node in nodes)


def _blob(side: pygit2.DiffFile) -> str | None:
    oid = str(side.id)
    return None if set(oid) == {"0"} else oid
