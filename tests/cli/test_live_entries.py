"""The verbs on live entries in front of a person, and without one: prompts, editors, exit codes."""

from __future__ import annotations

import json
import signal
import stat
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from git_knowl.model import schema
from git_knowl.model.anchor import ForeignAnchor
from git_knowl.store.operations import PutEntry
from git_knowl.store.snapshot import Snapshot
from tests.support.stores import open_store
from tests.support.stores import write as put

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.builders import RepoBuilder
    from tests.support.cli import Knowl
    from tests.support.terminal import Terminal

REVIEWER = "Kim <kim@example.org>"
BODY = "Above three pieces the price doubles: two suppliers.\n"


def add(knowl: Knowl, name: str, *options: str, body: str = BODY) -> str:
    """Add an entry that is live at once and return its id."""
    about = ("--name", name, "--type", "project", "-d", f"Read before touching {name}")
    named = options or ("-a", "file:lib/cart.ts")
    return knowl.ok(
        "add", *about, *named, "--body", "-", "--reviewer", REVIEWER, stdin=body
    ).strip()


def editor(folder: Path, *scripts: str) -> dict[str, str]:
    """Return the environment with an editor that runs one sed script after the other."""
    program, queue = folder / "editor", folder / "scripts"
    queue.write_text("".join(f"{script}\n" for script in scripts))
    program.write_text(
        f'#!/bin/sh\nnext=$(head -n 1 "{queue}")\nsed -i 1d "{queue}"\n'
        'cp "$1" "$0.seen"\nsed -i "$next" "$1"\n'
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return {"GIT_EDITOR": str(program)}


def entries(knowl: Knowl) -> dict[str, str]:
    """Return the verdict of every live entry by name."""
    return {one["name"]: one["status"] for one in knowl.json("ls")["entries"]}


def unfinished(repo: RepoBuilder) -> list[Path]:
    """Return the files that keep what a person wrote and nobody stored."""
    return sorted((repo.path / ".git/common/knowl/unfinished").iterdir())


def shown(knowl: Knowl, name: str = "cart") -> dict[str, object]:
    found: dict[str, object] = knowl.json("show", name)
    return found


def finish(person: Terminal, code: int = 0) -> str:
    """Wait for the end, which must be the exit code, and return all that was shown."""
    found = person.finish()
    assert found == code, person.shown
    return person.shown


# --- verify ----------------------------------------------------------------------------------


def test_verify_shows_old_and_new_and_takes_a_yes(repo, knowl):
    add(knowl, "cart")
    repo.write("lib/cart.ts", "four\n")

    with knowl.terminal("verify", "cart") as person:
        seen = person.expect("Is 'cart' still true")
        person.send("y\n")
        finish(person)

    assert "+four" in seen
    assert "accepted  " in seen
    assert entries(knowl) == {"cart": "active"}
    assert shown(knowl)["history"][0]["subject"] == "verify cart"


@pytest.mark.parametrize("answer", ["n\n", "\x04"])
def test_verify_leaves_things_alone_for_a_no(repo, knowl, answer):
    add(knowl, "cart")
    repo.write("lib/cart.ts", "four\n")

    with knowl.terminal("verify", "cart") as person:
        person.expect("still true")
        person.send(answer)
        text = finish(person, 1)

    assert "'git knowl edit'" in text
    assert entries(knowl) == {"cart": "suspect"}


def test_verify_refuses_a_file_that_changes_while_the_person_reads(repo, knowl):
    add(knowl, "cart")
    repo.write("lib/cart.ts", "four\n")

    with knowl.terminal("verify", "cart") as person:
        person.expect("still true")
        repo.write("lib/cart.ts", "five\n")
        person.send("y\n")
        text = finish(person, 4)

    assert "changed while it was looked at" in text
    assert entries(knowl) == {"cart": "suspect"}


def test_verify_ends_quietly_when_the_person_interrupts(repo, knowl):
    add(knowl, "cart")

    with knowl.terminal("verify", "cart") as person:
        person.expect("still true")
        person.process.send_signal(signal.SIGINT)
        finish(person, 130)


@pytest.mark.parametrize("host", [{}, {"KNOWL_HOST": "claude"}])
def test_verify_needs_somebodys_word_without_a_terminal(repo, knowl, host):
    add(knowl, "cart")
    repo.write("lib/cart.ts", "four\n")
    there = knowl.at(repo.path, **host)

    refused = there("verify", "cart", "--json")
    assert (refused.code, refused.out) == (1, "")
    assert "hint: compare old and new above, then repeat with --reviewed" in refused.err

    done = there.json("verify", "cart", "--reviewed")
    assert schema.check("write", done) == []
    assert shown(knowl)["history"][0]["subject"] == "verify cart"


def test_verify_takes_one_entry_at_a_time(repo, knowl):
    assert knowl("verify", "one", "two", "--reviewed").code == 2


# --- edit ------------------------------------------------------------------------------------


def test_edit_stores_what_the_editor_leaves(repo, knowl, tmp_path):
    add(knowl, "cart")

    with knowl.at(repo.path, **editor(tmp_path, "s/doubles/trebles/")).terminal(
        "edit", "cart"
    ) as person:
        text = finish(person)

    assert "'cart' is stored" in text
    assert "trebles" in shown(knowl)["body"]
    assert shown(knowl)["reviewed"]["how"] == "terminal"
    assert (tmp_path / "editor.seen").read_text().startswith("---\nname: cart\n")


def test_edit_opens_again_on_what_was_written(repo, knowl, tmp_path):
    add(knowl, "cart")
    twice = editor(tmp_path, "s/^type: project/type: idea/;s/doubles/trebles/", "s/idea/project/")

    with knowl.at(repo.path, **twice).terminal("edit", "cart") as person:
        seen = person.expect("Edit it again [y,n,f,?]?")
        person.send("y\n")
        finish(person)

    assert "error: type: expected one of" in seen
    assert "trebles" in shown(knowl)["body"]


def test_edit_keeps_what_was_written_when_the_person_gives_up(repo, knowl, tmp_path):
    add(knowl, "cart")

    with knowl.at(
        repo.path, **editor(tmp_path, "s/^type:.*/type: idea/;s/doubles/trebles/")
    ).terminal("edit", "cart") as person:
        person.expect("Edit it again")
        person.send("n\n")
        text = finish(person, 1)

    (kept,) = unfinished(repo)
    assert f"your text is kept in {kept}" in text
    assert "trebles" in kept.read_text()
    assert "trebles" not in shown(knowl)["body"]


def test_edit_keeps_what_was_written_where_nobody_can_be_asked(repo, knowl, tmp_path):
    add(knowl, "cart")

    done = knowl.at(repo.path, **editor(tmp_path, "s/^name:.*/name: X/")).process("edit", "cart")

    assert done.code == 1
    assert "error: name: expected kebab-case" in done.err
    assert f"your text is kept in {unfinished(repo)[0]}" in done.err


def test_edit_keeps_what_was_written_when_the_entry_moved_on(repo, knowl, tmp_path):
    add(knowl, "cart")
    add(knowl, "till")
    program = tmp_path / "race"
    command = "git knowl retire cart --reason old"
    program.write_text(f'#!/bin/sh\nsed -i s/doubles/trebles/ "$1"\n{command}\n')
    program.chmod(0o755)

    done = knowl.at(repo.path, GIT_EDITOR=str(program)).process("edit", "cart")

    assert done.code == 4
    assert "'cart' is not live any more" in done.err
    assert "trebles" in unfinished(repo)[0].read_text()


def test_edit_without_a_change_writes_nothing(repo, knowl, tmp_path):
    add(knowl, "cart")
    before = repo.refs()

    done = knowl.at(repo.path, **editor(tmp_path, "")).process("edit", "cart", "--json")

    assert schema.check("write", json.loads(done.out)) == []
    assert repo.refs() == before


def test_edit_against_changed_evidence_shows_it_first(repo, knowl, tmp_path):
    add(knowl, "cart")
    repo.write("lib/cart.ts", "four\n")
    there = knowl.at(repo.path, **editor(tmp_path, "s/doubles/trebles/"))

    with there.terminal("edit", "cart") as person:
        seen = person.expect("against the evidence as it is now")
        person.send("y\n")
        finish(person)

    assert "+four" in seen
    assert entries(knowl) == {"cart": "active"}


def test_edit_against_changed_evidence_needs_a_word_without_a_terminal(repo, knowl, tmp_path):
    add(knowl, "cart")
    repo.write("lib/cart.ts", "four\n")
    there = knowl.at(repo.path, **editor(tmp_path, "s/doubles/trebles/"))

    assert there.process("edit", "cart").code == 1
    assert not (tmp_path / "editor.seen").exists(), "no editor for what cannot be stored"

    assert there.process("edit", "cart", "--reviewed").code == 0
    assert entries(knowl) == {"cart": "active"}


def test_edit_opens_no_editor_inside_an_agent_host(repo, knowl, tmp_path):
    add(knowl, "cart")
    there = knowl.at(repo.path, KNOWL_HOST="claude", **editor(tmp_path, "s/doubles/trebles/"))

    with there.terminal("edit", "cart") as agent:
        text = finish(agent, 1)

    assert "only a person may do it" in text
    assert not (tmp_path / "editor.seen").exists()


# --- add -------------------------------------------------------------------------------------

ABOUT = ("--name", "cart", "--type", "project", "-d", "Read before discounts")
ON_CART = ("-a", "file:lib/cart.ts")


def test_add_opens_the_editor_in_a_terminal(repo, knowl, tmp_path):
    there = knowl.at(repo.path, **editor(tmp_path, "$ a It doubles."))
    flag = knowl.json("flag", "totals double", "-p", "lib/cart.ts")["id"]

    with there.terminal("add", *ABOUT, "--from-flag", flag) as person:
        finish(person)

    assert shown(knowl)["body"] == "totals double\nIt doubles.\n"
    assert shown(knowl)["reviewed"]["how"] == "terminal"
    assert knowl.json("inbox")["flags"][0]["outcome"] == "captured as cart"


def test_add_opens_the_editor_again_until_the_text_will_do(repo, knowl, tmp_path):
    there = knowl.at(repo.path, **editor(tmp_path, "d", "s/.*/It doubles./"))
    (repo.path / "note.md").write_text("note\n")

    with there.terminal("add", *ABOUT, *ON_CART, "--body", "note.md", "-e") as person:
        seen = person.expect("Edit it again")
        person.send("n\n")
        finish(person, 1)

    assert "entry.body: expected text, got nothing" in seen
    assert entries(knowl) == {}


def test_add_does_not_open_an_editor_for_a_name_that_is_taken(repo, knowl, tmp_path):
    add(knowl, "cart")
    there = knowl.at(repo.path, **editor(tmp_path, "$ a It doubles."))

    with there.terminal("add", *ABOUT, *ON_CART) as person:
        text = finish(person, 1)

    assert "entry.name: 'cart' is taken" in text
    assert not (tmp_path / "editor.seen").exists()


def test_add_without_terminal_and_text_does_not_wait_for_an_editor(repo, knowl, tmp_path):
    there = knowl.at(repo.path, **editor(tmp_path, "$ a It doubles."))

    done = there("add", *ABOUT, *ON_CART)

    assert done.code == 1
    assert "name it with --body FILE|-" in done.err
    with there.at(repo.path, KNOWL_HOST="claude").terminal("add", *ABOUT, *ON_CART) as agent:
        finish(agent, 1)
    assert not (tmp_path / "editor.seen").exists()


def test_add_says_what_it_made(repo, knowl):
    told = knowl.json("add", *ABOUT, *ON_CART, "--body", "-", stdin=BODY)

    assert schema.check("write", told) == []
    assert (told["live"], told["ids"]) == (False, [told["id"]])
    assert knowl.json("inbox")["drafts"][0]["id"] == told["id"]


def test_add_in_a_subfolder_counts_paths_from_there(repo, knowl):
    there = knowl.at(repo.path / "lib")

    add(there, "cart", "-a", "file:cart.ts")

    assert shown(knowl)["anchors"][0]["target"] == "file:lib/cart.ts"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"\xff\xfe", "expected UTF-8"),
        (b"x" * (5 * 1024 * 1024), "expected at most"),
        (b"", "entry.body: expected text"),
    ],
)
def test_add_refuses_a_body_that_is_no_text(repo, knowl, body, expected):
    done = knowl("add", *ABOUT, *ON_CART, "--body", "-", "--reviewer", REVIEWER, stdin=body)

    assert done.code == 1
    assert expected in done.err
    assert repo.refs("refs/knowl", "refs/knowl-local") == {}


