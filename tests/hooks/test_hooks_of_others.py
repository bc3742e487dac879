"""What we do by git starts no hook of the user's, wherever it stands."""

from __future__ import annotations

import os

import pytest

from tests.support.builders import RepoBuilder
from tests.support.cli import Knowl
from tests.support.people import KIM

NEWER_GIT = "PYTEST_NEWER_GIT"
EVENTS = (
    *("reference-transaction", "post-index-change", "pre-push", "pre-auto-gc", "post-checkout"),
    *("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-merge"),
)
BY = ("--reviewer", KIM)


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


@pytest.fixture
def repo(tmp_path):
    hub = RepoBuilder.start(tmp_path, bare=True, name="hub")
    return hub.clone("repo")


def as_files(repo, log):
    for event in EVENTS:
        hook = repo.path / ".git" / "hooks" / event
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f'#!/bin/sh\necho "{event} $*" >> "{log}"\n', encoding="utf-8")
        hook.chmod(0o755)


def as_settings(repo, log):
    repo.git("config", "hook.mine.command", f'echo >> "{log}"')
    for event in EVENTS:
        repo.git("config", "--add", "hook.mine.event", event)


def work(knowl):
    """Do what moves refs, fills an index of our own, and talks to a remote."""
    about = ("--name", "cart", "--type", "project", "-d", "Read it", "-a", "file:lib/cart.ts")
    knowl.ok("flag", "prices double", "-p", "lib/cart.ts")
    knowl.ok("add", *about, "--body", "-", *BY, stdin="So. Why: so it is.\n")
    knowl.ok("sync")
    knowl.ok("inbox", "send", "origin")
    knowl.ok("inbox", "receive", "origin")
    knowl.ok("notes", "rebuild")


def dirty(repo):
    """Let git convert a file, so that its content is only known by adding it somewhere."""
    repo.write(".gitattributes", "*.ts text eol=crlf\n")
    repo.write("lib/cart.ts", "changed\r\n")


@pytest.mark.parametrize("how", [as_files, as_settings])
def test_nothing_we_do_starts_a_hook(repo, log, how, monkeypatch, tmp_path):
    if how is as_settings:
        if NEWER_GIT not in os.environ:
            pytest.skip(f"{NEWER_GIT} names no git of 2.55 or later")
        (tmp_path / "newer").mkdir()
        (tmp_path / "newer" / "git").symlink_to(os.environ[NEWER_GIT])
        monkeypatch.setenv("PATH", f"{tmp_path / 'newer'}:{os.environ['PATH']}")
    dirty(repo)
    how(repo, log)
    repo.git("update-ref", "refs/heads/other", "HEAD")
    assert log.exists()
    log.unlink()

    work(Knowl(repo.path))

    assert not log.exists(), log.read_text(encoding="utf-8")
