"""A migration killed at any git call is done on all refs or on none, and can be repeated."""

from __future__ import annotations

import shutil
import signal
import sys

import pytest

from git_knowl.plumbing import refs
from git_knowl.services.migrate import plan
from git_knowl.store.flags import PutFlag
from tests.support.builders import RepoBuilder
from tests.support.formats import NEXT
from tests.support.people import CART, names, person, write
from tests.support.processes import Job, calls_made, calls_of, killing_git, run_together
from tests.support.readable import readable
from tests.support.seal import ROOT
from tests.support.stores import flag, open_store
from tests.support.stores import write as publish
from tests.support.upkeep import MAINTENANCE, QUICK, maintain

KILLED = -signal.SIGKILL
NEVER = 0
MOVES = "update-ref"
RAISED = (refs.ENTRIES, refs.LOCAL_ENTRIES, refs.INBOX, refs.STATE)


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """Give a store that has something on every ref, and the calls its migration makes."""
    folder = tmp_path_factory.mktemp("start")
    repo = RepoBuilder.start(folder)
    ctx = person(repo)
    write(ctx, "cart", CART)
    write(ctx, "mine", CART, lane="local")
    publish(open_store(repo), PutFlag(flag("a flag", 2)))
    counted = copy(repo, folder / "count")
    assert run(counted, NEVER) == 0
    return repo, shims(counted)


def copy(repo, folder):
    shutil.copytree(repo.path, folder, symlinks=True)
    return RepoBuilder(folder)


def shims(repo):
    return repo.path.with_name(f"{repo.path.name}-git")


def run(repo, call, moment="before"):
    env = {"PYTHONPATH": str(ROOT), **killing_git(shims(repo), call, moment)}
    (done,) = run_together([Job([sys.executable, "-m", "tests.support.formats"], repo.path, env)])
    return done.code


def formats(repo):
    return {repo.git("show", f"{ref}:format").splitlines()[0] for ref in RAISED}


def killed(start, folder, call, moment="before", commands=MAINTENANCE):
    """Kill a migration, let git clean up, look at what is there, and migrate again."""
    repo = copy(start, folder)
    assert run(repo, call, moment) == KILLED

    before = readable(repo)
    maintain(repo, commands=commands)
    assert readable(repo) == before
    between = formats(repo)
    assert between in ({"format 1"}, {"format 2"})
    assert bool(plan(person(repo), NEXT)) == (between == {"format 1"})
    if between == {"format 1"}:
        assert run(repo, NEVER) == 0
    assert formats(repo) == {"format 2"}
    assert names(person(repo)) == {"cart": "shared", "mine": "local"}
    repo.git("fsck", "--strict")
    return between


@pytest.mark.parametrize(("moment", "between"), [("before", "format 1"), ("after", "format 2")])
def test_killed_around_the_move_of_refs_it_is_done_whole_or_not_at_all(
    start, tmp_path, moment, between
):
    repo, counted = start
    (call,) = calls_of(counted, MOVES)

    assert killed(repo, tmp_path / "repo", call, moment, QUICK) == {between}


@pytest.mark.full
def test_killed_at_any_git_call_it_is_done_whole_or_not_at_all(start, tmp_path):
    repo, counted = start

    told = [
        killed(repo, tmp_path / str(n), n) == {"format 2"}
        for n in range(1, calls_made(counted) + 1)
    ]
    assert told == sorted(told)
