"""Uninstalling leaves the git directory as it was before the first command, byte for byte."""

from __future__ import annotations

import json
import stat

import pytest

from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.contexts import capture_item

ADA = "Ada <ada@example.org>"
BY = ("--reviewer", ADA)
ABOUT = ("--type", "project", "-d", "Read first", "-a", "file:lib/cart.ts", "--body", "-", *BY)
OURS = ("refs/knowl", "refs/notes", "logs/refs/knowl", "logs/refs/notes")
#: A configuration in which nearly every line could be mistaken for one of ours.
CONFIG = """\
[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
# knowl is written of here
[log] ; and here
\tdate = iso
[alias]
\tknow = log
[remote "origin"]
\turl = {url}
\tfetch = +refs/heads/*:refs/remotes/origin/*
[knowl]
\tquiet = true
"""


def tree(folder):
    """Return mode and content of every file and folder of a git directory, objects aside."""
    return {
        str(path.relative_to(folder)): (
            stat.S_IMODE(path.lstat().st_mode),
            path.read_bytes() if path.is_file() else None,
        )
        for path in sorted(folder.rglob("*"))
        if path.relative_to(folder).parts[0] != "objects"
    }


def knowledge_aside(found):
    return {path: what for path, what in found.items() if not path.startswith(OURS)}


@pytest.fixture
def hub(tmp_path):
    return RepoBuilder.start(tmp_path, bare=True, name="hub.git")


@pytest.fixture
def lived(repo, hub):
    """Give a repository, and what its git directory was before everything was done in it."""
    config = repo.path / ".git/config"
    config.write_text(CONFIG.format(url=hub.path))
    hook = repo.path / ".git/hooks/post-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\n# mine\ntrue")
    hook.chmod(0o700)
    repo.git("pack-refs", "--all")
    repo.worktree("side", "side")
    repo.git("update-index", "-q", "--refresh")
    before = tree(repo.path / ".git")
    live(repo)
    return repo, before


def live(repo):
    """Do everything that leaves something in the git directory."""
    knowl = Knowl(repo.path)
    knowl.ok("init")
    knowl.ok("add", "--name", "cart", *ABOUT, stdin="The fact. Why: so.\n")
    knowl.ok("add", "--name", "mine", "--lane", "local", *ABOUT, stdin="Mine. Why: so.\n")
    knowl.ok("flag", "prices double", "-p", "lib/cart.ts")
    payload = json.dumps({"items": [capture_item("waiting")]})
    knowl.ok("capture", "--submit", "-", stdin=payload)
    knowl.ok("sync")
    knowl.ok("index")
    knowl("audit")
    knowl.ok("status")
    knowl.ok("notes", "rebuild")
    knowl.ok("snooze", "cart", "--until", "2099-01-01")
    side = Knowl(repo.path.parent / "side")
    side("audit")
    side.ok("index")
    knowl.ok("hooks", "status")


def test_without_knowledge_only_the_refs_of_the_store_are_left(lived):
    repo, before = lived
    Knowl(repo.path).ok("uninstall")

    after = tree(repo.path / ".git")
    assert knowledge_aside(after) == before
    assert set(repo.refs("refs/knowl", "refs/knowl-local", "refs/knowl-remotes")) == {
        "refs/knowl/entries",
        "refs/knowl-local/entries",
        "refs/knowl-local/inbox",
        "refs/knowl-local/state",
        "refs/knowl-remotes/origin/entries",
    }


def test_with_knowledge_nothing_is_left(lived):
    repo, before = lived
    with Knowl(repo.path).terminal("uninstall", "--knowledge") as terminal:
        terminal.expect("to go on")
        terminal.send("delete\n")
        assert terminal.finish() == 0

    assert tree(repo.path / ".git") == before


def test_refs_that_git_packed_go_as_well(lived):
    repo, _ = lived
    repo.git("pack-refs", "--all")
    packed = repo.path / ".git/packed-refs"
    with Knowl(repo.path).terminal("uninstall", "--knowledge") as terminal:
        terminal.expect("to go on")
        terminal.send("delete\n")
        assert terminal.finish() == 0

    assert "knowl" not in packed.read_text()
    assert "refs/heads/side" in packed.read_text()
    found = tree(repo.path / ".git")
    assert [path for path in found if "knowl" in path] == []


def test_what_came_from_others_goes_with_knowledge_too(repo, hub):
    before = tree(repo.path / ".git")
    for ref in ("refs/knowl-remotes/a/b/proposals/kim", "refs/knowl/library", "refs/notes/knowl"):
        repo.git("update-ref", "--create-reflog", ref, "HEAD")
    with Knowl(repo.path).terminal("uninstall", "--knowledge") as terminal:
        terminal.expect("to go on")
        terminal.send("delete\n")
        assert terminal.finish() == 0

    assert tree(repo.path / ".git") == before


def test_installing_again_and_again_leaves_no_more(lived):
    repo, before = lived
    knowl = Knowl(repo.path)
    for _ in range(2):
        knowl.ok("uninstall")
        knowl.ok("init")
    knowl.ok("uninstall")

    assert knowledge_aside(tree(repo.path / ".git")) == before
