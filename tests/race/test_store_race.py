"""Processes from several worktrees write at once through the store: nothing is lost."""

from __future__ import annotations

import os
import sys

import pytest

from git_knowl.model.entry import LOCAL, SHARED
from git_knowl.plumbing import refs
from git_knowl.store import history, state
from git_knowl.store.inbox import read_inbox
from git_knowl.store.snapshot import Snapshot
from tests.support.processes import Job, run_together
from tests.support.seal import ROOT
from tests.support.store_writer import kind_of, number_of
from tests.support.stores import identifier, open_store

ENV = {"PYTHONPATH": str(ROOT)}
#: Of each of the eight; 200 take some minutes on two cores.
TURNS = int(os.environ.get("PYTEST_RACE_TURNS", "48"))
SAME_NAME = """
import sys
from tests.support.stores import entry, write
from tests.support.store_writer import LOCAL, SHARED, PutEntry, Store, discover, open_objects, os
repo = discover(os.getcwd(), os.environ)
lane = (SHARED, LOCAL)[int(sys.argv[1]) % 2]
write(Store(repo, open_objects(repo)), PutEntry(lane, entry("the-name", int(sys.argv[1]))))
"""


def job(builder, *arguments):
    argv = [sys.executable, "-m", "tests.support.store_writer", *map(str, arguments)]
    return Job(argv, builder.path, ENV)


def race(repo, workers, turns, *others):
    """Let all workers write at the same moment, from three worktrees, into no store yet."""
    places = [repo, repo.worktree("w2", "w2"), repo.worktree("w3")]
    writers = [job(places[n % 3], "write", n, turns) for n in range(workers)]
    outcomes = run_together([*writers, job(repo, "read", 30), *others])
    assert [outcome.err for outcome in outcomes if outcome.code != 0] == []


def expected(workers, turns, kind):
    numbers = [number_of(n, turn) for n in range(workers) for turn in range(turns)]
    return {identifier(number) for number in numbers if kind_of(number % 1000) == kind}


def check_nothing_is_lost(repo, workers, turns):
    store = open_store(repo)
    view = store.view()
    inbox = read_inbox(view)
    entries = {
        lane: {stored.entry.id for stored in Snapshot(view, lane).entries()}
        for lane in (SHARED, LOCAL)
    }
    assert {flag.id for flag in inbox.flags} == expected(workers, turns, "flag")
    assert entries[SHARED] == expected(workers, turns, "review")
    assert entries[LOCAL] == expected(workers, turns, "local")
    assert {pair[0] for pair in state.read_doors(view)} == entries[SHARED]
    settled = [flag for flag in inbox.flags if not flag.is_pending]
    assert len(settled) == len(entries[SHARED])


def check_history(repo, workers, turns):
    """Check one commit and one reflog entry an operation, in one line from the constant root."""
    store = open_store(repo)
    told = history.log(store, store.view())
    for lane, kind in ((SHARED, "review"), (LOCAL, "local")):
        ref = refs.entries_ref(lane)
        ids = expected(workers, turns, kind)
        mine = [operation for operation in told if operation.lane == lane]
        assert {entry for operation in mine for entry, _ in operation.entries} == ids
        assert len(mine) == len(ids)
        assert repo.git("rev-list", "--count", ref) == str(len(ids) + 1)
        assert repo.git("rev-list", "--count", "--min-parents=2", ref) == "0"
        assert len(repo.git("reflog", "show", ref).splitlines()) == len(ids)
    inbox = len(expected(workers, turns, "flag")) + len(expected(workers, turns, "review"))
    assert len(repo.git("reflog", "show", refs.INBOX).splitlines()) == inbox


def check_repository(repo):
    assert repo.git("fsck", "--strict", "--no-dangling", "--no-progress") == ""
    assert list((repo.path / ".git").rglob("*.lock")) == []


def test_no_write_of_many_processes_is_lost_the_very_first_one_included(repo):
    race(repo, 4, 6)

    check_nothing_is_lost(repo, 4, 6)
    check_history(repo, 4, 6)
    check_repository(repo)


def test_of_many_processes_that_want_one_name_exactly_one_gets_it(repo):
    argv = [[sys.executable, "-c", SAME_NAME, str(number)] for number in range(1, 6)]

    outcomes = run_together([Job(command, repo.path, ENV) for command in argv])

    assert sorted(outcome.code for outcome in outcomes) == [0, 1, 1, 1, 1]
    assert all("NameTakenError" in outcome.err for outcome in outcomes if outcome.code)
    assert len(open_store(repo).view().holders("the-name")) == 1


@pytest.mark.slow
def test_eight_processes_write_as_fast_as_they_can_while_git_packs_the_refs(repo):
    packing = f"for n in $(seq {TURNS}); do git pack-refs --all || exit 1; done"
    race(repo, 8, TURNS, Job(["sh", "-c", packing], repo.path))

    check_nothing_is_lost(repo, 8, TURNS)
    check_history(repo, 8, TURNS)
    check_repository(repo)
