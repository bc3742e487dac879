"""Next to programs that manage hooks: the real ones where they are installed, else their marks.

The real ones are looked for on the PATH; none is fetched.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from git_knowl.services.hooks import install as hooks
from git_knowl.services.hooks.look import FIRES, MANAGED, look
from git_knowl.services.hooks.managers import MANAGERS, call
from tests.support.hooked import EVENTS, Starts, hook, install, ok, script, snapshot, watch

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.builders import RepoBuilder

PRE_COMMIT = """\
repos:
- repo: local
  hooks:
  - id: theirs
    name: theirs
    entry: sh -c 'echo theirs >>theirs'
    language: system
    stages: [post-commit]
    always_run: true
    pass_filenames: false
"""
LEFTHOOK = "post-commit:\n  commands:\n    theirs:\n      run: echo theirs >>theirs\n"


@pytest.fixture
def starts(tmp_path: Path) -> Starts:
    return Starts(tmp_path / "bin")


@pytest.fixture
def run(repo: RepoBuilder, monkeypatch: pytest.MonkeyPatch):
    """Give a way to run a manager here, which skips the test where it is not installed."""
    monkeypatch.setenv("PRE_COMMIT_HOME", str(repo.path.parent / "pre-commit"))

    def perform(name: str, *args: str) -> None:
        program = shutil.which(name)
        if program is None:
            pytest.skip(f"{name} is not installed")
        subprocess.run([program, *args], cwd=repo.path, check=True, capture_output=True)

    return perform


def fires(repo: RepoBuilder, starts: Starts) -> list[str]:
    """Return what a commit that touches an anchored file starts."""
    watch(repo, "lib/cart.ts")
    repo.write("lib/cart.ts", f"{os.urandom(4).hex()}\n")
    repo.git("add", "lib/cart.ts")
    starts.take()
    ok(repo, "commit", "-qm", "change")
    return starts.take()


def ran_theirs(repo: RepoBuilder) -> bool:
    """Tell whether the manager's own hook ran since the last call."""
    seen = (repo.path / "theirs").exists()
    (repo.path / "theirs").unlink(missing_ok=True)
    return seen


def state(repo: RepoBuilder, event: str = "post-commit") -> str:
    return next(spot.state for spot in look(repo.open()) if spot.event == event)


@pytest.mark.parametrize("manager", MANAGERS, ids=lambda one: one.name)
def test_a_hook_a_manager_wrote_is_not_edited_and_its_lines_are_told(repo, manager):
    text = f"#!/bin/sh\n{os.fsdecode(manager.mark)}\nexit 0\n"
    file = script(hook(repo, "post-commit"), text)

    done = install(repo)

    assert file.read_text() == text
    (advice,) = done.advice
    assert (advice.manager, advice.is_needed) == (manager.name, True)
    assert "knowl/hooks/run" in advice.text
    assert "post-commit" in advice.text
    assert state(repo) == MANAGED
    silent = {spot.event for spot in done.silent}
    assert silent == ({"post-commit"} if manager.is_tolerant else set(EVENTS))


@pytest.mark.parametrize("folder", [".husky", ".husky/_"])
def test_the_folder_of_husky_is_its_own(repo, folder):
    repo.git("config", "core.hooksPath", folder)
    script(repo.path / ".husky/pre-commit", "true\n")
    before = snapshot(repo.path / ".husky")

    done = install(repo)

    assert snapshot(repo.path / ".husky") == before
    assert [advice.manager for advice in done.advice] == ["husky"]


def test_the_lines_hold_in_any_shell_and_wherever_there_are_no_shims(repo):
    for event in EVENTS:
        done = subprocess.run(["sh", "-eu", "-c", call(event)], cwd=repo.path, check=False)
        assert done.returncode == 0


@pytest.mark.slow
def test_next_to_pre_commit_that_came_before_us(repo, starts, run):
    repo.write(".pre-commit-config.yaml", PRE_COMMIT)
    run("pre-commit", "install", "-t", "post-commit")
    before = snapshot(repo.path / ".git/hooks")

    done = install(repo, starts.program())

    assert fires(repo, starts) == []
    assert ran_theirs(repo)
    repo.write(".pre-commit-config.yaml", PRE_COMMIT + below_repos(done.advice[0].text))
    assert fires(repo, starts) == ["post-commit"]
    assert ran_theirs(repo)
    assert state(repo) == state(repo, "post-merge") == FIRES
    hooks.uninstall(repo.open())
    assert snapshot(repo.path / ".git/hooks") == before


def below_repos(text: str) -> str:
    """Return the lines for pre-commit without the sentences around them."""
    return text.partition("'repos:':\n")[2].partition("then have it")[0]


