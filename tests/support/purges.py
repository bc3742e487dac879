"""A text that leaked, and everywhere it can have got to."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from git_knowl.services.gate import require_person
from git_knowl.services.purge.purge import Order, Purged, purge
from git_knowl.services.purged.wanted import Wanted

if TYPE_CHECKING:
    from git_knowl.services.context import Context
    from tests.support.builders import RepoBuilder

#: Looks like nothing that a filter knows, or it would never get in.
LEAK = "plover eats purple umbrellas"
LEAKING = f"The pass phrase is {LEAK}. Why: two suppliers.\n"
OURS = ("refs/knowl", "refs/knowl-local", "refs/knowl-remotes", "refs/notes/knowl")


def purge_text(ctx: Context, text: str = LEAK, *, redact: bool = False) -> Purged:
    """Purge a text, in the name of the caller."""
    return purge(ctx, Order(Wanted(text=text), require_person(ctx, "purge"), redact))


def purge_ids(ctx: Context, *ids: str) -> Purged:
    """Purge all of some ids."""
    return purge(ctx, Order(Wanted(frozenset(ids)), require_person(ctx, "purge")))


def reachable(repo: RepoBuilder, text: str = LEAK) -> list[str]:
    """Return the objects that hold a text and that a ref of the store or its reflog leads to."""
    named = [f"--glob={pattern}*" for pattern in OURS]
    listed = repo.git("rev-list", "--objects", *named)
    for ref in repo.refs(*OURS):
        listed += "\n" + repo.git("rev-list", "--objects", "-g", ref, "--", check=False)
    oids = {line.split(" ")[0] for line in listed.splitlines()} - {""}
    return [oid for oid in sorted(oids) if text in repo.git("cat-file", "-p", oid)]


def files_holding(repo: RepoBuilder, text: str = LEAK) -> list[str]:
    """Return the files of the git directory that hold a text as it is, objects aside."""
    found = []
    for folder, _, names in os.walk(repo.path / ".git"):
        if "/objects" in folder:
            continue
        for name in names:
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                if text.encode() in file.read():
                    found.append(path)
    return found
