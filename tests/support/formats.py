"""Formats of the store that only tests know, and a process that raises a store to the next one.

``python -m tests.support.formats`` migrates the store of the current folder.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from git_knowl.interfaces.door import make_caller
from git_knowl.plumbing.repository import discover
from git_knowl.services.context import Context
from git_knowl.services.gate import require_person
from git_knowl.services.migrate import migrate, plan
from git_knowl.store import layout
from git_knowl.store.formats import FORMATS, Format
from tests.support.seal import PERSON

if TYPE_CHECKING:
    from collections.abc import Iterator

    from git_knowl.store.view import Tree


def renamed(tree: Tree) -> Iterator[tuple[str, bytes | None]]:
    """Raise a tree to the next format, which calls the folder of tombstones otherwise."""
    yield "about", b"the next format\n"
    for path, _ in list(tree.files(layout.RETIRED)):
        yield path, None
        yield path.replace(layout.RETIRED, "stones"), tree.read(path)


def signed(tree: Tree) -> Iterator[tuple[str, bytes | None]]:
    """Raise a tree to the one after."""
    yield "about", (tree.read("about") or b"") + b"and the one after\n"


NEXT = (*FORMATS, Format(2, 1, renamed))
AFTER = (*NEXT, Format(3, 3, signed))


def main() -> None:
    """Raise the store to the next format, in the name of a person."""
    repo = discover(os.getcwd(), os.environ)
    ctx = Context(repo, make_caller(repo, os.getcwd()))
    migrate(ctx, plan(ctx, NEXT), require_person(ctx, "migrate", PERSON), NEXT)


if __name__ == "__main__":
    main()
