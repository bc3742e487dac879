"""The queue of writers."""

from __future__ import annotations

import errno
import fcntl
import os
import sys
import time

import pytest

from git_knowl.errors import MovedError
from git_knowl.plumbing.lock import LockFolderError, flock
from tests.support.processes import Job, run_together

HOLD = """
import os, sys, time
from git_knowl.plumbing.lock import flock
from git_knowl.plumbing.repository import discover
repo = discover(os.getcwd(), os.environ)
for _ in range(20):
    with flock(repo):
        assert not os.path.exists("busy")
        open("busy", "w").close()
        time.sleep(0.001)
        os.unlink("busy")
"""


def test_only_one_process_is_inside_at_a_time(repo):
    jobs = [Job([sys.executable, "-c", HOLD], repo.path, {"PYTHONPATH": os.getcwd()})] * 4

    outcomes = run_together(jobs)

    assert [(outcome.code, outcome.err) for outcome in outcomes] == [(0, "")] * 4


def test_worktrees_share_one_lock(repo):
    linked = repo.worktree("side", "topic").open()

    with flock(repo.open()), pytest.raises(MovedError, match="another writer"), flock(linked, 0.05):
        pass


def test_it_is_free_again_after_use_and_after_an_error(repo):
    opened = repo.open()

    with pytest.raises(RuntimeError), flock(opened):
        raise RuntimeError
    with flock(opened, 0.05) as held:
        assert held.works
    assert not held.works


def test_a_killed_holder_leaves_nothing_to_clean_up(repo):
    script = HOLD.replace('open("busy", "w").close()', "os.kill(os.getpid(), 9)")
    job = Job([sys.executable, "-c", script], repo.path, {"PYTHONPATH": os.getcwd()})
    assert run_together([job])[0].code == -9

    with flock(repo.open(), 0.05) as held:
        assert held.works


def test_children_do_not_inherit_it(repo):
    opened = repo.open()

    with flock(opened):
        child = opened.converse("cat-file", "--batch")
    try:
        with flock(opened, 0.05) as held:
            assert held.works
    finally:
        child.close()


def test_a_file_system_without_locks_is_told_apart(repo, monkeypatch):
    def refuse(fd, operation):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)

    with flock(repo.open()) as held:
        assert not held.works


def test_another_failure_to_lock_is_an_expected_error(repo, monkeypatch):
    def fail(fd, operation):
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(fcntl, "flock", fail)

    with pytest.raises(LockFolderError, match="Input/output error"), flock(repo.open()):
        pass


def test_a_folder_that_cannot_be_written_is_an_expected_error(repo):
    opened = repo.open()
    (repo.path / ".git/common").write_text("in the way")

    with pytest.raises(LockFolderError, match="cannot write"), flock(opened):
        pass


def test_its_clock_is_the_file_systems(repo):
    with flock(repo.open()) as held:
        assert abs(held.now() - time.time()) < 60
