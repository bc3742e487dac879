"""The doctor: one line for each thing that keeps the program from its work, with the way out."""

from __future__ import annotations

import os
import time

import pytest

from git_knowl.anchors.symbols import grammars
from git_knowl.anchors.symbols.grammars import SymbolsUnavailable
from git_knowl.model import schema
from git_knowl.plumbing import config
from git_knowl.services.doctor.examine import CHECKS, examine
from git_knowl.services.hooks import heartbeat
from git_knowl.services.hooks.program import Program
from tests.support.hooked import PROGRAM, git, hook, install, ok
from tests.support.people import CART, person, write

LONG_AGO = "2026-01-01T00:00:00Z"


def problems(repo, check=None):
    """Return what the doctor finds, as (check, problem)."""
    return [
        (one.check, found.problem)
        for one in examine(person(repo))
        for found in one.findings
        if check in (None, one.check)
    ]


def only(repo, check):
    ((_, problem),) = problems(repo, check)
    return problem


def back_date(repo, seconds):
    """Have the hooks been installed, and fired, so long ago."""
    opened = repo.open()
    then = time.time() - seconds
    for path in (opened.shared_path(*heartbeat.SHIM), opened.worktree_path(heartbeat.BEAT)):
        if os.path.exists(path):
            os.utime(path, (then, then))


def test_where_all_is_well_nothing_is_found(repo, knowl):
    write(person(repo), "cart", CART)
    install(repo)
    ok(repo, "commit", "-q", "--allow-empty", "-m", "x")

    done = knowl("doctor")

    assert done.code == 0
    assert done.out.count("ok  ") == len(CHECKS)
    assert "a hook last fired in this worktree on" in done.out
    shape = knowl.json("doctor")
    assert schema.check("doctor", shape) == []
    assert (shape["ok"], shape["findings"]) == (True, [])


def test_a_repository_without_hooks_is_well_and_told_how_to_have_them(repo, knowl):
    assert "none are installed (git knowl hooks install)" in knowl.ok("doctor")


def test_findings_have_an_exit_code_of_their_own(repo, knowl):
    repo.git("config", "remote.backup.mirror", "true")

    done = knowl("doctor")

    assert done.code == 3
    assert "problem  remotes: remote.backup takes every ref along (mirror = true)" in done.out
    assert "hint: " in done.out
    assert schema.check("doctor", knowl("doctor", "--json").json) == []


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("mirror", "true"),
        ("push", "+refs/*:refs/*"),
        ("fetch", "+refs/*:refs/*"),
        ("push", "refs/knowl-local/*:refs/x/*"),
    ],
)
def test_remotes_that_carry_our_refs_are_named(repo, key, value):
    repo.git("config", f"remote.some.where.{key}", value)

    assert "remote.some.where" in only(repo, "remotes")


def test_ordinary_remotes_are_none_of_its_affair(repo):
    repo.clone("clone")
    repo.git("remote", "add", "origin", "../elsewhere")
    repo.git("config", "remote.origin.mirror", "false")
    repo.git("config", "--add", "remote.origin.push", "refs/heads/*:refs/heads/*")

    assert problems(repo) == []


def test_what_a_remote_does_not_have_yet_is_told_and_no_finding(repo, knowl):
    hub = repo.clone("hub.git", "--bare")
    repo.git("remote", "add", "hub", str(hub.path))
    write(person(repo), "cart", CART)
    knowl.ok("sync")
    assert "ok       remotes\n" in knowl.ok("doctor")

    write(person(repo), "conf", "file:conf.yml")

    assert "remotes: hub lacks 1 operation, as last seen" in knowl.ok("doctor")


def test_commits_without_a_hook_are_counted(repo):
    install(repo)
    ok(repo, "commit", "-q", "--allow-empty", "-m", "seen", GIT_COMMITTER_DATE=LONG_AGO)
    back_date(repo, 60)
    repo.git("config", "core.hooksPath", "/dev/null")
    for number in range(3):
        assert git(repo, "commit", "-q", "--allow-empty", "-m", f"unseen {number}").code == 0
    assert git(repo, "reset", "-q", "--hard", "HEAD").code == 0

    assert only(repo, "heartbeat").startswith("3 commits or checkouts in this worktree")


