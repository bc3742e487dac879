"""`git knowl sync` as people and programs see it, over every transport."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from git_knowl.interfaces.cli.sync_text import LISTED, lines, talk
from git_knowl.model import schema
from git_knowl.services.edit import apply_edit, document
from git_knowl.services.sync.result import Synced, merged
from git_knowl.services.verify import evidence
from git_knowl.store.merge.join import Outcome
from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.http_server import WHO, serve
from tests.support.people import CART
from tests.support.remotes import (
    PROTOCOLS,
    TRANSPORTS,
    Member,
    bare,
    clone,
    hook,
    member,
    reached_by,
)


@pytest.fixture
def hub(tmp_path):
    return bare(tmp_path)


@pytest.fixture
def ada(hub):
    return member(hub, "ada")


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_store_goes_from_clone_to_clone_over_every_transport(hub, ada, transport, monkeypatch):
    ada.write("cart", CART)
    bob = clone(hub, "bob")
    with reached_by(transport, hub) as (address, env):
        for name, value in env.items():
            monkeypatch.setenv(name, value)
        for repo in (ada.repo, bob):
            repo.git("remote", "set-url", "origin", address)

        sent = Knowl(ada.repo.path).json("sync")
        said = Knowl(bob.path).process("init", "--no-hooks").err
        taken = Knowl(bob.path).json("sync")

    assert [one["name"] for one in sent["sent"]] == ["cart"]
    assert said.startswith("fetched the store of 'origin': 1 captured by Ada")
    assert len(said.splitlines()) == 1, "git has nothing to say beside it"
    assert taken["state"] == "in step"
    assert Knowl(bob.path).json("ls")["entries"][0]["name"] == "cart"


def test_a_host_that_wants_a_password_is_an_error_and_no_question(hub, ada, monkeypatch):
    ada.write("cart", CART)
    monkeypatch.setenv("GIT_ALLOW_PROTOCOL", PROTOCOLS)
    with serve(hub.path.parent, WHO) as address:
        ada.repo.git("remote", "set-url", "origin", f"{address}/{hub.path.name}")

        with Knowl(ada.repo.path).terminal("sync") as terminal:
            code = terminal.finish()

    assert code == 1
    assert "error: 'origin' does not let us in" in terminal.shown
    assert "hint: " in terminal.shown


@pytest.mark.parametrize("words", [(), ("--dry-run",), ("--pull",)])
def test_the_object_is_as_the_schema_says(hub, ada, words):
    ada.write("cart", CART)
    ada.sync()
    eve = member(hub, "eve")
    eve.write("tax")
    knowl = Knowl(eve.repo.path)

    printed = knowl.ok("sync", *words, "--json")

    assert printed.count("\n") == 1
    assert schema.check("sync", json.loads(printed)) == []
    assert [one["name"] for one in json.loads(printed)["received"]] == ["cart"]
    told = knowl.json("status")
    assert schema.check("status", told) == []


def test_a_refusal_ends_with_1_and_what_to_do(hub, ada):
    hook(hub, "update", "#!/bin/sh\necho 'not \033[31mhere' >&2\nexit 1\n")
    ada.write("cart", CART)

    done = Knowl(ada.repo.path)("sync")

    assert done.code == 1
    assert "does not take refs/knowl/entries: hook declined" in done.err
    assert "\033" not in done.err
    assert "hint: " in done.err


def test_conflicts_are_stored_and_the_exit_code_is_0(hub, ada):
    ada.write("cart", CART)
    ada.sync()
    bob = member(hub, "bob")
    bob.sync()
    edit(ada, "cart", "Ada says so. Why: she looked.")
    edit(bob, "cart", "Bob says so. Why: he looked.")
    ada.sync()

    done = Knowl(bob.repo.path)("sync")

    assert done.code == 0
    assert "conflict" in done.out
    assert "1 entry to decide on (git knowl review)" in done.err
    assert Knowl(ada.repo.path)("sync").code == 0


def edit(one, name, body):
    """Give an entry another text."""
    one.ctx.refresh()
    seen = evidence(one.ctx, name)
    apply_edit(one.ctx, seen, document(replace(seen.entry, body=body)))


@pytest.fixture
def stranger(tmp_path, hub, ada):
    """Give a clone of other code with a store of its own, and the remote of ours."""
    ada.write("cart", CART)
    ada.sync()
    other = RepoBuilder.make(tmp_path, name="other")
    other.commit("another beginning", {"x": "y"})
    other.git("remote", "add", "origin", str(hub.path))
    eve = Member(other, "Eve <eve@example.org>")
    eve.write("tax")
    return Knowl(other.path)


def test_another_project_is_an_error_where_nobody_can_be_asked(stranger):
    done = stranger("sync")

    assert done.code == 1
    assert "about another project" in done.err
    assert "--same-project" in done.err
    assert stranger("sync", "--same-project").code == 0


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("n", 1)])
def test_in_a_terminal_the_person_is_asked_whether_it_is_the_same_project(stranger, answer, code):
    with stranger.terminal("sync") as terminal:
        terminal.expect("are both the same project")
        terminal.send(f"{answer}\n")

        assert terminal.finish() == code

    assert {one["name"] for one in stranger.json("ls")["entries"]} == (
        {"cart", "tax"} if answer == "y" else {"tax"}
    )


def test_a_store_that_is_nowhere_yet_is_owed_to_whichever_remote_is_chosen(ada):
    ada.repo.git("remote", "add", "fork", "https://fork.example/x.git")
    ada.write("cart", CART)
    knowl = Knowl(ada.repo.path)

    assert "1 operation at no remote yet (git config knowl.remote NAME): " in knowl.ok("status")
    assert [one["remote"] for one in knowl.json("status")["owed"]] == ["origin", "fork"]


@pytest.mark.parametrize("words", [(), ("--dry-run",)])
def test_a_pull_from_a_remote_without_a_store_says_that_it_is_the_remote_which_has_none(ada, words):
    knowl = Knowl(ada.repo.path)
    neither = "neither 'origin' nor this clone has any entry\n"
    assert knowl("sync", "--pull", *words).err == neither
    ada.write("cart", CART)

    said = knowl("sync", "--pull", *words).err

    assert said == (
        "'origin' has no entry yet\n1 operation of this clone not sent (git knowl sync origin)\n"
    )


def test_an_entry_whose_name_is_taken_here_is_told_with_the_name_it_is_shown_under(ada, hub):
    eve = member(hub, "eve")
    ada.write("cart", CART)
    eve.write("cart")
    eve.sync()

    first, second = Knowl(ada.repo.path)("sync"), Knowl(eve.repo.path)("sync")

    (line,) = [one for one in (first.out + second.out).splitlines() if "shown as" in one]
    name = line.partition("shown as '")[2].partition("'")[0]
    assert name.startswith("cart~")
    assert name in {one["name"] for one in Knowl(ada.repo.path).json("ls")["entries"]}


def test_one_long_name_makes_no_other_line_longer():
    names = ("cart", "x" * 200)
    made = tuple(Outcome(name, name, "new", "Ada <a@b>") for name in names)

    short, long = lines(Synced("origin", "x", made))

    assert len(short) < 80
    assert long.endswith("x  (Ada <a@b>)")


def test_many_entries_are_counted_after_the_first():
    made = tuple(Outcome(str(n), f"e{n}", "new", "A <a@b>") for n in range(LISTED + 3))

    told = lines(Synced("origin", "x", (), made))

    assert len(told) == LISTED + 1
    assert told[-1] == "and 3 more"


def test_what_is_left_to_do_is_said():
    made = tuple(
        Outcome(kind, kind, kind, None, "why")
        for kind in ("conflict", "refused", "invalid", "left out")
    )

    told = list(talk(Synced("origin", "x", made, owed=2, drafts=1, pull=True)))

    assert told == [
        "from 'origin': 1 in conflict, 1 refused, 1 unreadable, 1 left out",
        "1 entry to decide on (git knowl review)",
        "1 entry not taken over: whoever wrote it can mend it",
        "1 file kept as it is: no reader understands it (git knowl doctor)",
        "1 file left out: it is no part of a store",
        "1 draft waiting for a person (git knowl review)",
        "2 operations of this clone not sent (git knowl sync origin)",
    ]


def test_a_pull_with_nothing_new_says_what_is_not_sent():
    told = list(talk(Synced("origin", "x", owed=1, pull=True)))

    assert told == [
        "'origin' has nothing new",
        "1 operation of this clone not sent (git knowl sync origin)",
    ]


def test_files_that_belong_to_no_entry_are_told_one_by_one():
    many = tuple(Outcome("", f"link-{n}", "left out", None, "no regular file") for n in range(3))

    found = merged(many[:2], many[1:])

    assert found == many
    assert list(talk(Synced("origin", "x", found)))[1:] == [
        "3 files left out: they are no part of a store"
    ]


def test_a_status_names_the_remote_that_was_never_told_of_the_store(ada):
    knowl = Knowl(ada.repo.path)
    line = "never synced with 'origin': git knowl sync origin\n"
    assert line not in knowl.ok("status")
    ada.write("cart", CART)

    assert line in knowl.ok("status")
    assert "origin" not in knowl.ok("status", "--porcelain")
    knowl.ok("sync")
    assert line not in knowl.ok("status")
