"""A private index and object directory, so that content can be stored and nothing enters ours.

What `git add` would make of a working file is known for certain only by adding it. The objects go
to a temporary directory that borrows from the real one, and both vanish at the end.
"""

from __future__ import annotations

import os
import shutil
import tempfile

from git_knowl.plumbing.environment import NO_HOOKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from git_knowl.plumbing.repository import Repository

# No shared index beside the user's, none of his hooks, and no refusal of a file whose line ends
# would not survive a round trip.
SETTINGS = (
    "core.fsmonitor=false",
    *NO_HOOKS,
    "core.safecrlf=false",
    "core.splitIndex=false",
)
_TIMEOUT = 600.0


class Scratch:
    """The temporary folder, for use in a `with` block; ``env`` aims a git child at it."""

    __slots__ = ("_folder", "_repo", "_settings", "env")

    def __init__(self, repo: Repository) -> None:
        self._repo = repo
        self._settings: tuple[str, ...] | None = None
        self._folder = ""
        self.env: dict[str, str] = {}

    def __enter__(self) -> Self:
        self._folder = tempfile.mkdtemp(prefix="git-knowl-")
        objects = os.path.join(self._folder, "objects")
        os.mkdir(objects)
        self.env = {
            "GIT_INDEX_FILE": os.path.join(self._folder, "index"),
            "GIT_OBJECT_DIRECTORY": objects,
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": _alternates(self._repo),
        }
        return self

    def __exit__(self, *failure: object) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def settings(self) -> tuple[str, ...]:
        """Settings for children: SETTINGS, and every filter that has a program is required."""
        if self._settings is None:
            self._settings = SETTINGS + _required_filters(self._repo)
        return self._settings

    @property
    def borrowed(self) -> dict[str, str]:
        """What of ``env`` is about objects alone."""
        return {name: value for name, value in self.env.items() if "OBJECT" in name}

    def add(self, paths: list[str]) -> dict[str, str]:
        """Return the blob id `git add` gives each path; one that cannot be added is left out."""
        self._copy_entries(paths)
        if self._update(paths):
            return self._entries(paths)
        if len(paths) == 1:
            return {}
        return {path: oid for one in paths for path, oid in self.add([one]).items()}

    def read(self, oid: str) -> bytes:
        """Return the content of a blob that was added."""
        return self._repo.git("cat-file", "blob", oid, env=self.env, timeout=_TIMEOUT)

    def _copy_entries(self, paths: list[str]) -> None:
        """Show git what is staged: where that has CRLF, automatic conversion leaves them alone.

        Without their stat data the entries do not look fresh, so each file is read again.
        """
        wanted = set(paths)
        listed = self._repo.git("ls-files", "-s", "-z", timeout=_TIMEOUT).split(b"\0")
        known = [item for item in listed if os.fsdecode(item.partition(b"\t")[2]) in wanted]
        stdin = b"".join(item + b"\0" for item in known)
        self._git("update-index", "-z", "--index-info", stdin=stdin)

    def _update(self, paths: list[str]) -> bool:
        stdin = os.fsencode("".join(f"{path}\0" for path in paths))
        args = ("update-index", "--add", "-z", "--stdin")
        done = self._repo.run(
            *args, stdin=stdin, env=self.env, config=self.settings, timeout=_TIMEOUT
        )
        return done.code == 0

    def _entries(self, paths: list[str]) -> dict[str, str]:
        wanted = set(paths)
        listed = self._git("ls-files", "-s", "-z")
        items = (os.fsdecode(item).partition("\t") for item in listed.split(b"\0") if item)
        return {path: head.split(" ")[1] for head, _, path in items if path in wanted}

    def _git(self, *args: str, stdin: bytes = b"") -> bytes:
        return self._repo.git(*args, stdin=stdin, env=self.env, config=SETTINGS, timeout=_TIMEOUT)


def _alternates(repo: Repository) -> str:
    """Return the object directories to borrow from: ours, a hook's quarantine, a scratch around."""
    borrowed = [os.path.join(repo.common_dir, "objects")]
    if "GIT_OBJECT_DIRECTORY" in repo.hook_env:
        borrowed.append(repo.hook_env["GIT_OBJECT_DIRECTORY"])
    around = repo.variable("GIT_OBJECT_DIRECTORY")
    if around and around not in borrowed:
        borrowed.append(around)
    return os.pathsep.join(_quoted(path) for path in borrowed)


def _quoted(path: str) -> str:
    """Quote a path in which git would see the end of an item, or a quotation."""
    if os.pathsep not in path and not path.startswith('"'):
        return path
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _required_filters(repo: Repository) -> tuple[str, ...]:
    pattern = r"^filter\..*\.(clean|process)$"
    listed = repo.git("config", "-z", "--get-regexp", pattern, ok=(0, 1))
    settings = (os.fsdecode(item).partition("\n") for item in listed.split(b"\0"))
    drivers = {name.rpartition(".")[0] for name, _, program in settings if program}
    return tuple(f"{driver}.required=true" for driver in sorted(drivers))