def test_add_without_an_identity_says_how_to_name_one(repo, knowl, tmp_path):
    (tmp_path / "config").write_text("[user]\n\tuseConfigOnly = true\n")
    nobody = knowl.at(
        repo.path,
        GIT_CONFIG_GLOBAL=str(tmp_path / "config"),
        GIT_COMMITTER_NAME="",
        GIT_COMMITTER_EMAIL="",
        GIT_AUTHOR_NAME="",
        GIT_AUTHOR_EMAIL="",
    )

    done = nobody.process("add", *ABOUT, *ON_CART, "--body", "-", stdin=BODY)

    assert done.code == 1
    assert "user.name" in done.err


# --- the daily round -------------------------------------------------------------------------


@pytest.fixture
def suspects(repo, knowl):
    """Give the command line over four suspects."""
    for name in ("four", "one", "three", "two"):
        add(knowl, name)
    repo.write("lib/cart.ts", "four\n")
    return knowl


def test_the_round_takes_a_key_for_each_and_makes_one_commit(repo, suspects, tmp_path):
    there = suspects.at(repo.path, **editor(tmp_path, "s/doubles/trebles/"))
    before = int(repo.git("rev-list", "--count", "refs/knowl/entries"))

    with there.terminal("audit", "--review") as person:
        seen = person.expect("(1/4) four [v,u,r,z,s,q,?]?")
        person.send("?\n")
        person.expect("skip: decide another time")
        person.expect("(1/4)")
        person.send("v\n")
        person.expect("(2/4) one")
        person.send("u\n")
        person.expect("(3/4) three")
        person.send("r\n")
        person.expect("Reason:")
        person.send("it is gone\n")
        person.expect("(4/4) two")
        person.send("z\n")
        person.expect("Until (YYYY-MM-DD):")
        person.send("2099-01-01\n")
        text = finish(person)

    assert "+four" in seen
    assert BODY.strip() in seen, "the very text is shown"
    assert "4 of 4 settled" in text
    assert int(repo.git("rev-list", "--count", "refs/knowl/entries")) == before + 1
    assert entries(suspects) == {"four": "active", "one": "active", "two": "suspect"}
    assert "trebles" in shown(suspects, "one")["body"]


