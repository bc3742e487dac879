"""Where things stand inside the trees of the store, and which formats are read and written.

Every tree (entries, inbox, state) carries a file ``format`` with its number and the least number a
reader must know. The id in a path decides; the name beside it is there for people and for lookups.
"""

from __future__ import annotations

from git_knowl.errors import KnowlError
from git_knowl.model import ids

FORMAT = 1
FORMAT_FILE = "format"
PROJECT_FILE = "project"
ENTRIES = "entries"
RETIRED = "retired"
CONFLICTS = "conflicts"
FLAGS = "flags"
DRAFTS = "drafts"
ENTRY_SUFFIX = ".md"
RECORD_SUFFIX = ".json"
#: The text of a format file: what is written, and what a reader must understand at least.
FORMAT_TEXT = f"format {FORMAT}\nreader {FORMAT}\n".encode()


class FormatError(KnowlError):
    """A store of a format that this program must not read or must not write."""


class PathError(KnowlError):
    """A name that cannot be part of a path in the store."""


def entry_folder(identifier: str) -> str:
    """Return the folder that holds the entry of an id, whatever its name."""
    return f"{ENTRIES}/{ids.shard(identifier)}"


def entry_path(identifier: str, name: str) -> str:
    """Return the path of an entry file; raises PathError for a name that is no part of a path."""
    if not name or "/" in name or not name.isprintable():
        raise PathError(f"name: expected a word without '/', got {name!r}")
    return f"{entry_folder(identifier)}/{identifier}.{name}{ENTRY_SUFFIX}"


def parse_entry_path(path: str) -> tuple[str, str] | None:
    """Return id and name of an entry file, or None for any other path."""
    folder, _, file = path.rpartition("/")
    identifier, _, rest = file.partition(".")
    name = rest.removesuffix(ENTRY_SUFFIX)
    if not ids.is_id(identifier) or folder != entry_folder(identifier) or name in {"", rest}:
        return None
    return identifier, name


def conflict_folder(identifier: str) -> str:
    """Return the folder that holds every side of an entry in conflict."""
    return f"{CONFLICTS}/{identifier}"


def conflict_path(identifier: str, digest: str) -> str:
    """Return the path of one side of a conflict, by the digest of its text."""
    return f"{conflict_folder(identifier)}/{digest}{ENTRY_SUFFIX}"


def parse_conflict_path(path: str) -> tuple[str, str] | None:
    """Return id and digest of a side of a conflict, or None for any other path."""
    folder, _, file = path.rpartition("/")
    identifier, digest = folder.rpartition("/")[2], file.removesuffix(ENTRY_SUFFIX)
    is_side = ids.is_id(identifier) and path == conflict_path(identifier, digest)
    return (identifier, digest) if is_side else None


def record_path(folder: str, identifier: str) -> str:
    """Return the path of a JSON record: a flag, a draft or a tombstone."""
    return f"{folder}/{ids.shard(identifier)}/{identifier}{RECORD_SUFFIX}"


def parse_record_path(folder: str, path: str) -> str | None:
    """Return the id in the path of a record of the folder, or None for any other path."""
    identifier = path.rpartition("/")[2].removesuffix(RECORD_SUFFIX)
    is_record = ids.is_id(identifier) and path == record_path(folder, identifier)
    return identifier if is_record else None


def shown_name(name: str, identifier: str, holders: list[str]) -> str:
    """Return the name an entry is shown under, given the ids of all live entries of that name.

    The lowest id keeps the name; the others carry the end of their id until they are renamed.
    """
    if not holders or identifier <= min(holders):
        return name
    return f"{name}~{identifier[-ids.SHORT :]}"


def read_format(text: bytes) -> tuple[int, int] | None:
    """Return the number of a format file and its least reader, or None when it says neither."""
    lines = (line.split() for line in text.decode("ascii", "replace").splitlines())
    numbers = {line[0]: line[1] for line in lines if len(line) == 2}
    try:
        return int(numbers["format"]), int(numbers["reader"])
    except (KeyError, ValueError):
        return None


def check_readable(ref: str, text: bytes | None) -> None:
    """Raise FormatError unless a tree that exists says that this program can read it.

    Without a format it is no tree of a store: what the ref points at was put there by mistake.
    """
    number, reader = _said(ref, text)
    if reader > FORMAT:
        raise _too_new(ref, number)


def check_writable(ref: str, text: bytes | None, *, is_raised: bool = False) -> None:
    """Raise FormatError unless a tree that exists has the format this program writes.

    One whose format ``is_raised`` by the same write may have an older one.
    """
    number, _ = _said(ref, text)
    if number > FORMAT:
        raise _too_new(ref, number)
    if number < FORMAT and not is_raised:
        raise FormatError(
            f"{ref} has format {number}, this program writes format {FORMAT}",
            f"'git knowl migrate' raises it, once all who share the store can read {FORMAT}",
        )


def newer(text: bytes | None) -> str | None:
    """Return in words that a format is newer than what this program writes, None when it is not."""
    found = read_format(text or b"")
    if found is None or found[0] <= FORMAT:
        return None
    return f"format {found[0]} is newer than this program, which reads what it knows of it"


def _said(ref: str, text: bytes | None) -> tuple[int, int]:
    found = read_format(text or b"")
    if found is None:
        what = "no" if text is None else "an unreadable"
        raise FormatError(
            f"{ref}: expected a file '{FORMAT_FILE}' with 'format {FORMAT}', found {what} file",
            "something else wrote to this ref; 'git reflog' of the ref shows what it held before",
        )
    return found


def _too_new(ref: str, number: int) -> FormatError:
    return FormatError(
        f"{ref} has format {number}, this program reads and writes format {FORMAT}",
        "upgrade git-knowl",
    )
