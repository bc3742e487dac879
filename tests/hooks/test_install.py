"""Hooks put in beside those of others, and taken out to the last byte."""

from __future__ import annotations

import json
import os
import shutil
from typing import TYPE_CHECKING

import pytest

from git_knowl.model import schema
from git_knowl.plumbing import config
from git_knowl.plumbing.repository import NeedsWorkTree
from git_knowl.services.doctor.hooks import is_installed
from git_knowl.services.hooks import install as hooks
from git_knowl.services.hooks.look import BLOCKED, FIRES, FREE, STALE, look
from git_knowl.services.hooks.program import Program
from tests.support.builders import RepoBuilder
from tests.support.hooked import (
    EVENTS,
    PROGRAM,
    Starts,
    git,
    hook,
    install,
    ok,
    script,
    snapshot,
    watch,
)

if TYPE_CHECKING:
    from pathlib import Path

NEWER_GIT = "PYTEST_NEWER_GIT"
WITH_CONFIG_HOOKS = (2, 54)

OTHERS = {
    "ends in exec": "#!/bin/sh\nexec true\n",
    "exits at once": "#!/bin/sh -eu\nexit 0\n",
    "bash": "#!/usr/bin/env bash\nset -euo pipefail\necho theirs >>theirs\n",
    "without a shebang": "echo theirs\n",
    "nothing but a shebang": "#!/bin/sh",
    "empty": "",
    "no line end at the end": "#!/bin/sh\ntrue",
    "blank lines": "#!/bin/sh\n\n\ntrue\n\n",
}


@pytest.fixture
def starts(tmp_path: Path) -> Starts:
    return Starts(tmp_path / "bin")


def states(repo: RepoBuilder, **more: bool) -> dict[str, set[str]]:
    """Return the states of the events by worktree."""
    found: dict[str, set[str]] = {}
    for spot in look(repo.open(), **more):
        found.setdefault(os.path.basename(spot.worktree), set()).add(spot.state)
    return found


def reasons(repo: RepoBuilder) -> set[str]:
    return {spot.reason.replace(str(repo.path), "") for spot in look(repo.open())}


def fires(repo: RepoBuilder, starts: Starts) -> bool:
    """Tell whether a commit that touches an anchored file starts the program."""
    watch(repo, "lib/cart.ts")
    repo.write("lib/cart.ts", f"{os.urandom(4).hex()}\n")
    starts.take()
    ok(repo, "commit", "-qam", "change")
    return starts.take() == ["post-commit"]


def test_installing_twice_changes_nothing_and_uninstalling_restores_every_byte(repo):
    before = snapshot(repo.path / ".git")

    first = install(repo)
    between = snapshot(repo.path / ".git")
    second = install(repo)

    assert (first.silent, second.silent, second.done) == ((), (), ())
    assert snapshot(repo.path / ".git") == between
    assert hook(repo, "post-commit").stat().st_mode & 0o777 == 0o755
    assert hooks.uninstall(repo.open()) != []
    left = {name for name in snapshot(repo.path / ".git") if not name.startswith("common")}
    assert {name: snapshot(repo.path / ".git")[name] for name in left} == before
    assert hooks.uninstall(repo.open()) == []


