"""What a door reads of the world: who asks, by which agent, from where, at what time."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import pytest

from git_knowl.interfaces import door
from git_knowl.interfaces.hosts import HOSTS, detect

if TYPE_CHECKING:
    from tests.support.builders import RepoBuilder


@pytest.mark.parametrize("variable", HOSTS)
def test_an_agent_host_is_known_by_the_variable_it_sets(variable: str) -> None:
    host, session = HOSTS[variable]

    assert detect({variable: "1", session: "s-1"}) == (host, "s-1")
    assert detect({variable: ""}) == (None, None)


def test_a_host_that_sets_nothing_can_be_named() -> None:
    assert detect({"KNOWL_HOST": "mine", "KNOWL_SESSION": "7", "CLAUDECODE": "1"}) == ("mine", "7")
    assert detect({"CLAUDECODE": "1", "KNOWL_SESSION": "7"}) == ("claude", "7")
    assert detect({"KNOWL_SESSION": "7"}) == (None, "7")
    assert detect({}) == (None, None)


@pytest.mark.parametrize(
    ("streams", "is_terminal"),
    [("", False), ("err", False), ("in out", False), ("in err", True), ("out err", True)],
)
def test_a_person_can_be_asked_where_errors_and_one_more_stream_are_a_terminal(
    monkeypatch: pytest.MonkeyPatch, streams: str, is_terminal: bool
) -> None:
    for name in ("in", "out", "err"):
        stream = getattr(sys, f"std{name}")
        monkeypatch.setattr(stream, "isatty", lambda name=name: name in streams.split())

    assert door.has_terminal() is is_terminal


def test_the_caller_is_who_git_says(repo: RepoBuilder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repo.path / "lib")
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setenv("KNOWL_NOW", "1796000000")

    caller = door.open_context().caller

    assert caller.person is not None
    assert caller.person.endswith(">")
    assert (caller.host, caller.cwd) == ("claude", str(repo.path / "lib"))
    assert caller.now() == "2026-11-30T00:53:20Z"
    assert len(caller.entropy(10)) == 10


def test_without_a_fixed_time_the_clock_goes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KNOWL_NOW", raising=False)

    assert abs(door.clock() - time.time()) < 60
