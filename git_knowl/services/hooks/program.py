"""The shims in the common directory: the copies git runs, which know where the program is."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from dataclasses import dataclass

import git_knowl
from git_knowl.plumbing.repository import Repository
from git_knowl.services.files import replace_file

FOLDER = "hooks"
ENTRY = "run"
SHIMS = (ENTRY, "after-commit", "after-checkout")
#: What a line that calls us says, whoever wrote it.
CALL = "knowl/hooks/run"

_PYTHON = "python='@PYTHON@'"
_DOOR = "door='@DOOR@'"
_RECORDED = re.compile(r"(?m)^(python|door)=(.*)$")


@dataclass(frozen=True, slots=True)
class Program:
    """What a shim starts when there is something to say: an interpreter and the script of the door.

    Both are absolute paths, for a graphical client may have neither on its PATH.
    """

    python: str
    door: str

    def is_there(self) -> bool:
        """Tell whether both still exist."""
        return os.access(self.python, os.X_OK) and os.path.isfile(self.door)


def place(repo: Repository, name: str = ENTRY) -> str:
    """Return where a shim lies, for all worktrees of a clone."""
    return repo.shared_path(FOLDER, name)


def copy(repo: Repository, program: Program) -> bool:
    """Put the shims into the repository; tell whether anything had to be written."""
    wanted = {name: render(name, program) for name in SHIMS}
    if wanted == {name: read(repo, name) for name in SHIMS}:
        return False
    for name, text in wanted.items():
        replace_file(place(repo, name), os.fsencode(text))
    return True


def is_current(repo: Repository) -> bool:
    """Tell whether the shims are those of this version."""
    found = recorded(repo)
    if found is None:
        return False
    return all(read(repo, name) == render(name, found) for name in SHIMS)


def take_away(repo: Repository) -> bool:
    """Remove the shims; tell whether there were any."""
    folder = repo.shared_path(FOLDER)
    if not os.path.isdir(folder):
        return False
    shutil.rmtree(folder)
    return True


def recorded(repo: Repository) -> Program | None:
    """Return what the copied shim starts; None without a readable copy."""
    found = dict(_RECORDED.findall(read(repo, ENTRY) or ""))
    try:
        values = [shlex.split(found[key])[0] for key in ("python", "door")]
    except (KeyError, ValueError, IndexError):
        return None
    return Program(*values)


def render(name: str, program: Program) -> str:
    """Return the text of a shim with the program in it, in the line ends a shell can read."""
    package = os.path.dirname(os.path.abspath(git_knowl.__file__))
    folders = (os.path.join(package, "_hooks"), os.path.join(os.path.dirname(package), "hooks"))
    folder = next(path for path in folders if os.path.isdir(path))
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        text = file.read()
    text = text.replace(_PYTHON, f"python={shlex.quote(program.python)}")
    return text.replace(_DOOR, f"door={shlex.quote(program.door)}")


def read(repo: Repository, name: str) -> str | None:
    """Return a copied shim as it is, or None."""
    try:
        with open(place(repo, name), "rb") as file:
            return os.fsdecode(file.read())
    except OSError:
        return None
