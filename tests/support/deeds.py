"""Commands that write, and the one repository all of them start from, for tests that disturb them.

A deed disturbed at any point is done whole or not at all, and doing it again leads to the same end.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.contexts import capture_item

if TYPE_CHECKING:
    from pathlib import Path

ADA = "Ada <ada@example.org>"
NOTE = "Above three pieces the price doubles. Why: two suppliers.\n"
ON_CART = ("-a", "file:lib/cart.ts", "--body", "note.md", "--reviewer", ADA)
KINDS = ("flag", "add", "review", "submit")
#: For the runs that are bounded: what writes to the inbox, and what writes to both.
USUAL = [
    name if name in {"flag", "review"} else pytest.param(name, marks=pytest.mark.full)
    for name in KINDS
]


@dataclass(frozen=True)
class Deed:
    """Arguments of ``git knowl`` and what it reads from standard input."""

    args: tuple[str, ...]
    stdin: str = ""


@dataclass(frozen=True)
class Seen:
    """What every reader sees: lane of entries and outcome of flags by name, names of drafts."""

    entries: dict[str, str]
    flags: dict[str, str | None]
    drafts: list[str]


class Scene:
    """A repository with an entry, a flag and a draft, and a deed of every kind to be done in it."""

    def __init__(self, repo: RepoBuilder, deeds: dict[str, Deed]) -> None:
        self.repo = repo
        self.deeds = deeds
        self.before = seen(Knowl(repo.path))
        self._done: dict[Deed, Seen] = {}

    def copy(self, folder: Path) -> Knowl:
        """Return the command line standing in a copy of the repository."""
        shutil.copytree(self.repo.path, folder, symlinks=True)
        return Knowl(folder)

    def done(self, deed: Deed) -> Seen:
        """Return what is seen after a deed that nothing disturbed."""
        if deed not in self._done:
            knowl = self.copy(self.repo.path.with_name(f"done-{deed.args[0]}"))
            knowl.ok(*deed.args, stdin=deed.stdin)
            self._done[deed] = seen(knowl)
        return self._done[deed]


def scene(folder: Path) -> Scene:
    """Make the repository and say what is to be done in it."""
    repo = RepoBuilder.start(folder)
    repo.commit("note", {"note.md": NOTE})
    knowl = Knowl(repo.path)
    knowl.ok("add", "--name", "old", "--type", "project", "-d", "Read it first", *ON_CART)
    flag = knowl.ok("flag", "prices double", "-p", "lib/cart.ts").strip()
    payload = json.dumps({"items": [capture_item("waiting")]})
    (draft,) = knowl.json("capture", "--submit", "-", stdin=payload)["drafts"]
    proposed = {"items": [capture_item("proposed", flag)]}
    deeds = {
        "flag": Deed(("flag", "the second", "-p", "lib/cart.ts")),
        "add": Deed(("add", "--name", "new", "--type", "project", "-d", "Read it", *ON_CART)),
        "review": Deed(("review", "--accept", draft, "--reviewer", ADA)),
        "submit": Deed(("capture", "--submit", "-"), json.dumps(proposed)),
    }
    return Scene(repo, deeds)


def seen(knowl: Knowl) -> Seen:
    """Return what readers see; fails the test where anything is damaged or left locked."""
    listed: dict[str, Any] = knowl.json("ls")
    inbox: dict[str, Any] = knowl.json("inbox")
    assert "damaged" not in {*listed, *inbox}
    assert [*knowl.cwd.glob(".git/refs/**/*.lock")] == []
    return Seen(
        {entry["name"]: entry["lane"] for entry in listed["entries"]},
        {flag["summary"]: flag["outcome"] for flag in inbox["flags"]},
        sorted(draft["name"] for draft in inbox["drafts"]),
    )


def check_objects(knowl: Knowl) -> None:
    """Fail the test unless every object of the repository is whole and all that is named exists."""
    talk = RepoBuilder(knowl.cwd).git("fsck", "--strict", "--no-dangling", "--no-progress")
    assert talk == ""
