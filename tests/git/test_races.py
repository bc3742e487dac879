"""Real processes at once: nothing is lost, and a kill leaves nothing half-visible."""

from __future__ import annotations

import sys

import pytest

from git_knowl.plumbing import refs
from git_knowl.plumbing.lock import flock
from git_knowl.plumbing.objects import genesis, open_objects
from tests.support.builders import RepoBuilder
from tests.support.processes import Job, calls_made, killing_git, run_together
from tests.support.seal import ROOT

WHO = "Kim <kim@example.org> 1700000000 +0000"

#: Adds files to the tree of the entries ref, one commit each; the first writer makes genesis.
WRITE = """
import os, sys
from contextlib import nullcontext
from git_knowl.plumbing import objects, refs
from git_knowl.plumbing.lock import flock
from git_knowl.plumbing.repository import discover

WHO = "Kim <kim@example.org> 1700000000 +0000"
name, count, queue = sys.argv[1], int(sys.argv[2]), sys.argv[3] == "queue"
repo = discover(os.getcwd(), os.environ)
db = objects.open_objects(repo)

def add(number):
    old = refs.read(repo, (refs.ENTRIES,))[refs.ENTRIES]
    tip, made = (old, []) if old else objects.genesis(repo.object_format)
    tree = [] if not old else db.read_tree(db.read_commit(old).tree)
    blob = objects.object_id("blob", b"x", repo.object_format)
    data = objects.encode_tree([*tree, ("100644", f"{name}-{number}", blob)])
    root = objects.object_id("tree", data, repo.object_format)
    commit = objects.encode_commit(root, (tip,), WHO, WHO, f"add {name}-{number}")
    new = db.write([*made, ("blob", b"x"), ("tree", data), ("commit", commit)])[-1]
    refs.update(repo, [refs.Update(refs.ENTRIES, new, old)], "add")

for number in range(count):
    while True:
        with flock(repo) if queue else nullcontext():
            try:
                add(number)
                break
            except (refs.RefLocked, refs.RefMoved):
                pass
"""

#: Creates the first commit of two refs, without any queue.
FIRST = """
import os
from git_knowl.plumbing import objects, refs
from git_knowl.plumbing.repository import discover

repo = discover(os.getcwd(), os.environ)
oid, parts = objects.genesis(repo.object_format)
objects.open_objects(repo).write(parts)
moves = [refs.Update(ref, oid, None) for ref in (refs.ENTRIES, refs.INBOX)]
try:
    refs.update(repo, moves, "genesis")
    print("made")
except (refs.RefLocked, refs.RefMoved):
    print("moved")
"""


def job(script: str, where: RepoBuilder, *args: str, env: dict[str, str] | None = None) -> Job:
    environ = {"PYTHONPATH": str(ROOT), **(env or {})}
    return Job([sys.executable, "-c", script, *args], where.path, environ)


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
@pytest.mark.parametrize("queue", ["queue", "free"])
def test_writers_in_three_worktrees_lose_nothing_not_even_the_first_write(
    tmp_path, object_format, queue
):
    main = RepoBuilder.start(tmp_path, object_format)
    places = [main, main.worktree("one", "one"), main.worktree("two", "two")]
    jobs = [job(WRITE, places[n % 3], f"w{n}", "4", queue) for n in range(6)]

    outcomes = run_together(jobs)

    assert [(outcome.code, outcome.err) for outcome in outcomes] == [(0, "")] * 6
    names = set(main.git("ls-tree", "--name-only", refs.ENTRIES).splitlines())
    assert names == {f"w{writer}-{number}" for writer in range(6) for number in range(4)}
    assert main.git("rev-list", "--count", refs.ENTRIES) == "25"
    main.git("fsck", "--strict")


def test_of_many_who_make_the_first_commit_one_succeeds(tmp_path):
    for round_ in range(3):
        main = RepoBuilder.make(tmp_path, name=f"round{round_}")

        outcomes = run_together([job(FIRST, main)] * 6)

        assert sorted(outcome.out for outcome in outcomes) == ["made\n"] + ["moved\n"] * 5
        assert main.rev(refs.ENTRIES) == main.rev(refs.INBOX) == genesis("sha1")[0]


def test_refs_move_while_git_packs_them(tmp_path):
    main = RepoBuilder.start(tmp_path)
    pack = "for i in 1 2 3 4 5 6 7 8 9 10; do git pack-refs --all || exit 1; done"
    jobs = [job(WRITE, main, f"w{n}", "5", "queue") for n in range(2)]

    outcomes = run_together([*jobs, Job(["sh", "-c", pack], main.path)])

    assert [(outcome.code, outcome.err) for outcome in outcomes[:2]] == [(0, "")] * 2
    assert len(main.git("ls-tree", "--name-only", refs.ENTRIES).splitlines()) == 10


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_writer_killed_at_any_git_call_leaves_a_whole_store(tmp_path, moment):
    """The tip is the old or the new one and complete, and the next writer gets through."""
    main = RepoBuilder.start(tmp_path)
    assert run_together([job(WRITE, main, "old", "1", "queue")])[0].code == 0
    call = 0
    while True:
        call += 1
        folder = tmp_path / f"kill-{call}-{moment}"
        env = killing_git(folder, call, moment)
        outcome = run_together([job(WRITE, main, f"new{call}", "1", "queue", env=env)])[0]
        if calls_made(folder) < call:
            break
        assert outcome.code == -9

        main.git("fsck", "--strict")
        check_next_writer(main)
    assert call > 3
    assert outcome.code == 0


def check_next_writer(main: RepoBuilder) -> None:
    opened = main.open()
    with flock(opened, 0.5) as held:
        tip = refs.read(opened, (refs.ENTRIES,))[refs.ENTRIES]
        db = open_objects(opened)
        assert db.read_tree(db.read_commit(tip or "").tree)
        refs.update(opened, [refs.Update(refs.ENTRIES, tip, tip)], "touch", held=held)
        db.close()
