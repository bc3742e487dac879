"""`doctor --repair`: a person is asked for each repair; nobody else mends anything."""

from __future__ import annotations

import os

import pytest

from git_knowl.plumbing import refs
from tests.support.people import CART, person, write


@pytest.fixture
def behind(repo):
    """Leave two things that can be mended: the notes, and a lock."""
    write(person(repo), "cart", CART)
    repo.git("update-ref", "-d", refs.NOTES)
    path = repo.path / ".git" / f"{refs.INBOX}.lock"
    path.touch()
    os.utime(path, (0, 0))
    return path


def test_without_a_terminal_nothing_is_mended_and_the_repairs_are_told(behind, knowl):
    done = knowl("doctor", "--repair")

    assert done.code == 3
    assert "'git knowl doctor --repair' offers to make the notes anew" in done.out
    assert behind.exists()
    offered = [one["repair"] for one in knowl("doctor", "--repair", "--json").json["findings"]]
    assert offered == ["remove this lock", "make the notes anew"]
    assert behind.exists()


def test_each_repair_is_asked_for_and_only_those_wanted_are_done(behind, knowl):
    with knowl.terminal("doctor", "--repair") as terminal:
        terminal.expect("remove this lock [y,n,?]?")
        terminal.send("n\n")
        terminal.expect("make the notes anew [y,n,?]?")
        terminal.send("y\n")
        terminal.expect("made the notes on 1 commits anew")
        shown = terminal.expect("heartbeat")
        assert terminal.finish() == 3

    assert behind.exists()
    assert "ok       notes" in shown


def test_when_all_is_mended_all_is_well(behind, knowl):
    with knowl.terminal("doctor", "--repair") as terminal:
        for _ in range(2):
            terminal.expect("[y,n,?]?")
            terminal.send("y\n")
        terminal.expect("heartbeat")
        assert terminal.finish() == 0

    assert not behind.exists()
