"""Every verb that writes, killed around the moment it moves refs: done whole or not at all.

Done again it comes to the same end, and notes catch up with whatever is written next.
"""

from __future__ import annotations

import shutil
import signal
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from git_knowl.plumbing import refs
from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.deeds import check_objects
from tests.support.people import CART, KIM, person, write
from tests.support.processes import calls_made, calls_of, killing_git

if TYPE_CHECKING:
    from pathlib import Path

KILLED = -signal.SIGKILL
NEVER = 0
MOVES = "update-ref"
#: What `mine` finds worth a flag.
WHY = """conf: leave two in place

It turns out that the supplier ships pairs only, so that half a pair is billed as a whole one. We
found that after two days of reading invoices: the total was right for every order of two, four and
six pieces, and wrong for all others. Do not go back to one, however odd the number looks here,
because the warehouse rounds up again and the customer pays twice for the last piece.
"""


@dataclass(frozen=True)
class Deed:
    """A command, what its environment has beyond ours, and whether doing it twice is once more."""

    args: tuple[str, ...]
    env: dict[str, str] = field(default_factory=dict)
    repeats: bool = False


DEEDS = {
    "edit": Deed(("edit", "cart"), {"GIT_EDITOR": "sed -i s/doubles/trebles/"}),
    "rename": Deed(("rename", "cart", "basket")),
    "move": Deed(("move", "cart", "--lane", "local")),
    "retire": Deed(("retire", "cart", "--reason", "so")),
    "restore": Deed(("restore", "gone")),
    "undo": Deed(("undo",), repeats=True),
    "verify": Deed(("verify", "conf", "--reviewed")),
    "snooze": Deed(("snooze", "cart", "--until", "2027-01-01")),
    "drop": Deed(("inbox", "drop", "FLAG")),
    "notes": Deed(("notes", "rebuild")),
    "mine": Deed(("mine", "-n", "3")),
    "purge": Deed(("purge", "conf", "--yes", "--reviewer", KIM)),
}
#: The others only in the long run.
USUAL = ("edit", "notes")  # of purge, tests/cli/test_purge.py


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    repo = RepoBuilder.start(tmp_path_factory.mktemp("start"))
    for name, anchor in (("gone", CART), ("conf", "file:conf.yml"), ("cart", CART)):
        write(person(repo), name, anchor)
    repo.commit(WHY, {"conf.yml": "a: 2\n"})
    knowl = Knowl(repo.path)
    knowl.ok("retire", "gone", "--reason", "so")
    knowl.ok("flag", "prices double", "-p", "lib/cart.ts")
    repo.git("update-ref", "-d", refs.NOTES)
    return repo


def state(knowl: Knowl) -> dict[str, Any]:
    """Return what readers see, notes left out, which follow by themselves."""
    listed, inbox = knowl.json("ls"), knowl.json("inbox")
    assert "damaged" not in {*listed, *inbox}
    return {
        "entries": {one["name"]: (one["lane"], one["digest"], one["status"])
                    for one in listed["entries"]},
        "flags": sorted((one["summary"], one["outcome"]) for one in inbox["flags"]),
        "log": [(one["op"], one["subject"]) for one in knowl.json("log")["operations"]],
    }  # fmt: skip


def notes(repo: RepoBuilder) -> list[str]:
    listed = repo.git("notes", f"--ref={refs.NOTES}", "list").splitlines()
    return [repo.git("cat-file", "blob", line.split()[0]) for line in sorted(listed)]


class Try:
    """A copy of the repository in which a deed is killed at one of its git calls."""

    def __init__(self, start: RepoBuilder, deed: Deed, folder: Path) -> None:
        shutil.copytree(start.path, folder, symlinks=True)
        self.repo, self.knowl, self.deed = RepoBuilder(folder), Knowl(folder), deed
        self.shims = folder.with_name(f"{folder.name}-git")

    def run(self, call: int, moment: str = "before") -> int:
        """Do the deed and return its exit code, negative when it was killed."""
        env = {**self.deed.env, **killing_git(self.shims, call, moment)}
        flag = self.knowl.json("inbox")["flags"][0]["id"]
        args = [flag if word == "FLAG" else word for word in self.deed.args]
        return self.knowl.at(self.knowl.cwd, **env).process(*args).code


@pytest.fixture(params=[*USUAL, *(pytest.param(name, marks=pytest.mark.full)
                                  for name in DEEDS if name not in USUAL)])  # fmt: skip
def deed(request):
    return DEEDS[request.param]


def check(start: RepoBuilder, deed: Deed, folder: Path, calls: list[tuple[int, str]]) -> None:
    """Kill a deed at some calls, and see that each time it is done whole or not at all."""
    whole = Try(start, deed, folder / "whole")
    assert whole.run(NEVER) == 0
    before, after = state(Knowl(start.path)), state(whole.knowl)
    for call, moment in calls:
        one = Try(start, deed, folder / f"{call}-{moment}")
        assert one.run(call, moment) == KILLED
        between = state(one.knowl)
        assert between in (before, after), (call, moment)
        if not deed.repeats or between == before:
            one.run(NEVER)
        assert state(one.knowl)["entries"] == after["entries"]
        assert state(one.knowl)["flags"] == after["flags"]
        check_objects(one.knowl)
        one.knowl.ok("notes", "rebuild")
        whole.knowl.ok("notes", "rebuild")
        assert notes(one.repo) == notes(whole.repo)


def test_killed_around_a_move_of_refs_a_verb_is_done_whole_or_not_at_all(start, deed, tmp_path):
    counted = Try(start, deed, tmp_path / "count")
    assert counted.run(NEVER) == 0
    first = calls_of(counted.shims, MOVES)[0]

    check(start, deed, tmp_path, [(first, "before"), (first, "after")])


@pytest.mark.full
def test_killed_at_any_git_call_a_verb_is_done_whole_or_not_at_all(start, deed, tmp_path):
    counted = Try(start, deed, tmp_path / "count")
    assert counted.run(NEVER) == 0

    check(start, deed, tmp_path, [(n, "before") for n in range(1, calls_made(counted.shims) + 1)])
