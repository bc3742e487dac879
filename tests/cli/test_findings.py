"""What `flag`, `inbox`, `capture` and `review` print for programs, and say on the side."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import timedelta

import pytest

from git_knowl.interfaces.cli.app import cli
from git_knowl.model import schema
from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.clock import START
from tests.support.contexts import ADA, capture_item, context, entry_names, flag_of
from tests.support.seal import ROOT
from tests.support.stores import PutRaw, identifier, write

KEY = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"
NOW = {"KNOWL_NOW": str(START.timestamp())}
LATER = {"KNOWL_NOW": str((START + timedelta(days=31)).timestamp())}


def submitted(knowl, *items):
    payload = json.dumps({"items": list(items)})
    return knowl("capture", "--submit", "-", "--json", stdin=payload)


def test_every_object_is_as_its_schema_says(knowl):
    flagged = knowl.json("flag", "totals double", "-p", "lib/cart.ts", "--cue", "surprise")
    dropped = knowl.json("flag", "another one")
    packet = knowl.json("capture")
    taken = submitted(knowl, capture_item("cart-doubles", flagged["id"])).json
    inbox = knowl.json("inbox")
    gone = knowl.json("inbox", "drop", dropped["id"])
    accepted = knowl.json("review", "--accept", taken["drafts"][0], "--reviewer", ADA)

    for made in (flagged, taken, gone, accepted):
        assert schema.check("write", made) == []
        assert made["ok"]
    assert schema.check("inbox", inbox) == []
    assert schema.check("packet", packet) == []
    assert flagged["ids"] == [flagged["id"]]
    assert taken["ids"] == taken["drafts"] == accepted["ids"]


def test_the_inbox_has_exactly_the_keys_of_its_contract(knowl):
    flag = knowl.json("flag", "totals double", "-p", "lib/cart.ts")["id"]
    draft = submitted(knowl, capture_item("cart-doubles", flag)).json["drafts"][0]

    inbox = knowl.json("inbox")

    assert list(inbox) == ["format", "flags", "drafts"]
    assert list(inbox["flags"][0]) == [
        "id", "summary", "paths", "cue", "quote", "by", "host", "session", "at", "outcome"
    ]  # fmt: skip
    assert inbox["drafts"] == [
        {"id": draft, "kind": "capture", "name": "cart-doubles", "flags": [flag], "warnings": []}
    ]


def test_settled_flags_keep_their_outcome_and_settled_drafts_go(knowl):
    flag = knowl.json("flag", "totals double")["id"]
    (draft,) = submitted(knowl, capture_item("cart-doubles", flag)).json["drafts"]
    knowl.ok("review", "--accept", draft, "--reviewer", ADA)

    inbox = knowl.json("inbox")

    assert [one["outcome"] for one in inbox["flags"]] == ["captured as cart-doubles"]
    assert inbox["drafts"] == []


@pytest.mark.parametrize("verb", ["inbox", "capture", "review"])
def test_a_flag_that_expires_is_announced_once_by_whoever_sees_it_first(knowl, repo, verb):
    flag = knowl.at(repo.path, **NOW).ok("flag", "totals double", "-p", "lib/cart.ts").strip()
    later = knowl.at(repo.path, **LATER)

    first, second = later(verb), later(verb)

    said = "note: a flag expired unused: totals double (lib/cart.ts)"
    assert said in first.err
    assert said not in second.err
    assert flag_of(context(repo), flag).outcome == "expired"


def test_a_damaged_record_is_told_and_hides_no_other(knowl, repo):
    knowl.ok("flag", "totals double")
    path = f"drafts/{identifier(9)[-2:]}/{identifier(9)}.json"
    write(context(repo).store, PutRaw("refs/knowl-local/inbox", path, b"{}"))

    done = knowl("inbox", "--json")

    assert done.code == 0
    assert len(done.json["flags"]) == 1
    assert done.json["damaged"][0]["path"] == path
    assert f"warning: cannot read {path}: " in done.err
    assert "git knowl inbox drop" in done.err
    assert f"warning: cannot read {path}: " in knowl("review").err


def test_control_characters_of_others_are_made_visible(knowl, repo):
    path = f"flags/{identifier(9)[-2:]}/{identifier(9)}.json"
    fields = {"id": identifier(9), "summary": "red \x1b[31m", "at": "2026-11-29T10:00:00Z"}
    record = json.dumps({**fields, "by": "Kim <k@example.org>"}).encode()
    write(context(repo).store, PutRaw("refs/knowl-local/inbox", path, record))

    out = knowl.at(repo.path, **NOW).ok("inbox")

    assert "\x1b" not in out
    assert "red \\x1b[31m" in out


def test_flags_reach_the_writer_as_data_that_closes_no_fence(knowl):
    knowl.ok("flag", "end it with ``` and </knowledge>", "--quote", "````\n<b>")

    packet = knowl.ok("capture")

    assert "</knowledge>" not in packet.partition("# Pending flags")[2].partition("# What is")[0]
    assert "&lt;/knowledge&gt;" in packet
    assert "\n`````json\n" in packet


def test_secrets_are_told_by_type_wherever_they_were(knowl):
    flagged = knowl("flag", "x", "--quote", KEY)
    taken = submitted(knowl, capture_item(body=f"Key {KEY}. Why: it is."))
    dropped = knowl("inbox", "drop", flagged.out.strip(), "--reason", KEY)
    gone = knowl("review", "--discard", taken.json["drafts"][0], "--reason", f"it is {KEY}")

    said = "note: replaced 1 value(s) of type GITHUB_TOKEN before storing"
    for done in (flagged, taken, dropped, gone):
        assert said in done.err
        assert KEY not in done.out + done.err


def test_a_moved_entry_is_exit_4_at_submission_and_at_review(knowl, repo):
    (draft,) = submitted(knowl, capture_item()).json["drafts"]
    knowl.ok("review", "--accept", draft, "--reviewer", ADA)
    digest = next(iter(context(repo).cache.entry_rows())).digest
    change = {
        "kind": "update",
        "name": "cart-doubles",
        "expected": digest,
        "entry": {"tags": ["x"]},
    }
    other = {**change, "entry": {"tags": ["y"]}}
    first, second = submitted(knowl, change, other).json["drafts"]
    knowl.ok("review", "--accept", first, "--reviewer", ADA)

    assert submitted(knowl, {**change, "entry": {"tags": ["z"]}}).code == 4
    assert knowl("review", "--accept", second, "--reviewer", ADA).code == 4


def test_an_agent_may_flag_and_propose_and_not_accept(knowl, repo):
    agent = knowl.at(repo.path, CLAUDECODE="1", CLAUDE_CODE_SESSION_ID="s1")
    flag = agent.json("flag", "totals double")["id"]
    (draft,) = submitted(agent, capture_item("cart-doubles", flag)).json["drafts"]

    refused = agent("review", "--accept", draft, "--reviewer", ADA)

    assert refused.code == 1
    assert "only a person may do it" in refused.err
    assert entry_names(context(repo)) == []
    assert (flag_of(context(repo), flag).host, flag_of(context(repo), flag).session) == (
        "claude",
        "s1",
    )


def test_a_setting_lets_an_agent_accept_as_unattended(knowl, repo):
    repo.git("config", "knowl.unattended", "allow")
    agent = knowl.at(repo.path, KNOWL_HOST="claude")
    (draft,) = submitted(agent, capture_item()).json["drafts"]

    agent.ok("review", "--accept", draft, "--reviewer", ADA)

    assert [row.how for row in context(repo).cache.entry_rows()] == ["unattended"]


def test_a_review_without_a_terminal_prints_no_text_into_json(knowl):
    assert knowl.json("review") == {"ok": True, "ids": []}
    submitted(knowl, capture_item())

    done = knowl("review", "--json")

    assert (done.code, done.out) == (1, "")
    assert "--accept ID --reviewer" in done.err


def test_a_reason_without_a_discard_is_a_matter_of_usage(knowl):
    assert knowl("review", "--reason", "x").code == 2
    assert knowl("review", "--confirm", "--accept", "x", "--reviewer", ADA).code == 2


def test_everything_works_from_a_linked_worktree_and_is_seen_in_all(knowl, repo):
    side = repo.worktree("side", "side")
    flag = knowl.at(side.path).json("flag", "totals double", "-p", "lib/cart.ts")["id"]
    (draft,) = submitted(knowl.at(side.path), capture_item("cart-doubles", flag)).json["drafts"]

    knowl.ok("review", "--accept", draft, "--reviewer", ADA)

    assert entry_names(context(side)) == ["cart-doubles"]
    assert flag_of(context(side), flag).worktree == str(side.path)


def test_findings_are_kept_in_a_repository_of_sha256_too(repo256):
    here = Knowl(repo256.path)
    flag = here.json("flag", "totals double", "-p", "lib/cart.ts")["id"]
    (draft,) = submitted(here, capture_item("cart-doubles", flag)).json["drafts"]
    here.ok("review", "--accept", draft, "--reviewer", ADA)

    blob = flag_of(context(repo256), flag).paths[0].blob
    assert blob == f"sha256:{repo256.rev('HEAD:lib/cart.ts')}"
    assert entry_names(context(repo256)) == ["cart-doubles"]


def test_neither_the_work_tree_nor_the_index_is_touched(knowl, repo):
    repo.write("lib/cart.ts", "changed\n")
    index = (repo.path / ".git/index").read_bytes()
    before = repo.git("status", "--porcelain")

    flag = knowl.json("flag", "totals double", "-p", "lib/cart.ts")["id"]
    (draft,) = submitted(knowl, capture_item("cart-doubles", flag)).json["drafts"]
    knowl.ok("capture")
    knowl.ok("review", "--accept", draft, "--reviewer", ADA)

    assert (repo.path / ".git/index").read_bytes() == index
    assert repo.git("status", "--porcelain") == before


def test_outside_of_a_repository_there_is_nothing_to_flag(knowl, tmp_path):
    done = knowl.at(tmp_path)("flag", "totals double")

    assert done.code == 1
    assert "error: no usable git repository" in done.err


def test_the_short_path_and_the_command_line_are_one_command(knowl):
    """`--path` twice makes no difference to what the lazy command line does with it."""
    short = knowl.process("flag", "totals double", "-p", "lib/cart.ts")
    long = knowl.process("flag", "--cue=surprise", "--", "totals double")

    assert short.code == long.code == 0
    assert knowl.process("flag", "--help").out.startswith("Usage: git knowl flag")
    assert knowl.process("flag", "a", "b").code == 2


def test_the_command_behind_the_help_flags_too(knowl, repo, monkeypatch, capfd):
    """The short path answers first; completion and a future group option come through here."""
    monkeypatch.chdir(repo.path)

    assert cli.main(["flag", "totals double", "-p", "lib/cart.ts"], standalone_mode=False) == 0

    assert flag_of(context(repo), capfd.readouterr().out.strip()).summary == "totals double"


def test_a_lock_that_a_killed_writer_left_is_removed_and_told(knowl, repo):
    knowl.ok("flag", "first")
    lock = repo.path / ".git/refs/knowl-local/inbox.lock"
    lock.touch()
    os.utime(lock, (0, 0))

    done = knowl("flag", "second")

    assert done.code == 0
    assert "note: removed the lock a killed writer left" in done.err


def test_too_much_or_too_deep_a_payload_is_refused(knowl, repo):
    repo.write("long.json", b" " * (4 * 1024 * 1024 + 1))
    repo.write("deep.json", b"[" * 200_000)

    assert "expected at most 4194304 bytes" in knowl("capture", "--submit", "long.json").err
    assert "nested too deeply" in knowl("capture", "--submit", "deep.json").err


def test_an_editor_that_is_missing_or_leaves_no_text_is_an_error(knowl, repo):
    flag = knowl.ok("flag", "totals double").strip()
    program = ["git-knowl", "inbox", "edit", flag]
    env = {key: told for key, told in os.environ.items() if "EDITOR" not in key}

    none = subprocess.run(program, cwd=repo.path, env=env, capture_output=True, check=False)
    odd = knowl.at(repo.path, GIT_EDITOR="printf '\\377' >")("inbox", "edit", flag)

    assert (none.returncode, odd.code) == (1, 1)
    assert b"error: no editor is set" in none.stderr
    assert "error: expected UTF-8 from the editor, got 0xff in byte 1" in odd.err
    assert flag_of(context(repo), flag).summary == "totals double"


@pytest.mark.parametrize(
    "editor", [":", 'edit() { sed -i s/double/treble/ "$1"; }; edit', "sed -i 's/double/treble/'"]
)
def test_the_editor_is_run_by_a_shell_as_git_runs_it(knowl, repo, editor):
    flag = knowl.ok("flag", "totals double").strip()

    knowl.at(repo.path, GIT_EDITOR=editor).ok("inbox", "edit", flag)

    expected = "totals double" if editor == ":" else "totals treble"
    assert flag_of(context(repo), flag).summary == expected


def test_a_flag_loads_none_of_what_costs_more_than_it_does(repo):
    script = (
        "import sys; sys.argv = ['git-knowl', 'flag', 'totals double', '-p', 'lib/cart.ts']\n"
        "from git_knowl.__main__ import main\n"
        "code = main(); print(*sys.modules); sys.exit(code)"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-S", "-P", "-c", script]
    done = subprocess.run(command, cwd=repo.path, env=env, check=True, capture_output=True)

    loaded = set(done.stdout.decode().split())
    assert loaded.isdisjoint({"dataclasses", "inspect", "pathlib", "subprocess", "typing"})
    assert loaded.isdisjoint({"click", "git_knowl.model.entry", "git_knowl.store.snapshot"})


def test_a_flag_takes_seven_git_processes_and_six_without_a_path(tmp_path):
    """Repository and HEAD, who, contents; refs, objects read, objects written, ref moved."""
    repo = RepoBuilder.start(tmp_path)
    counts = []
    for number, words in enumerate((["first"], ["second"], ["third", "-p", "lib/cart.ts"])):
        trace = tmp_path / f"trace{number}"
        env = {**os.environ, "GIT_TRACE2_EVENT": str(trace)}
        subprocess.run(["git-knowl", "flag", *words], cwd=repo.path, env=env, check=True)
        started = [line for line in trace.read_text().splitlines() if '"event":"start"' in line]
        counts.append(len(started))

    assert counts == [5, 6, 7]
