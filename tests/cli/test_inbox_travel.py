"""`git knowl inbox send` and `receive` as people and programs see them."""

from __future__ import annotations

import json

import pytest

from git_knowl.interfaces.cli.commands.inbox import FEW, SHOWN
from git_knowl.model import schema
from git_knowl.store import flags
from git_knowl.store.layout import FORMAT_TEXT
from tests.support import stores
from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.http_server import serve
from tests.support.proposals import ADA, fill, home, member, plant

ESCAPE = "\x1b]0;owned\x07"


@pytest.fixture
def hub(tmp_path):
    return RepoBuilder.start(tmp_path, bare=True, name="hub")


@pytest.fixture
def ada(hub):
    return member(hub, "ada", ADA)


@pytest.fixture
def bob(hub):
    return Knowl(hub.clone("bob").path)


def knowl_of(ctx):
    return Knowl(home(ctx).path)


def test_the_objects_are_as_the_schemas_say(ada, bob):
    ids = fill(ada)

    sent = knowl_of(ada).json("inbox", "send")
    taken = bob.json("inbox", "receive", "origin")
    inbox = bob.json("inbox")
    packet = bob.json("capture", "--json")

    assert schema.check("send", sent) == []
    assert schema.check("receive", taken) == []
    assert schema.check("inbox", inbox) == []
    assert schema.check("packet", packet) == []
    assert sorted(sent["ids"]) == sorted(taken["ids"]) == sorted(ids)
    (sender,) = taken["senders"]
    assert {one["sender"] for one in (*inbox["flags"], *inbox["drafts"])} == {sender}


def test_a_reviewer_sees_whom_it_came_from(ada, bob):
    fill(ada)
    knowl_of(ada).ok("inbox", "send")
    bob.ok("inbox", "receive")

    with bob.terminal("review") as terminal:
        terminal.expect("received from origin/kim-example-org-")
        terminal.expect("nobody has checked who that is")
        terminal.send("q\n")
        terminal.finish()


def test_over_http_it_is_the_same(hub, ada, bob, monkeypatch):
    ids = fill(ada)
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", "file:http")
    hub.git("config", "http.receivepack", "true")
    with serve(hub.path.parent) as address:
        for one in (home(ada), RepoBuilder(bob.cwd)):
            one.git("remote", "set-url", "origin", f"{address}/{hub.path.name}")
        knowl_of(ada).ok("inbox", "send")
        taken = bob.json("inbox", "receive")

    assert sorted(taken["ids"]) == sorted(ids)


def test_nothing_that_came_in_moves_the_cursor(hub, bob):
    evil = stores.flag("fine", 1, paths=(), by="Mallory <m@x>")
    bad = json.loads(flags.encode(stores.flag("x", 2, paths=())))
    bad["summary"] = f"title {ESCAPE}"
    files = {
        "format": FORMAT_TEXT,
        flags.flag_path(evil.id): flags.encode(evil),
        flags.flag_path(bad["id"]): json.dumps(bad).encode(),
        f"flags/{ESCAPE}/x": b"x",
    }
    plant(hub, "refs/knowl/proposals/mallory-0a1b2c3d", files)

    done = bob("inbox", "receive")

    assert done.code == 0
    assert "\x1b" not in done.err + done.out + bob.ok("inbox")
    assert "refused origin/mallory-0a1b2c3d" in done.err


def test_many_refusals_are_told_in_part(hub, bob):
    files = {"format": FORMAT_TEXT}
    for number in range(SHOWN + 5):
        files[flags.flag_path(stores.identifier(number))] = b"garbage"
    plant(hub, "refs/knowl/proposals/mallory-0a1b2c3d", files)

    done = bob("inbox", "receive")

    assert done.err.count("warning: refused") == SHOWN
    assert "5 more refused" in done.err
    assert "nothing new was received" in done.err


def test_what_is_passed_over_is_told_by_reason(ada, bob):
    fill(ada)
    for number in range(FEW):
        knowl_of(ada).ok("flag", f"one thing more, number {number}")
    knowl_of(ada).ok("inbox", "send")
    bob.ok("inbox", "receive")

    told = bob("inbox", "receive").err

    assert f"passed over {3 + FEW} of them: it is in the inbox here" in told


@pytest.mark.parametrize("words", [("send",), ("receive",)])
def test_without_a_remote_it_says_how_to_make_one(repo, words):
    done = Knowl(repo.path)("inbox", *words)

    assert done.code == 1
    assert "git remote add" in done.err
