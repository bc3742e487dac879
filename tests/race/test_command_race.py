"""Commands of several worktrees at once: all of them happen, in one order, and readers see it."""

from __future__ import annotations

import json
import shlex
from threading import Event, Thread

import pytest

from tests.support.cli import COMMAND, Knowl
from tests.support.contexts import ADA, capture_item
from tests.support.processes import Job, run_together

NOTE = "Above three pieces the price doubles. Why: two suppliers.\n"
PLACES = 3
WHO = ("--reviewer", ADA)


@pytest.fixture
def places(repo):
    """Return the command line in three worktrees of one clone."""
    repo.commit("note", {"note.md": NOTE})
    linked = [repo.worktree(f"w{n}", f"w{n}") for n in range(1, PLACES)]
    return [Knowl(one.path) for one in (repo, *linked)]


class Reader(Thread):
    """Somebody who lists all entries again and again while others write."""

    def __init__(self, knowl):
        super().__init__()
        self.knowl = knowl
        self.enough = Event()
        self.outcomes = []

    def run(self):
        while not self.enough.is_set():
            self.outcomes.append(self.knowl.process("ls", "--json"))

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *failure):
        self.enough.set()
        self.join()


def add(name):
    words = ("--type", "project", "-d", f"Read before touching {name}", "-a", "file:lib/cart.ts")
    return ("add", "--name", name, *words, "--body", "note.md", *WHO)


def propose(knowl, *names):
    """Hand in drafts of entries and return their ids."""
    payload = {"items": [capture_item(name, description=f"For {name}") for name in names]}
    return knowl.json("capture", "--submit", "-", stdin=json.dumps(payload))["drafts"]


def script(commands):
    """Return a shell script that runs commands in turn and prints verb and exit code of each."""
    lines = [f"{shlex.join([*COMMAND, *args])} > /dev/null; echo {args[0]} $?" for args in commands]
    return "\n".join(lines)


def day(number, drafts):
    """Return what somebody does in one worktree; another one may undo it at any moment."""
    accepted = [word for draft in drafts for word in ("--accept", draft)]
    return [
        ("flag", f"seen in {number}"),
        add(f"new-{number}"),
        ("review", *accepted, *WHO),
        ("retire", f"old-{number}", "--reason", "not true any more", *WHO),
        ("flag", f"seen again in {number}"),
        ("undo", *WHO),
    ]


def states(operations, start):
    """Return the sets of live names after each operation, from what history tells of it."""
    found = [frozenset(start)]
    for operation in operations:
        names = {entry["name"] for entry in operation["entries"]}
        if operation["op"] in ("add", "review"):
            found.append(found[-1] | names)
        elif operation["op"] == "retire":
            found.append(found[-1] - names)
        else:  # what an undoing touches was there, or comes back
            found.append(found[-1] ^ names)
    return found


def test_commands_of_three_worktrees_all_happen_in_one_order_that_readers_follow(places):
    old = [f"old-{number}" for number in range(PLACES)]
    for name in old:
        places[0].ok(*add(name))
    days = [day(n, propose(knowl, f"a-{n}", f"b-{n}")) for n, knowl in enumerate(places)]
    before = len(places[0].json("log")["operations"])

    with Reader(places[-1]) as reader:
        jobs = [
            Job(["sh", "-c", script(commands)], knowl.cwd, knowl.process_env())
            for knowl, commands in zip(places, days, strict=True)
        ]
        outcomes = run_together(jobs)

    codes = [tuple(line.split()) for outcome in outcomes for line in outcome.out.splitlines()]
    log = places[0].json("log")["operations"]
    written = log[: len(log) - before][::-1]
    check_codes(codes, outcomes)
    check_log(written, codes)
    check_readers(reader, states(written, old))
    check_end(places, states(written, old)[-1])


def check_codes(codes, outcomes):
    """Check that what nobody can take away succeeds, and the rest ends as lost races do."""
    said = [outcome.err for outcome in outcomes]
    sure = [code for verb, code in codes if verb in ("flag", "add", "review")]
    assert sure == ["0"] * len(sure), said
    assert {code for _, code in codes} <= {"0", "1", "4"}, said


def check_log(written, codes):
    done = sorted(verb for verb, code in codes if code == "0" and verb != "flag")
    assert sorted(operation["op"] for operation in written) == done


def check_readers(reader, seen):
    assert reader.outcomes
    for outcome in reader.outcomes:
        assert outcome.code == 0, outcome.err
        assert "damaged" not in outcome.json
        assert frozenset(entry["name"] for entry in outcome.json["entries"]) in seen


def check_end(places, names):
    for knowl in places:
        assert {entry["name"] for entry in knowl.json("ls")["entries"]} == names
    inbox = places[0].json("inbox")
    told = {f"seen {word}in {number}" for word in ("", "again ") for number in range(PLACES)}
    assert {flag["summary"] for flag in inbox["flags"]} == told
