"""Repositories with our hooks in them, and git commands whose every word and status is seen."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

from git_knowl.interfaces.hooks import start
from git_knowl.services.hooks import install as hooks
from git_knowl.services.hooks.program import Program
from tests.support.cli import Outcome

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.builders import RepoBuilder

#: Longer than any hook may hold a command up.
PATIENCE = 60
PROGRAM = Program(sys.executable, start.__file__)
EVENTS = ("post-commit", "post-checkout", "post-merge", "post-rewrite")


def git(repo: RepoBuilder, *args: str, program: str = "git", **env: str) -> Outcome:
    """Run git as a person does, at the present time, and return all it left behind."""
    now = {name: value for name, value in os.environ.items() if not name.endswith("_DATE")}
    done = subprocess.run(
        [program, *args],
        cwd=repo.path,
        env={**now, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    return Outcome(done.returncode, os.fsdecode(done.stdout), os.fsdecode(done.stderr))


def ok(repo: RepoBuilder, *args: str, **env: str) -> str:
    """Run a git command that must succeed and return what it said on standard error."""
    done = git(repo, *args, **env)
    assert done.code == 0, f"git {' '.join(args)} exited {done.code}: {done.err}"
    return done.err


class Starts:
    """Stands in for Python: every start of the program leaves a line with its arguments."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.log = folder / "starts"
        self.python = folder / "python"
        self.log.touch()
        script(
            self.python, f'#!/bin/sh\n[ "$1" != -I ] || shift\nshift 2\necho "$*" >>"{self.log}"\n'
        )

    def program(self) -> Program:
        """Return what the shims are to start."""
        return Program(str(self.python), start.__file__)

    def take(self) -> list[str]:
        """Return the starts since the last call."""
        lines = self.log.read_text().splitlines()
        self.log.write_text("")
        return lines


def script(path: Path, text: str, mode: int = 0o755) -> Path:
    """Write a program."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    path.chmod(mode)
    return path


def hook(repo: RepoBuilder, event: str) -> Path:
    """Return the hook file of an event at git's own place."""
    return repo.path / ".git" / "hooks" / event


def install(repo: RepoBuilder, program: Program = PROGRAM) -> hooks.Installed:
    """Install the hooks as a service does."""
    return hooks.install(repo.open(), program)


def watch(repo: RepoBuilder, *anchored: str) -> None:
    """Have the shims know these anchored paths, and this commit as the last one looked at."""
    opened = repo.open()
    write(opened.shared_path("anchored-paths"), "".join(f"{path}\n" for path in sorted(anchored)))
    write(opened.worktree_path("cursor"), f"{repo.rev('HEAD')}\n")


def cursor(repo: RepoBuilder) -> str:
    """Return the commit this worktree was caught up to, '' without one."""
    return read(repo.open().worktree_path("cursor")).strip()


def write(path: str, text: str) -> None:
    """Write a file, with the folders above it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(os.fsencode(text))


def read(path: str) -> str:
    """Return what a file holds, '' without one."""
    if not os.path.exists(path):
        return ""
    with open(path, "rb") as file:
        return os.fsdecode(file.read())


def snapshot(folder: Path) -> dict[str, tuple[int, bytes | str]]:
    """Return mode and content of everything below a folder."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            os.readlink(path)
            if path.is_symlink()
            else path.read_bytes()
            if stat.S_ISREG(path.lstat().st_mode)
            else "",
        )
        for path in folder.rglob("*")
    }
