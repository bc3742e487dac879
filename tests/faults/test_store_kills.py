"""Killed at any step of a write, the store opens, shows nothing half done, and can be written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from git_knowl.model.entry import LOCAL, SHARED
from git_knowl.plumbing import refs
from git_knowl.store import state
from git_knowl.store.flags import PutFlag
from git_knowl.store.inbox import read_inbox
from git_knowl.store.operations import PutEntry
from git_knowl.store.snapshot import Snapshot
from git_knowl.store.view import LANES
from tests.support.processes import Job, calls_made, killing_git, run_together
from tests.support.seal import ROOT
from tests.support.stores import all_ids, entry, flag, identifier, open_store, write

ENV = {"PYTHONPATH": str(ROOT)}
STEPS = ("locked", "read", "applied", "written")
KILLED = -signal.SIGKILL
HOUR = 3600


def run(repo, *arguments, env=None):
    argv = [sys.executable, "-m", "tests.support.store_writer", *arguments]
    (outcome,) = run_together([Job(argv, repo.path, {**ENV, **(env or {})})])
    return outcome


def visible(repo):
    """Return what readers see: ids of entries, flags and accepted texts."""
    view = open_store(repo).view()
    inbox = read_inbox(view)
    lanes = [Snapshot(view, lane) for lane in LANES]
    assert inbox.damaged == ()
    assert [lane.damaged() for lane in lanes] == [[], []]
    entries = [identifier for lane in lanes for identifier in all_ids(lane.entries())]
    return entries, all_ids(inbox.flags), sorted(state.read_doors(view))


def check_intact(repo):
    assert repo.git("fsck", "--strict", "--no-dangling", "--no-progress") == ""


def check_next_write(repo):
    store = open_store(repo)
    write(store, PutEntry(SHARED, entry("next", 50)), PutFlag(flag("next", 51)))
    entries, flags, _ = visible(repo)
    assert identifier(50) in entries
    assert identifier(51) in flags
    check_intact(repo)


@pytest.fixture(params=["first write", "later write"])
def before(request, repo):
    """Return what is visible before the write that will be killed."""
    if request.param == "later write":
        write(open_store(repo), PutEntry(LOCAL, entry("old", 90)), PutFlag(flag("old", 91)))
    return visible(repo)


@pytest.mark.parametrize("step", STEPS)
def test_a_write_killed_before_it_is_published_leaves_no_trace_for_readers(repo, before, step):
    assert run(repo, "die", step).code == KILLED

    assert visible(repo) == before
    check_intact(repo)
    check_next_write(repo)


def test_a_write_killed_after_it_is_published_is_there_whole(repo, before):
    assert run(repo, "die", "published").code == KILLED

    entries, flags, accepted = visible(repo)
    assert {identifier(1), identifier(2)} <= set(entries)
    assert identifier(0) in flags
    assert [key for key, _ in accepted] == [identifier(1)]
    check_next_write(repo)


def test_killed_at_any_git_call_a_write_is_there_whole_or_not_at_all(repo, tmp_path):
    write(open_store(repo), PutEntry(LOCAL, entry("old", 90)))
    nothing = visible(repo)
    found = entry("shared-1", 1)
    whole = (
        {identifier(number) for number in (1, 2, 90)},
        [identifier(0)],
        [(found.id, found.digest)],
    )
    refs_before = {ref: oid for ref, oid in repo.refs().items() if "knowl" in ref}
    seen = []
    for call in range(1, 20):
        for moment in ("before", "after"):
            folder = tmp_path / f"{call}-{moment}"
            outcome = run(repo, "die", "", env=killing_git(folder, call, moment))
            entries, flags, accepted = visible(repo)
            seen.append("nothing" if (entries, flags, accepted) == nothing else "whole")
            assert seen[-1] == "nothing" or (set(entries), flags, accepted) == whole
            assert outcome.code == (KILLED if call <= calls_made(folder) else 0)
            reset(repo, refs_before)
        if outcome.code == 0:
            break

    assert seen[0] == "nothing"
    assert seen[-1] == "whole"
    check_next_write(repo)


def reset(repo, wanted):
    """Put the refs of the store back to where they were."""
    for ref in repo.refs():
        if "knowl" in ref and ref not in wanted:
            repo.git("update-ref", "-d", ref)
    for ref, oid in wanted.items():
        repo.git("update-ref", ref, oid)


def test_killed_anywhere_among_many_writes_the_store_goes_on(repo):
    for worker in range(3):
        wanted = moves(repo) + 3 + worker
        argv = [sys.executable, "-m", "tests.support.store_writer", "write", str(worker), "900"]
        with subprocess.Popen(argv, cwd=repo.path, env={**os.environ, **ENV}) as process:
            while moves(repo) < wanted and process.poll() is None:
                time.sleep(0.002)
            process.kill()
        assert process.returncode == KILLED

        visible(repo)
        view = open_store(repo).view()
        names = {f"captured as {stored.shown_name}" for stored in Snapshot(view, SHARED).entries()}
        outcomes = {noted.outcome for noted in read_inbox(view).flags if not noted.is_pending}
        assert outcomes <= names
    check_next_write(repo)


def moves(repo):
    log = repo.path / ".git/logs" / refs.INBOX
    return len(log.read_bytes().splitlines()) if log.exists() else 0


def test_an_old_lock_of_a_killed_git_is_removed_with_a_notice(repo):
    store = open_store(repo)
    write(store, PutFlag(flag("first", 1)))
    lock = repo.path / ".git" / f"{refs.INBOX}.lock"
    lock.touch()
    os.utime(lock, (time.time() - HOUR, time.time() - HOUR))

    write(store, PutFlag(flag("second", 2)))

    assert visible(repo)[1] == [identifier(1), identifier(2)]
    assert any(str(lock) in notice for notice in store.repo.notices)


def test_the_lock_of_a_writer_at_work_is_respected(repo, monkeypatch):
    from git_knowl.store import transaction  # noqa: PLC0415

    monkeypatch.setattr(transaction, "LOCKED_ATTEMPTS", 2)
    store = open_store(repo)
    write(store, PutFlag(flag("first", 1)))
    lock = repo.path / ".git" / f"{refs.INBOX}.lock"
    lock.touch()

    with pytest.raises(refs.RefLocked, match="'capture something' was not written") as caught:
        write(store, PutEntry(SHARED, entry("more", 3)), PutFlag(flag("second", 2)))
    assert f"the lock file '{lock}' is there" in caught.value.message
    assert lock.exists()
    lock.unlink()
    assert visible(repo) == ([], [identifier(1)], [])
    check_next_write(repo)
