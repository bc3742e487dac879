"""Files in the work tree or an export folder: read as text, replaced whole or not at all."""

from __future__ import annotations

import os
import tempfile
import unicodedata
from contextlib import ExitStack

from git_knowl.errors import KnowlError
from git_knowl.model.quoting import byte_found
from git_knowl.plumbing.repository import Repository

#: The folder of the shared state where texts of a person wait that could not be stored.
UNFINISHED = "unfinished"


class FileError(KnowlError):
    """A file that cannot be read or written."""


def unfinished_path(repo: Repository, *names: str) -> str:
    """Return where texts of this worktree wait.

    Not in its own git directory: with a worktree that is removed or pruned that goes, too.
    """
    if repo.git_dir == repo.common_dir:
        return repo.shared_path(UNFINISHED, *names)
    return repo.shared_path(UNFINISHED, "worktrees", os.path.basename(repo.git_dir), *names)


def is_git_folder(name: str) -> bool:
    """Tell whether some file system takes a name for ``.git``.

    Case and invisible characters make no difference to some, dots and spaces at the end to others,
    who also know the short name ``git~1`` and call the parts of a file by a colon.
    """
    seen = "".join(char for char in name if unicodedata.category(char) != "Cf")
    return seen.casefold().partition(":")[0].rstrip(". ") in (".git", "git~1")


def read_text(path: str) -> str:
    """Return the text of a file, or ``""`` when there is none; raises FileError."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise FileError(
            f"cannot read '{path}': {error.strerror}", "see that it is a file you may read"
        ) from error
    except UnicodeDecodeError as error:
        found = byte_found(error.object, error.start)
        raise FileError(
            f"cannot read '{path}': expected UTF-8, got {found}",
            "save the file as UTF-8 and repeat",
        ) from error


def replace_file(path: str, data: str | bytes) -> None:
    """Write a file through a temporary one beside it, keeping its mode; raises FileError."""
    content = data.encode() if isinstance(data, str) else data
    folder = os.path.dirname(path)
    try:
        os.makedirs(folder, exist_ok=True)
        mode = os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o644
        with ExitStack() as cleanup:
            handle, temporary = tempfile.mkstemp(prefix=".knowl-", dir=folder)
            cleanup.callback(os.unlink, temporary)
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.chmod(temporary, mode)
            os.replace(temporary, path)
            cleanup.pop_all()
    except OSError as error:
        raise FileError(
            f"cannot write '{path}': {error.strerror}", "see that you may write there, and repeat"
        ) from error
