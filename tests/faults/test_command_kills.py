"""A command killed at any of its git calls is done whole or not at all, and can be done again."""

from __future__ import annotations

import signal
from bisect import bisect

import pytest

from tests.support.deeds import USUAL, check_objects, scene, seen
from tests.support.processes import calls_made, killing_git

KILLED = -signal.SIGKILL
#: A call that no command makes.
NEVER = 0
#: The write is the last calls of a command: the tips read, objects, refs.
WRITE = 3


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    return scene(tmp_path_factory.mktemp("start"))


@pytest.fixture(params=USUAL)
def deed(request, start):
    return start.deeds[request.param]


def test_killed_around_its_write_a_command_is_done_whole_or_not_at_all(start, deed, tmp_path):
    total = count_calls(start, deed, tmp_path / "count")
    told: dict[int, bool] = {}

    def done_before(call):
        if call not in told:
            told[call] = killed(start, deed, tmp_path, call)
        return told[call]

    first = bisect(range(1, total + 1), False, key=done_before) + 1  # notes may come after it
    for call in range(max(1, first - WRITE), first):
        done_before(call)

    assert [told[call] for call in sorted(told)] == sorted(told.values())
    assert told[first - 1] is False
    assert killed(start, deed, tmp_path, total, "after") is True


@pytest.mark.full
def test_killed_at_any_git_call_a_command_is_done_whole_or_not_at_all(start, deed, tmp_path):
    total = count_calls(start, deed, tmp_path / "count")

    told = [killed(start, deed, tmp_path, n) for n in range(1, total + 1)]

    assert told == sorted(told)
    assert told[0] is False


def count_calls(start, deed, folder):
    knowl = start.copy(folder)
    assert run(knowl, deed, NEVER, "before") == 0
    return calls_made(shims(knowl))


def killed(start, deed, tmp_path, call, moment="before"):
    """Kill a deed at a call, do it again, and tell whether it was done before that."""
    knowl = start.copy(tmp_path / f"{call}-{moment}")
    nothing, whole = start.before, start.done(deed)
    assert run(knowl, deed, call, moment) == KILLED

    between = seen(knowl)
    assert between in (nothing, whole)
    knowl(*deed.args, stdin=deed.stdin)
    assert seen(knowl) == whole
    check_objects(knowl)
    return between == whole


def run(knowl, deed, call, moment):
    env = killing_git(shims(knowl), call, moment)
    return knowl.at(knowl.cwd, **env).process(*deed.args, stdin=deed.stdin).code


def shims(knowl):
    return knowl.cwd.with_name(f"{knowl.cwd.name}-git")