def test_nothing_decided_is_no_commit(repo, suspects):
    before = repo.refs()

    with suspects.terminal("audit", "--review") as person:
        person.expect("(1/4)")
        person.send("s\n")
        person.expect("(2/4)")
        person.send("q\n")
        text = finish(person)

    assert "0 of 4 settled" in text
    assert repo.refs() == before


def test_quitting_carries_out_what_was_decided_and_interrupting_does_not(repo, suspects):
    for interrupt, code, settled in ((True, 130, 0), (False, 0, 1)):
        with suspects.terminal("audit", "--review") as person:
            person.expect("(1/4)")
            person.send("v\n")
            person.expect("(2/4)")
            if interrupt:
                person.process.send_signal(signal.SIGINT)
            else:
                person.send("q\n")
            finish(person, code)
        assert list(entries(suspects).values()).count("active") == settled


def test_what_cannot_be_done_is_said_and_asked_again(repo, suspects):
    with suspects.terminal("audit", "--review") as person:
        person.expect("(1/4)")
        person.send("z\n")
        person.expect("Until")
        person.send("never\n")
        person.expect("error: until: expected a day")
        person.expect("(1/4)")
        person.send("r\n")
        person.expect("Reason:")
        person.send(" \n")
        person.expect("error: reason: expected")
        person.expect("(1/4)")
        person.send("q\n")
        finish(person)


