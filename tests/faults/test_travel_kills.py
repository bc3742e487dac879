"""Sending and receiving flags and drafts, killed at any git call: nothing is lost, nothing half.

Git's maintenance right after the kill takes nothing away, and repeating comes to the same end.
"""

from __future__ import annotations

import shutil
import signal
from dataclasses import dataclass

import pytest

from git_knowl.services.proposals.send import send
from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.deeds import check_objects
from tests.support.processes import calls_made, calls_of, killing_git
from tests.support.proposals import ADA, BOB, fill, member
from tests.support.readable import readable
from tests.support.upkeep import MAINTENANCE, QUICK, maintain

KILLED = -signal.SIGKILL
#: A call that no command makes.
NEVER = 0
HUB = "hub.git"
PROPOSALS = "refs/knowl/proposals"


@dataclass(frozen=True)
class Way:
    """Who does what, by which git command it moves refs, and when a kill leaves most half done."""

    person: str
    args: tuple[str, ...]
    move: str
    moment: str


WAYS = {
    "send": Way("ada", ("inbox", "send", "origin"), "push", "after"),
    "receive": Way("bob", ("inbox", "receive"), "update-ref", "before"),
}


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """Give a folder a way, with a hub, one who has something to send, and one to receive it.

    Where it is about receiving she has sent it.
    """
    folder = tmp_path_factory.mktemp("scene")
    for way in WAYS:
        hub = RepoBuilder.start(folder, bare=True, name=f"{way}/{HUB}")
        ada, _ = member(hub, "ada", ADA), member(hub, "bob", BOB)
        fill(ada)
        if way == "receive":
            send(ada)
        for name in ("ada", "bob"):
            RepoBuilder(folder / way / name).git("remote", "set-url", "origin", f"../{HUB}")
    return folder


class Try:
    """A copy of a scene in which a command is killed at one of its git calls."""

    def __init__(self, scene, way, folder):
        shutil.copytree(scene / way, folder, symlinks=True)
        self.way, self.shims = WAYS[way], folder / "shims"
        self.hub, self.repo = RepoBuilder(folder / HUB), RepoBuilder(folder / self.way.person)
        self.knowl = Knowl(self.repo.path)
        self.bob = Knowl(folder / "bob")

    def run(self, call, moment="before"):
        env = killing_git(self.shims, call, moment)
        return self.knowl.at(self.repo.path, **env).process(*self.way.args).code

    @property
    def total(self):
        return calls_made(self.shims)


@pytest.fixture(scope="module", params=WAYS)
def whole(request, scene, tmp_path_factory):
    """Give a way, and what came of it undisturbed."""
    one = Try(scene, request.param, tmp_path_factory.mktemp("whole") / "scene")
    assert one.run(NEVER) == 0
    return request.param, one


def waiting(knowl):
    """Return the ids of all that is in an inbox, by kind."""
    found = knowl.json("inbox")
    assert "damaged" not in found
    return {kind: sorted(one["id"] for one in found[kind]) for kind in ("flags", "drafts")}


def killed(scene, whole, folder, call, moment="before", commands=MAINTENANCE):
    """Kill a command, let git clean up, look at what is there, and do it again."""
    way, done = whole
    one = Try(scene, way, folder)
    before = waiting(one.knowl)
    assert one.run(call, moment) == KILLED

    readers = readable(one.repo), one.hub.refs(PROPOSALS)
    maintain(one.repo, one.hub, commands=commands)
    assert (readable(one.repo), one.hub.refs(PROPOSALS)) == readers
    assert waiting(one.knowl) in (before, waiting(done.knowl))
    one.hub.git("fsck", "--strict")
    one.knowl.ok(*one.way.args)
    assert waiting(one.knowl) == waiting(done.knowl)
    one.bob.ok("inbox", "receive")
    assert [len(ids) for ids in waiting(one.bob).values()] == [2, 1]
    check_objects(one.knowl)


def test_killed_where_refs_move_it_loses_nothing(scene, whole, tmp_path):
    way, done = whole
    call = calls_of(done.shims, WAYS[way].move)[-1]
    killed(scene, whole, tmp_path / "scene", call, WAYS[way].moment, commands=QUICK)


@pytest.mark.full
def test_killed_at_any_git_call_it_loses_nothing(scene, whole, tmp_path):
    for call in range(1, whole[1].total + 1):
        killed(scene, whole, tmp_path / str(call), call)