@pytest.mark.slow
def test_what_pre_commit_is_told_works_at_every_event(repo, starts, run):
    install(repo, starts.program())
    hooks.take_out_blocks(repo.open())
    told = MANAGERS[[one.name for one in MANAGERS].index("pre-commit")].lines(EVENTS)
    repo.write(".pre-commit-config.yaml", "repos:\n" + below_repos(told))
    run("pre-commit", "install", *(word for event in EVENTS for word in ("-t", event)))
    repo.commit("config")

    repo.git("switch", "-qc", "side")
    assert fires(repo, starts) == ["post-commit"]
    watch(repo, "lib/cart.ts")
    old, new = repo.rev("HEAD"), repo.rev("main")
    ok(repo, "switch", "-q", "main")
    assert starts.take() == [f"post-checkout {old} {new} 1"]
    watch(repo, "lib/cart.ts")
    ok(repo, "merge", "-q", "--no-ff", "-m", "join", "side")
    assert starts.take() == ["post-merge 0"]
    ok(repo, "commit", "-q", "--amend", "-m", "again")
    assert starts.take()[-1] == "post-rewrite amend"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["pre-commit", "prek"])
def test_pre_commit_that_came_after_us_keeps_our_hook_and_runs_it(repo, starts, run, name):
    install(repo, starts.program())
    repo.write(".pre-commit-config.yaml", PRE_COMMIT)
    run(name, "install", "-t", "post-commit")

    assert fires(repo, starts) == ["post-commit"]
    assert ran_theirs(repo)
    assert state(repo) == FIRES
    hooks.uninstall(repo.open())
    assert not hook(repo, "post-commit.legacy").exists()
    ok(repo, "commit", "-q", "--allow-empty", "-m", "theirs still runs")
    assert ran_theirs(repo)


@pytest.mark.slow
def test_next_to_lefthook_before_us(repo, starts, run):
    repo.write("lefthook.yml", LEFTHOOK)
    run("lefthook", "install")
    before = snapshot(repo.path / ".git/hooks")

    done = install(repo, starts.program())

    assert fires(repo, starts) == []
    assert ran_theirs(repo)
    (told,) = re.findall(r"(?m)^      run: .*$", done.advice[0].text)
    repo.write("lefthook.yml", f"{LEFTHOOK}    git-knowl:\n{told}\n")
    assert fires(repo, starts) == ["post-commit"]
    assert state(repo) == FIRES
    hooks.uninstall(repo.open())
    repo.write("lefthook.yml", LEFTHOOK)
    run("lefthook", "install", "--force")
    assert snapshot(repo.path / ".git/hooks") == before


@pytest.mark.slow
def test_lefthook_that_comes_after_us_is_noticed_where_it_takes_our_place(repo, starts, run):
    install(repo, starts.program())
    repo.write("lefthook.yml", LEFTHOOK)
    run("lefthook", "install", "--force")

    assert state(repo) == MANAGED
    assert state(repo, "post-merge") == FIRES
    hooks.uninstall(repo.open())
    assert "git-knowl" not in "".join(map(str, snapshot(repo.path / ".git/hooks").values()))


@pytest.mark.slow
def test_next_to_husky_before_us(repo, starts, run):
    repo.write("package.json", "{}")
    run("husky")
    script(repo.path / ".husky/post-commit", "echo theirs >>theirs\n")
    before = snapshot(repo.path / ".husky")

    done = install(repo, starts.program())

    assert snapshot(repo.path / ".husky") == before
    assert fires(repo, starts) == []
    for event, line in re.findall(r"in \.husky/(\S+):\n(.*)", done.advice[0].text):
        file = repo.path / ".husky" / event
        file.write_text((file.read_text() if file.exists() else "") + line + "\n")
    assert fires(repo, starts) == ["post-commit"]
    assert ran_theirs(repo)
    assert {spot.state for spot in look(repo.open())} == {FIRES}


@pytest.mark.slow
def test_husky_that_comes_after_us_is_noticed(repo, starts, run):
    install(repo, starts.program())
    repo.write("package.json", "{}")
    run("husky")

    assert fires(repo, starts) == []
    assert {spot.state for spot in look(repo.open())} == {MANAGED}


@pytest.mark.slow
def test_next_to_simple_git_hooks_before_us(repo, starts, run):
    theirs = {"post-commit": "echo theirs >>theirs"}
    repo.write("package.json", json.dumps({"simple-git-hooks": theirs}))
    run("simple-git-hooks")
    before = snapshot(repo.path / ".git/hooks")

    done = install(repo, starts.program())

    assert snapshot(repo.path / ".git/hooks") == before
    told = json.loads("{" + done.advice[0].text.partition(":\n")[2] + "}")
    told["post-commit"] = f"{theirs['post-commit']}; {told['post-commit']}"
    repo.write("package.json", json.dumps({"simple-git-hooks": told}, indent=1))
    run("simple-git-hooks")
    assert fires(repo, starts) == ["post-commit"]
    assert ran_theirs(repo)
    assert {spot.state for spot in look(repo.open())} == {FIRES}


@pytest.mark.slow
def test_simple_git_hooks_that_comes_after_us_takes_our_files_and_is_noticed(repo, starts, run):
    install(repo, starts.program())
    repo.write("package.json", '{"simple-git-hooks": {"post-commit": "echo theirs >>theirs"}}')
    run("simple-git-hooks")

    assert state(repo) == MANAGED
    assert not hook(repo, "post-merge").exists()