def test_a_broken_update_is_edited_again_on_what_was_written(repo, suspects, tmp_path):
    there = suspects.at(
        repo.path, **editor(tmp_path, "s/^name:.*/name: one/;s/doubles/trebles/", "s/one/five/")
    )

    with there.terminal("audit", "--review") as person:
        person.expect("(1/4) four")
        person.send("u\n")
        person.expect("entry.name: 'one' is taken")
        person.expect("Edit it again")
        person.send("y\n")
        person.expect("(2/4)")
        person.send("q\n")
        finish(person)

    assert "trebles" in shown(suspects, "five")["body"]
    assert "four" not in entries(suspects)


def test_an_update_that_is_given_up_is_kept_and_asked_again(repo, suspects, tmp_path):
    there = suspects.at(repo.path, **editor(tmp_path, "s/^name:.*/name: one/;s/doubles/trebles/"))

    with there.terminal("audit", "--review") as person:
        person.expect("(1/4) four")
        person.send("u\n")
        person.expect("Edit it again")
        person.send("n\n")
        person.expect("your text is kept in")
        person.expect("(1/4) four")
        person.send("q\n")
        finish(person)

    assert "trebles" in unfinished(repo)[0].read_text()


def test_what_moved_is_offered_and_followed(repo, knowl):
    add(knowl, "cart")
    repo.git("mv", "lib/cart.ts", "lib/till.ts")

    with knowl.terminal("audit", "--review") as person:
        seen = person.expect("(1/1) cart")
        person.send("v\n")
        finish(person)

    assert "moved to lib/till.ts" in seen
    assert shown(knowl)["anchors"][0]["target"] == "file:lib/till.ts"


