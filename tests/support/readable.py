"""All that can be read of a store: what must be the same before and after a git command."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, Any

from tests.support.cli import Knowl

if TYPE_CHECKING:
    from tests.support.builders import RepoBuilder

OURS = ("refs/knowl", "refs/knowl-local", "refs/knowl-remotes", "refs/notes/knowl")
LISTINGS = (("ls",), ("inbox",), ("log",))


def readable(repo: RepoBuilder) -> dict[str, Any]:
    """Return refs, content of every object behind them, and what the reading verbs say."""
    refs = repo.refs(*OURS)
    told = {args[0]: Knowl(repo.path).json(*args) for args in LISTINGS}
    shown = {
        entry["id"]: Knowl(repo.path).json("show", entry["id"]) for entry in told["ls"]["entries"]
    }
    return {"refs": refs, "objects": objects(repo, refs), "told": told, "shown": shown}


def objects(repo: RepoBuilder, refs: dict[str, str]) -> bytes:
    """Return kind, size and content of every object that can be reached from some refs."""
    if not refs:
        return b""
    listed = repo.git("rev-list", "--objects", "--no-object-names", *set(refs.values()))
    done = subprocess.run(
        ["git", "cat-file", "--batch"],
        cwd=repo.path,
        input=f"{listed}\n".encode(),
        capture_output=True,
        check=True,
    )
    assert b" missing\n" not in done.stdout
    return b"\n".join(sorted(done.stdout.split(b"\n")))
