"""Git where there need be no repository: for what belongs to the person and not to a clone."""

from __future__ import annotations

import os

from git_knowl.errors import KnowlError
from git_knowl.plumbing import environment, process
from git_knowl.plumbing.process import GitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class NoHomeError(KnowlError):
    """A place below the home folder of somebody who has none."""


class Outside:
    """Git as seen from a folder, with the settings that hold for the person there."""

    __slots__ = ("_cwd", "_environ")

    def __init__(self, cwd: str, environ: Mapping[str, str]) -> None:
        self._cwd = cwd
        self._environ = environ

    def setting(self, key: str) -> str | None:
        """Return the value that a setting has in this folder, None where it is not set."""
        env = environment.inherited(self._environ)
        done = process.run(["git", "-C", self._cwd, "config", "-z", "--get", key], env)
        return None if done.code else os.fsdecode(done.out).removesuffix("\0")

    def set_global(self, key: str, value: str) -> None:
        """Set what holds in all repositories of the person."""
        self._git("config", "--global", key, value)

    def full_path(self, path: str) -> str:
        """Return the absolute path of one seen from this folder, or below the home folder (~)."""
        if path != "~" and not path.startswith("~/"):
            return os.path.normpath(os.path.join(self._cwd, path))
        home = self._environ.get("HOME")
        if not home:
            raise NoHomeError("there is no home folder: HOME is not set", "name an absolute path")
        return os.path.normpath(os.path.join(home, path[2:]))

    def is_bare(self, path: str) -> bool:
        """Tell whether a bare repository that git may read is at an absolute path."""
        asked = ("rev-parse", "--is-bare-repository", "--git-dir")
        argv = ["git", f"--git-dir={path}", *asked]
        done = process.run(argv, environment.scrubbed(self._environ))
        return done.code == 0 and done.out.startswith(b"true\n")

    def make_bare(self, path: str) -> None:
        """Make a bare repository at an absolute path, and the folders that lead to it."""
        self._git("init", "--quiet", "--bare", "--", path)

    def _git(self, *args: str) -> None:
        env = environment.scrubbed(self._environ)
        done = process.run(["git", "-C", self._cwd, *args], env)
        if done.code:
            raise GitError(["git", *args], done.code, done.err.decode("utf-8", "replace"))