def test_what_changed_meanwhile_is_left_out_and_the_rest_is_stored(repo, suspects, tmp_path):
    there = suspects.at(repo.path, **editor(tmp_path, "s/doubles/trebles/"))

    with there.terminal("audit", "--review") as person:
        person.expect("(1/4) four")
        person.send("u\n")
        person.expect("(2/4) one")
        person.send("v\n")
        person.expect("(3/4)")
        suspects.ok("rename", "four", "other")
        person.send("q\n")
        text = finish(person, 4)

    assert "error: changed meanwhile and left out: 'four'" in text
    assert "trebles" in unfinished(repo)[0].read_text()
    assert entries(suspects)["one"] == "active"


def test_texts_that_cannot_be_stored_together_are_kept(repo, suspects, tmp_path):
    there = suspects.at(repo.path, **editor(tmp_path, *["s/^name:.*/name: same/"] * 2))

    with there.terminal("audit", "--review") as person:
        person.expect("(1/4)")
        person.send("u\n")
        person.expect("(2/4)")
        person.send("u\n")
        person.expect("(3/4)")
        person.send("q\n")
        text = finish(person, 1)

    assert "error: the name 'same' is taken" in text
    assert "what was edited is kept in" in text
    assert len(unfinished(repo)) == 2


def test_the_round_is_for_people(repo, suspects):
    refused = suspects("audit", "--review")
    assert refused.code == 1
    assert "there is no terminal" in refused.err

    with suspects.at(repo.path, KNOWL_HOST="claude").terminal("audit", "--review") as agent:
        assert "only a person may do it" in finish(agent, 1)


@pytest.mark.parametrize("option", [("--staged",), ("--commit", "HEAD")])
def test_the_round_is_about_the_files_of_this_worktree(repo, suspects, option):
    assert suspects("audit", "--review", *option).code == 2


# --- diff ------------------------------------------------------------------------------------


def test_diff_shows_an_anchor_of_a_newer_program_as_unknown(repo, knowl):
    add(knowl, "cart")
    store = open_store(repo)
    entry = next(one.entry for one in Snapshot(store.view(), "shared").entries())
    foreign = ForeignAnchor("rhyme", {"kind": "rhyme", "path": "lib/cart.ts"})
    put(store, PutEntry("shared", replace(entry, anchors=(foreign,))))

    told = knowl.ok("diff", "cart")

    assert (
        "unknown  rhyme:lib/cart.ts: this program cannot judge anchors of the kind 'rhyme'" in told
    )
    assert schema.check("diff", knowl.json("diff", "cart")) == []


def test_log_speaks_its_schema(knowl):
    add(knowl, "cart")

    assert schema.check("log", knowl.json("log", "cart")) == []


# --- exit codes and JSON of all writing verbs ------------------------------------------------

VERBS = [
    ("rename", "cart", "till"),
    ("move", "cart", "--lane", "local"),
    ("verify", "cart", "--reviewed"),
    ("retire", "cart", "--reason", "old"),
    ("snooze", "cart", "--until", "2099-01-01"),
    ("undo",),
]


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb[0])
def test_writing_verbs_print_the_ids_they_touched(repo, knowl, verb):
    identifier = add(knowl, "cart")

    told = knowl.json(*verb)

    assert told == {"ok": True, "ids": [identifier]}
    assert schema.check("write", told) == []


def test_restore_prints_the_id_too(repo, knowl):
    identifier = add(knowl, "cart")
    knowl.ok("retire", "cart", "--reason", "old")

    assert knowl.json("restore", "cart") == {"ok": True, "ids": [identifier]}


@pytest.mark.parametrize("verb", VERBS[:-1], ids=lambda verb: verb[0])
def test_a_name_nobody_has_is_an_expected_error(repo, knowl, verb):
    done = knowl(*verb, "--json")

    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("error: no entry has the name 'cart'\nhint: ")


@pytest.mark.parametrize("verb", [*VERBS, ("restore", "till")], ids=lambda verb: verb[0])
@pytest.mark.parametrize("allowed", [False, True])
def test_what_an_agent_may_do_on_its_own(repo, knowl, verb, allowed):
    add(knowl, "cart")
    add(knowl, "till")
    knowl.ok("retire", "till", "--reason", "old")
    if allowed:
        repo.git("config", "knowl.unattended", "allow")
    before = repo.refs("refs/knowl", "refs/knowl-local")

    done = knowl.at(repo.path, KNOWL_HOST="claude")(*verb)

    may = allowed or verb[0] in ("verify", "retire", "snooze")
    assert (done.code == 0) is may, done.err
    assert (repo.refs("refs/knowl", "refs/knowl-local") == before) is not may
