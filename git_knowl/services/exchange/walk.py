"""The files of an import: found below one path, read up to a limit, and never through a link."""

from __future__ import annotations

import os
import posixpath
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from git_knowl.model import limits
from git_knowl.model.quoting import byte_found
from git_knowl.model.text import for_terminal
from git_knowl.services.exchange.found import ImportPathError
from git_knowl.services.files import FileError, is_git_folder
from git_knowl.services.filters import secrets

MOST_FILES = 10_000
#: So many names are looked at, wanted or not, before a folder is refused.
MOST_NAMES = 200_000


@dataclass(frozen=True, slots=True)
class Place:
    """What is imported: a file or folder, seen from the caller's folder and the work tree.

    ``redacted`` gathers the types of the secrets that `read` masked, with how many there were.
    """

    full: str
    cwd: str
    top: str | None
    redacted: list[tuple[str, int]] = field(default_factory=list, compare=False)

    @property
    def is_folder(self) -> bool:
        """Tell whether it is a folder."""
        return os.path.isdir(self.full)

    def shown(self, file: str) -> str:
        """Return how messages name a file."""
        return os.path.relpath(file, self.cwd)

    def origin(self, file: str) -> str:
        """Return how a source names a file: the same wherever the import is started from.

        From the top of the work tree, or from the folder that was imported.
        """
        inside = self.below_top(file)
        if inside is not None:
            return for_terminal(inside, single_line=True)
        above = os.path.dirname(self.full)
        return for_terminal(os.path.relpath(file, above), single_line=True)

    def folder(self, file: str) -> str | None:
        """Return the folder of a file from the top of the work tree, None outside."""
        inside = self.below_top(file)
        return None if inside is None else posixpath.dirname(inside)

    def read(self, file: str) -> str:
        """Return the text of a Markdown file of another system without its secrets.

        All that is made of it, name and tags and headings too, is made of the masked text. Raises
        FileError.
        """
        clean = secrets.scrub(read_markdown(file))
        self.redacted.extend(clean.found)
        return clean.text

    def below_top(self, file: str) -> str | None:
        """Return the path of a file from the top of the work tree, None outside."""
        if self.top is None:
            return None
        path = os.path.relpath(os.path.realpath(file), os.path.realpath(self.top))
        return None if path.startswith("..") else path


def open_place(cwd: str, path: str, top: str | None) -> Place:
    """Return what a path names; raises ImportPathError for a link, and for nothing."""
    full = os.path.normpath(os.path.join(cwd, path.rstrip("/") or path))
    if os.path.islink(full) or not (os.path.isdir(full) or is_regular(full)):
        raise ImportPathError(f"'{path}' is no file or folder", "name what an export wrote")
    return Place(full, cwd, top)


def files(place: Place, is_wanted: Callable[[str], bool]) -> Iterator[str]:
    """Yield a file itself, or the regular files of wanted names below a folder, in order."""
    if not place.is_folder:
        yield place.full
        return
    count = seen = 0
    for folder, folders, names in os.walk(place.full):
        folders[:] = sorted(name for name in folders if not is_git_folder(name))
        seen += len(folders) + len(names)
        for name in sorted(filter(is_wanted, names)):
            file = os.path.join(folder, name)
            if is_regular(file):
                count += 1
                yield file
            check_count(place, count, seen)


def check_count(place: Place, count: int, seen: int) -> None:
    """Raise ImportPathError where a folder holds more than anybody reviews."""
    if count > MOST_FILES or seen > MOST_NAMES:
        most, what = (MOST_FILES, "documents") if count > MOST_FILES else (MOST_NAMES, "names")
        raise ImportPathError(
            f"'{place.full}' holds more than {most} {what}", "import its folders one by one"
        )


def is_regular(file: str) -> bool:
    """Tell whether a path names a regular file, itself and not by a link."""
    try:
        return stat.S_ISREG(os.lstat(file).st_mode)
    except (OSError, ValueError):
        return False


def read_bytes(file: str, most: int) -> bytes:
    """Return the content of a file, at most so many bytes; raises FileError."""
    try:
        with open(file, "rb") as stream:
            return stream.read(most)
    except OSError as error:
        raise FileError(error.strerror or "it cannot be read") from error


def read_markdown(file: str) -> str:
    """Return the text of a Markdown file with LF line ends; raises FileError."""
    data = read_bytes(file, limits.DOCUMENT_BYTES + 1)
    if len(data) > limits.DOCUMENT_BYTES:
        raise FileError(f"expected at most {limits.DOCUMENT_BYTES} bytes, got more")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        found = byte_found(error.object, error.start)
        raise FileError(f"expected UTF-8, got {found}") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")
