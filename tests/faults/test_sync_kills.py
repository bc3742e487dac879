"""A sync killed at any of its git calls loses nothing, and repeating it comes to the same end."""

from __future__ import annotations

import shutil
import signal

import pytest

from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.deeds import check_objects
from tests.support.people import CART
from tests.support.processes import calls_made, killing_git
from tests.support.remotes import ENTRIES, bare, member

KILLED = -signal.SIGKILL
#: A call that no command makes.
NEVER = 0
#: So many calls are tried in the normal run, spread over all of them.
TRIED = 7
BEFORE = {"base", "bobs"}
AFTER = {"adas", "base", "bobs"}


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """Give a folder with a remote that moved on, and a clone that has something of its own."""
    folder = tmp_path_factory.mktemp("scene")
    hub = bare(folder)
    ada, bob = member(hub, "ada"), member(hub, "bob")
    ada.write("base", CART)
    ada.sync()
    bob.sync()
    ada.write("adas")
    ada.sync()
    bob.write("bobs")
    bob.repo.git("remote", "set-url", "origin", "../hub.git")
    return folder


def copy(scene, folder):
    for name in ("hub.git", "bob"):
        shutil.copytree(scene / name, folder / name, symlinks=True)
    return Knowl(folder / "bob"), RepoBuilder(folder / "hub.git")


def run(knowl, call, moment="before"):
    env = killing_git(knowl.cwd.parent / "killer", call, moment)
    return knowl.at(knowl.cwd, **env).process("sync").code


@pytest.fixture(scope="module")
def total(scene, tmp_path_factory):
    """Return how many git calls an undisturbed sync makes."""
    knowl, _ = copy(scene, tmp_path_factory.mktemp("count"))
    assert run(knowl, NEVER) == 0
    return calls_made(knowl.cwd.parent / "killer")


def killed(scene, folder, call, moment="before"):
    """Kill a sync at a call, look at what is there, and sync again."""
    knowl, hub = copy(scene, folder)
    theirs = hub.rev(ENTRIES)
    assert run(knowl, call, moment) == KILLED

    assert names(knowl) in (BEFORE, AFTER)
    assert hub.git("merge-base", "--is-ancestor", theirs, ENTRIES) == ""
    knowl.ok("sync")
    assert names(knowl) == AFTER
    assert RepoBuilder(knowl.cwd).rev(ENTRIES) == hub.rev(ENTRIES)
    assert "not yet" not in knowl.ok("status")
    check_objects(knowl)
    hub.git("fsck", "--strict")


def names(knowl):
    listed = knowl.json("ls")
    assert "damaged" not in listed
    assert [*knowl.cwd.glob(".git/refs/**/*.lock")] == []
    return {entry["name"] for entry in listed["entries"]}


@pytest.mark.parametrize("part", range(TRIED))
def test_killed_on_the_way_a_sync_loses_nothing(scene, total, tmp_path, part):
    killed(scene, tmp_path, 1 + part * (total - 1) // (TRIED - 1))


def test_killed_after_everything_was_done_a_sync_has_nothing_left_to_do(scene, total, tmp_path):
    killed(scene, tmp_path, total, "after")


@pytest.mark.full
def test_killed_at_any_call_a_sync_loses_nothing(scene, total, tmp_path):
    for call in range(1, total + 1):
        folder = tmp_path / str(call)
        folder.mkdir()
        killed(scene, folder, call)