@pytest.mark.parametrize("theirs", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("mode", [0o755, 0o700])
def test_a_shell_hook_of_somebody_else_runs_on_after_ours(repo, starts, theirs, mode):
    file = script(hook(repo, "post-commit"), theirs, mode)

    install(repo, starts.program())

    assert file.stat().st_mode & 0o777 == mode
    assert fires(repo, starts)
    hooks.uninstall(repo.open())
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (theirs.encode(), mode)


def test_a_hook_that_others_put_below_ours_stays_when_ours_goes(repo, starts):
    install(repo, starts.program())
    file = hook(repo, "post-commit")
    file.write_text(file.read_text() + "echo theirs >>theirs\n")

    install(repo, Program("/elsewhere", "/door"))
    hooks.uninstall(repo.open())

    assert file.read_text() == "#!/bin/sh\necho theirs >>theirs\n"


@pytest.mark.parametrize("is_there", [True, False])
def test_a_hooks_folder_goes_again_if_it_was_made_for_us(repo, starts, is_there):
    folder = repo.path / ".git/hooks"
    shutil.rmtree(folder, ignore_errors=True)
    if is_there:
        folder.mkdir()

    install(repo, starts.program())

    assert fires(repo, starts)
    hooks.uninstall(repo.open())
    assert folder.exists() == is_there


FOREIGN = {
    "python": ("#!/usr/bin/env python3\nprint('theirs')\n", "is written for 'python3'"),
    "node": ("#!/usr/bin/env -S node --no-warnings\n0\n", "is written for 'node'"),
    "windows": ("#!/bin/sh\r\ntrue\r\n", "has Windows line ends"),
    "binary": ("\x7fELF\0\0\0", "is no text"),
}


@pytest.mark.parametrize(("text", "reason"), FOREIGN.values(), ids=FOREIGN)
def test_a_hook_that_is_no_shell_script_is_left_alone_and_the_way_out_is_told(repo, text, reason):
    file = script(hook(repo, "post-commit"), text)

    done = install(repo)

    (spot,) = done.silent
    assert (spot.event, spot.state) == ("post-commit", BLOCKED)
    assert reason in spot.reason
    assert "knowl/hooks/run" in spot.way
    assert file.read_bytes() == text.encode()
    assert hook(repo, "post-merge").exists()


def test_a_hook_that_git_skips_is_not_started_by_us(repo):
    file = script(hook(repo, "post-commit"), "#!/bin/sh\ntouch started\n", 0o644)

    done = install(repo)

    assert "not executable" in done.silent[0].reason
    assert file.stat().st_mode & 0o777 == 0o644


def test_a_link_to_a_file_of_somebody_else_is_left_alone(repo, tmp_path):
    theirs = script(tmp_path / "theirs", "#!/bin/sh\ntrue\n")
    hook(repo, "post-commit").parent.mkdir(exist_ok=True)
    hook(repo, "post-commit").symlink_to(theirs)

    done = install(repo)

    assert "symbolic link" in done.silent[0].reason
    assert theirs.read_text() == "#!/bin/sh\ntrue\n"


def test_a_line_of_the_users_own_counts(repo, starts):
    install(repo, starts.program())
    hooks.take_out_blocks(repo.open())
    script(hook(repo, "post-commit"), "#!/bin/sh\nsh .git/common/knowl/hooks/run post-commit\n")

    assert fires(repo, starts)
    assert [spot.state for spot in look(repo.open())] == [FIRES, FREE, FREE, FREE]


def test_an_older_block_is_brought_up_to_date(repo, starts):
    install(repo, starts.program())
    file = hook(repo, "post-commit")
    current = file.read_text()
    file.write_text(current.replace("sh ", "sh -x "))
    assert STALE in {spot.state for spot in look(repo.open())}

    install(repo, starts.program())

    assert file.read_text() == current


@pytest.mark.parametrize("where", ["inside", "relative", "absolute", "per worktree"])
def test_a_hooks_folder_of_the_repository_is_used_wherever_it_is(repo, starts, where):
    folder = {
        "inside": repo.path / ".git/myhooks",
        "relative": repo.path / "tools/hooks",
        "absolute": repo.path / "tools/hooks",
        "per worktree": repo.path / "own",
    }[where]
    path = "tools/hooks" if where == "relative" else str(folder)
    if where == "per worktree":
        repo.git("config", "extensions.worktreeConfig", "true")
    repo.git("config", *(["--worktree"] if where == "per worktree" else []), "core.hooksPath", path)
    before = repo.git("config", "--list", "--local")

    install(repo, starts.program())

    assert (folder / "post-commit").exists()
    assert fires(repo, starts)
    assert repo.git("config", "--list", "--local") == before
    assert not hook(repo, "post-commit").exists()
    hooks.uninstall(repo.open())
    assert not folder.exists()


def test_a_relative_hooks_folder_is_filled_in_every_worktree(repo, starts):
    repo.git("config", "core.hooksPath", ".githooks")
    other = repo.worktree("w2", "w2")

    install(repo, starts.program())

    assert fires(repo, starts)
    assert fires(other, starts)
    third = repo.worktree("w3", "w3")
    assert states(repo)["w3"] == {FREE}
    hooks.uninstall(third.open())
    assert not (other.path / ".githooks").exists()


def test_a_folder_for_all_repositories_is_touched_only_when_told(repo, starts, tmp_path):
    shared = tmp_path / "everybody"
    repo.git("config", "core.hooksPath", str(shared))

    refused = install(repo, starts.program())
    assert {spot.state for spot in refused.silent} == {BLOCKED}
    assert "--outside" in refused.silent[0].way
    assert not shared.exists()

    done = hooks.install(repo.open(), starts.program(), outside=True)
    assert done.silent == ()
    assert fires(repo, starts)
    stranger = RepoBuilder.start(tmp_path, name="stranger")
    stranger.git("config", "core.hooksPath", str(shared))
    assert ok(stranger, "commit", "-q", "--allow-empty", "-m", "x") == ""
    hooks.uninstall(repo.open(), outside=True)
    assert not shared.exists()


def test_what_runs_shims_fires_only_where_there_are_some(repo, tmp_path):
    shared = tmp_path / "everybody"
    repo.git("config", "core.hooksPath", str(shared))
    hooks.install(repo.open(), PROGRAM, outside=True)
    stranger = RepoBuilder.start(tmp_path, name="stranger")
    stranger.git("config", "core.hooksPath", str(shared))

    assert states(stranger) == {"stranger": {FREE}}
    assert "nothing is installed in this repository" in look(stranger.open())[0].reason
    assert not is_installed(stranger.open(), look(stranger.open(), outside=True))

    assert install(stranger).silent == ()
    assert states(stranger) == {"stranger": {FIRES}}


def test_shims_that_are_gone_are_told_of(repo):
    install(repo)
    shutil.rmtree(repo.path / ".git/common/knowl")

    assert states(repo) == {"repo": {STALE}}
    assert "the shims of this repository are gone" in look(repo.open())[0].reason
    assert install(repo).silent == ()
    assert states(repo) == {"repo": {FIRES}}


def test_settings_without_shims_are_told_of(repo, monkeypatch):
    monkeypatch.setattr(config, "git_version", lambda _: WITH_CONFIG_HOOKS)
    install(repo)
    shutil.rmtree(repo.path / ".git/common/knowl")

    assert states(repo) == {"repo": {STALE}}
    assert install(repo).silent == ()


def test_hooks_that_others_may_run_stay_unless_told_otherwise(repo, starts, tmp_path):
    shared = tmp_path / "everybody"
    other = RepoBuilder.start(tmp_path, name="other")
    for one in (repo, other):
        one.git("config", "core.hooksPath", str(shared))
        hooks.install(one.open(), starts.program(), outside=True)
    before = snapshot(shared)

    done = hooks.uninstall(other.open())

    assert snapshot(shared) == before
    assert "left the hooks in" in done[-1]
    assert "--outside" in done[-1]
    assert fires(repo, starts)
    assert states(other) == {"other": {FREE}}


def test_a_hooks_folder_that_nothing_tracks_is_told_of(repo):
    repo.git("config", "core.hooksPath", ".githooks")

    assert any("is untracked" in sentence for sentence in install(repo).done)

    repo.git("add", ".githooks")
    repo.git("commit", "-qm", "hooks")
    hooks.uninstall(repo.open())
    assert not any("is untracked" in sentence for sentence in install(repo).done)


def test_an_ignored_hooks_folder_needs_no_word(repo):
    repo.git("config", "core.hooksPath", ".githooks")
    repo.write(".gitignore", ".githooks/\n")

    assert not any("is untracked" in sentence for sentence in install(repo).done)


def test_what_a_later_hooks_path_left_behind_is_taken_out_too(repo):
    before = snapshot(repo.path / ".git/hooks")
    install(repo)
    repo.git("config", "core.hooksPath", "elsewhere")

    hooks.uninstall(repo.open())

    assert snapshot(repo.path / ".git/hooks") == before


def test_hooks_that_are_turned_off_are_told_of(repo):
    repo.git("config", "core.hooksPath", "/dev/null")

    for outside in (False, True):
        done = hooks.install(repo.open(), PROGRAM, outside=outside)

        assert "no hook runs here" in done.silent[0].reason
        assert "unset core.hooksPath" in done.silent[0].way


def test_a_bare_repository_has_no_hooks_and_its_worktree_has(repo, starts):
    bare = repo.clone("bare.git", "--bare")
    with pytest.raises(NeedsWorkTree):
        install(bare)
    seat = bare.worktree("seat", "seat")

    install(seat, starts.program())

    assert fires(seat, starts)
    hooks.uninstall(bare.open())
    assert look(seat.open())[0].state == FREE


def test_a_hooks_folder_that_cannot_be_written_is_told_of(repo):
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    (repo.path / ".git/hooks").chmod(0o500)

    done = install(repo)

    assert "could not write" in done.done[-1]
    assert {spot.state for spot in done.silent} == {FREE}


def test_a_git_with_hooks_in_its_settings_is_told_by_them(repo, monkeypatch):
    install(repo)
    monkeypatch.setattr(config, "git_version", lambda _: WITH_CONFIG_HOOKS)
    assert states(repo) == {"repo": {FIRES}}

    done = install(repo)

    assert done.silent == ()
    assert repo.git("config", "--local", "hook.knowl-post-merge.event") == "post-merge"
    assert not hook(repo, "post-commit").exists()
    assert install(repo).done == ()
    repo.git("config", "hook.knowl-post-merge.enabled", "false")
    assert [spot.event for spot in look(repo.open()) if spot.state != FIRES] == ["post-merge"]


def test_settings_go_without_a_trace(repo, monkeypatch):
    before = (repo.path / ".git/config").read_bytes()
    monkeypatch.setattr(config, "git_version", lambda _: WITH_CONFIG_HOOKS)
    install(repo)
    assert (repo.path / ".git/config").read_bytes() != before

    hooks.uninstall(repo.open())

    assert (repo.path / ".git/config").read_bytes() == before


def test_an_older_git_takes_the_settings_out_and_files_in(repo, starts, monkeypatch):
    with monkeypatch.context() as newer:
        newer.setattr(config, "git_version", lambda _: WITH_CONFIG_HOOKS)
        install(repo)

    install(repo, starts.program())

    assert repo.git("config", "--get-regexp", "^hook", check=False) == ""
    assert fires(repo, starts)


@pytest.mark.slow
@pytest.mark.skipif(
    NEWER_GIT not in os.environ, reason=f"{NEWER_GIT} names no git of 2.54 or later"
)
def test_a_real_git_runs_the_hooks_in_its_settings_beside_any_manager(
    repo, starts, monkeypatch, tmp_path
):
    newer = os.environ[NEWER_GIT]
    folder = tmp_path / "newer"
    folder.mkdir()
    (folder / "git").symlink_to(newer)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    repo.git("config", "core.hooksPath", str(tmp_path / "a manager's"))
    other = repo.worktree("w2", "w2")

    assert install(repo, starts.program()).silent == ()

    assert fires(repo, starts)
    assert fires(other, starts)
    repo.git("commit", "-q", "--amend", "-m", "again")
    assert starts.take() == ["post-commit", "post-rewrite amend"]
    repo.path.rename(tmp_path / "moved")
    moved = RepoBuilder(tmp_path / "moved")
    assert ok(moved, "switch", "-qc", "new") == ""
    assert states(moved)["moved"] == {BLOCKED}


def test_the_command_says_what_it_did_and_what_fires(repo, knowl):
    done = knowl("hooks", "install")
    assert (done.code, done.out) == (0, "")
    assert "wrote post-commit, post-checkout, post-merge, post-rewrite in" in done.err
    assert "installed" in knowl("hooks", "install").err

    told = knowl.ok("hooks", "status")
    assert told.count("fires") == len(EVENTS)
    shape = knowl.json("hooks", "status")
    assert schema.check("hooks", shape) == []
    assert {one["fires"] for one in shape["hooks"]} == {True}

    assert "removed" in knowl("hooks", "uninstall").err
    assert "no hooks are installed" in knowl("hooks", "uninstall").err
    assert knowl.json("hooks", "status")["hooks"][0]["hint"] == "git knowl hooks install"


def test_the_command_fails_when_an_event_is_left_without_us(repo, knowl):
    script(hook(repo, "post-merge"), "#!/usr/bin/perl\n")

    done = knowl("hooks", "install")

    assert done.code == 1
    assert "warning: nothing fires at post-merge" in done.err
    assert "hint: have it run this" in done.err


def test_the_lines_for_a_manager_are_announced_where_they_follow(repo, knowl):
    script(hook(repo, "post-commit"), "#!/bin/sh\n# lefthook\n")

    done = knowl("hooks", "install")

    assert "hint: add the lines below to its files" in done.err
    assert "lefthook.yml" in done.out
    assert "'git knowl hooks install' prints" in look(repo.open())[0].way


def test_init_installs_hooks_unless_told_not_to_and_uninstall_takes_them_out(repo, knowl):
    assert "wrote" not in knowl("init", "--no-hooks").err
    assert states(repo) == {"repo": {FREE}}

    assert "wrote post-commit" in knowl("init").err
    assert states(repo) == {"repo": {FIRES}}
    assert "installed" in knowl("init").err

    assert "removed" in knowl("uninstall").err
    assert states(repo) == {"repo": {FREE}}
    assert not (repo.path / ".git/common").exists()


def test_init_in_a_bare_repository_installs_none(repo, knowl):
    bare = repo.clone("bare.git", "--bare")

    done = knowl.at(bare.path)("init")

    assert (done.code, json.dumps(done.err)) == (0, '"nothing has to be set up\\n"')


def test_nothing_of_an_event_that_is_no_commit_is_known_to_git(repo, knowl):
    done = knowl("hooks", "run", "pre-commit")

    assert done.code == 2
    assert git(repo, "status", "--short").out == ""