def test_moves_of_head_that_fire_no_hook_are_no_fault(repo):
    install(repo)
    ok(repo, "commit", "-q", "--allow-empty", "-m", "seen", GIT_COMMITTER_DATE=LONG_AGO)
    back_date(repo, 60)
    assert git(repo, "reset", "-q", "--soft", "HEAD~1").code == 0

    assert problems(repo) == []


def test_a_later_hook_takes_the_finding_back(repo):
    install(repo)
    back_date(repo, 60)
    assert git(repo, "-c", "core.hooksPath=/x", "commit", "-qm", "a", "--allow-empty").code == 0
    assert problems(repo, "heartbeat")

    ok(repo, "commit", "-q", "--allow-empty", "-m", "seen")

    assert problems(repo) == []


def test_a_hook_that_went_wrong_is_told(repo):
    heartbeat.note_failure(repo.open(), ["  File x, line 3, in y", "RuntimeError"])

    assert only(repo, "heartbeat").endswith("to its end: RuntimeError")


def break_program(repo):
    install(repo, Program("/nowhere/python", PROGRAM.door))


def break_door(repo):
    install(repo, Program(PROGRAM.python, "/nowhere/door.py"))


def break_shims(repo):
    install(repo)
    for path in (repo.path / ".git/common/knowl/hooks").iterdir():
        path.unlink()


def age_shims(repo):
    install(repo)
    place = repo.path / ".git/common/knowl/hooks/after-commit"
    place.write_text(place.read_text() + "# older\n")


def no_longer_executable(repo):
    install(repo)
    hook(repo, "post-commit").chmod(0o644)


def overwritten(repo):
    install(repo)
    hook(repo, "post-commit").write_text("#!/bin/sh\n# lefthook\n")


def moved_path(repo):
    install(repo)
    repo.git("config", "core.hooksPath", "elsewhere")


@pytest.mark.parametrize(
    ("fault", "word"),
    [
        (break_program, "'/nowhere/python'"),
        (break_door, "not there any more"),
        (break_shims, "their shims are not"),
        (age_shims, "those of another version"),
        (no_longer_executable, "not executable"),
        (overwritten, "lefthook manages this hook"),
        (moved_path, "no hook is installed"),
    ],
)
def test_every_fault_of_the_hooks_has_a_line(repo, fault, word):
    fault(repo)

    assert word in only(repo, "hooks")
    assert all(found.hint for one in examine(person(repo)) for found in one.findings)


def test_installing_again_mends_what_can_be_mended(repo):
    for fault in (break_program, break_shims, age_shims, moved_path):
        fault(repo)
        install(repo)

        assert problems(repo, "hooks") == []


def test_an_old_git_and_a_nameless_person_are_named(repo, monkeypatch):
    monkeypatch.setattr(config, "git_version", lambda _: (2, 30))
    ctx = person(repo, person=None)

    found = {one.check: one.findings for one in examine(ctx) if one.findings}

    assert found["git"][0].problem == "git 2.30 is too old: expected 2.31 or newer"
    assert set(found) == {"git", "identity"}


def test_a_grammar_that_is_missing_is_named_when_an_entry_needs_it(repo, monkeypatch):
    def missing(grammar):
        raise SymbolsUnavailable(f"no grammar of {grammar}", "install it")

    monkeypatch.setattr(grammars, "load", missing)
    write(person(repo), "conf", "file:conf.yml")
    assert problems(repo) == []

    monkeypatch.undo()
    write(person(repo), "cart", "symbol:lib/cart.ts#total")
    monkeypatch.setattr(grammars, "load", missing)
    assert "1 entry rests on symbols in typescript" in only(repo, "symbols")


def test_what_a_check_raises_is_a_finding(repo, monkeypatch):
    def fail(_):
        raise PermissionError(13, "not yours")

    monkeypatch.setitem(CHECKS, "cache", fail)

    assert "not yours" in only(repo, "cache")


def test_a_bare_repository_is_examined_too(repo, knowl):
    bare = repo.clone("bare.git", "--bare")

    done = knowl.at(bare.path)("doctor")

    assert done.code == 0
    assert "none run in a bare repository" in done.out
