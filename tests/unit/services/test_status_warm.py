"""The counts a prompt asks for after every command: the right ones, or none at all."""

from __future__ import annotations

import os

import pytest

from git_knowl.plumbing import refs
from git_knowl.services.flag import flag
from git_knowl.services.status import status
from git_knowl.services.status_warm import FILE, REFS, warm_counts
from tests.repo.test_imports import HEAVY, loaded_by
from tests.support.clock import Clock
from tests.support.people import CART, person, write


def warm(repo, clock=None):
    """Return what the short path answers here."""
    ctx = person(repo, clock)
    head, _ = refs.checked_out(ctx.repo)
    return warm_counts(ctx.repo, refs.read(ctx.repo, REFS), head, ctx.caller.now())


@pytest.fixture
def counted(repo):
    """Give a repository whose status was asked for, with something of everything."""
    write(person(repo), "cart", CART)
    write(person(repo), "conf", "file:conf.yml")
    flag(person(repo), "something odd")
    os.utime(repo.path / "conf.yml", (1, 1))
    repo.write("lib/cart.ts", "changed\n")
    os.utime(repo.path / "lib/cart.ts", (1, 1))
    status(person(repo))
    return repo


def settle(repo):
    """Let the files be old enough to be told from what may come, then count."""
    return status(person(repo)).counts()


def test_nothing_is_answered_before_somebody_has_counted(repo):
    assert warm(repo) is None


def test_the_answer_is_that_of_the_full_command_in_its_order(counted, knowl):
    told = knowl.ok("status", "--porcelain")

    assert [line.split()[0] for line in told.splitlines()] == list(settle(counted))
    assert "flags 1\ndrafts 0\nentries 2\nactive 1\nsuspect 1\n" in told


def test_a_later_answer_needs_nothing_but_the_kept_counts(repo):
    flag(person(repo), "something odd")
    full = status(person(repo)).counts()

    assert warm(repo) == full
    assert (full["flags"], full["entries"]) == (1, 0)


@pytest.mark.parametrize(
    "move",
    [
        lambda repo: flag(person(repo), "one more"),
        lambda repo: write(person(repo), "more", "file:conf.yml"),
        lambda repo: repo.write("lib/cart.ts", "changed again\n"),
        lambda repo: (repo.path / ".git/knowl" / FILE).write_text("odd\n"),
        lambda repo: (repo.path / ".git/knowl" / FILE).write_bytes(b"\xff\0"),
        lambda repo: (repo.path / ".git/knowl" / FILE).unlink(),
    ],
    ids=["flag", "entry", "file", "odd", "damaged", "lost"],
)
def test_whatever_moves_is_noticed_and_the_command_answers_rightly(counted, knowl, move):
    move(counted)

    assert warm(counted) in (None, settle(counted))
    assert knowl.ok("status", "--porcelain") == "".join(
        f"{name} {number}\n" for name, number in settle(counted).items()
    )


def test_flags_expire_so_another_day_is_counted_anew(repo):
    clock = Clock()
    flag(person(repo, clock), "something odd")
    status(person(repo, clock))
    assert warm(repo, clock) is not None

    clock.advance(days=1)

    assert warm(repo, clock) is None


def test_counts_belong_to_one_worktree(counted):
    other = counted.worktree("w2", "w2")

    assert warm(other) is None
    assert status(person(other)).suspect == 0


def test_a_prompt_loads_the_standard_library_and_git_alone(repo, knowl):
    knowl.ok("status")
    loaded = loaded_by(
        "sys.argv = ['git-knowl', 'status', '--porcelain']\n"
        "from git_knowl.__main__ import main\n"
        "if main() != 0: raise SystemExit('failed')",
        cwd=repo.path,
    )

    assert not loaded & HEAVY
    assert "git_knowl.interfaces.cli.app" not in loaded
