"""Real repositories for tests, copied from a template made once per process (3 ms against 20)."""

from __future__ import annotations

import os
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.seal import sandbox

if TYPE_CHECKING:
    from git_knowl.plumbing.repository import Repository

FIRST_COMMIT = datetime(2026, 11, 1, 9, 0, tzinfo=UTC)
START_MESSAGE = "start"
START_FILES = {
    "lib/cart.ts": "export function total(n) {\n  return n > 3 ? n * 2 : n\n}\n",
    "conf.yml": "a: 1\n",
}


class RepoBuilder:
    """A repository on disk and the git commands that shape it.

    Commits are one minute apart from ``now`` on, so that a history built twice has the same ids;
    a test that needs another date sets ``now`` before it commits.
    """

    def __init__(self, path: Path, now: datetime = FIRST_COMMIT) -> None:
        self.path = path
        self.now = now

    @classmethod
    def make(
        cls, tmp_path: Path, object_format: str = "sha1", *, bare: bool = False, name: str = "repo"
    ) -> RepoBuilder:
        """Return a repository without any commit at ``tmp_path/name``."""
        template = _empty_template(object_format, bare)
        shutil.copytree(template, tmp_path / name, symlinks=True)
        return cls(tmp_path / name)

    @classmethod
    def start(
        cls, tmp_path: Path, object_format: str = "sha1", *, bare: bool = False, name: str = "repo"
    ) -> RepoBuilder:
        """Return a repository with the one commit ``start`` of START_FILES."""
        template = _start_template(object_format, bare)
        shutil.copytree(template, tmp_path / name, symlinks=True)
        builder = cls(tmp_path / name, FIRST_COMMIT + timedelta(minutes=1))
        if not bare:  # the copies have other inodes and times than the index remembers
            builder.git("update-index", "-q", "--refresh")
        return builder

    def git(
        self,
        *args: str,
        stdin: str | bytes | None = None,
        check: bool = True,
        env: dict[str, str] | None = None,
    ) -> str:
        """Run git in this folder and return what it printed, without the last line break.

        With ``check`` a failing command fails the test with git's own words.
        """
        stamp = self.now.strftime("%Y-%m-%dT%H:%M:%SZ")
        dates = {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
        done = subprocess.run(
            ["git", *args],
            cwd=self.path,
            env={**os.environ, **dates, **(env or {})},
            input=stdin.encode() if isinstance(stdin, str) else stdin or b"",
            capture_output=True,
            check=False,
        )
        if check and done.returncode != 0:
            talk = os.fsdecode(done.stderr).strip()
            raise AssertionError(f"git {' '.join(args)} exited {done.returncode}: {talk}")
        return os.fsdecode(done.stdout).removesuffix("\n")

    def write(self, path: str, content: str | bytes) -> Path:
        """Write a file of the work tree, with the folders above it."""
        target = self.path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
        return target

    def read(self, path: str) -> str:
        """Return the text of a file of the work tree."""
        return (self.path / path).read_text(encoding="utf-8")

    def commit(
        self, message: str, files: dict[str, str | bytes] | None = None, /, **more: str | bytes
    ) -> str:
        """Write the files, commit everything in the work tree, return the commit's full id."""
        for path, content in {**(files or {}), **more}.items():
            self.write(path, content)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        self.now += timedelta(minutes=1)
        return self.rev("HEAD")

    def rev(self, name: str) -> str:
        """Return the full id of a revision."""
        return self.git("rev-parse", "--verify", name)

    def refs(self, *patterns: str) -> dict[str, str]:
        """Return ref names under the patterns (all of them without) with what they point at."""
        listed = self.git("for-each-ref", "--format=%(refname) %(objectname)", *patterns)
        return dict(line.split(" ", 1) for line in listed.splitlines())

    def worktree(self, name: str, branch: str | None = None) -> RepoBuilder:
        """Add a linked worktree beside this one: on a new branch, or detached without one."""
        path = self.path.parent / name
        where = ["-b", branch] if branch else ["--detach"]
        self.git("worktree", "add", "--quiet", *where, str(path))
        return RepoBuilder(path, self.now)

    def clone(self, name: str, *options: str) -> RepoBuilder:
        """Clone this repository into a folder beside it."""
        path = self.path.parent / name
        self.git("clone", "--quiet", *options, str(self.path), str(path))
        return RepoBuilder(path, self.now)

    def open(self) -> Repository:
        """Return the repository as the product finds it from this folder."""
        from git_knowl.plumbing.repository import discover  # noqa: PLC0415 - builders work without

        return discover(str(self.path), os.environ)


@cache
def _empty_template(object_format: str, bare: bool) -> Path:
    path = sandbox() / f"template-{object_format}-{'bare' if bare else 'plain'}"
    options = ["--bare"] if bare else []
    subprocess.run(
        ["git", "init", "--quiet", f"--object-format={object_format}", *options, str(path)],
        check=True,
    )
    return path


@cache
def _start_template(object_format: str, bare: bool) -> Path:
    folder = sandbox() / f"start-{object_format}"
    builder = RepoBuilder.make(folder, object_format, name=f"for-{'bare' if bare else 'plain'}")
    builder.commit(START_MESSAGE, dict(START_FILES))
    if not bare:
        return builder.path
    bare_copy = builder.clone("bare", "--bare")
    bare_copy.git("remote", "remove", "origin")
    return bare_copy.path
