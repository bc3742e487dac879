"""Where two trees differ, and what of the other one is no part of a store.

A tree that comes from elsewhere may have any shape. What would make this store unreadable, or
unfit to be sent on, is told and left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from git_knowl.plumbing.objects import TreeEntry
from git_knowl.store import layout
from git_knowl.store.merge.reader import Reader
from git_knowl.store.purged import PURGED
from git_knowl.store.trees import is_tree

#: So deep may folders lie in one another.
DEPTH = 6
REGULAR = frozenset(("100644", "100664", "100755"))
#: Folders whose files stand in folders of their own, and those whose files stand right in them.
SHARDED = (layout.ENTRIES, layout.RETIRED, layout.CONFLICTS)
FOLDERS = frozenset((*SHARDED, PURGED))

_Item = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Difference:
    """A file that differs, by its blob on both sides; ``trouble`` says why it is left out."""

    path: str
    ours: str | None = None
    theirs: str | None = None
    trouble: str = ""


def differences(
    reader: Reader, ours: str | None, theirs: str | None, prefix: str = ""
) -> Iterator[Difference]:
    """Yield the files that differ between two trees; equal folders are not opened."""
    mine, other = _items(reader, ours), _items(reader, theirs)
    for name in sorted(mine.keys() | other.keys()):
        if mine.get(name) != other.get(name):
            yield from _between(reader, f"{prefix}{name}", mine.get(name), other.get(name))


def _between(
    reader: Reader, path: str, mine: _Item | None, other: _Item | None
) -> Iterator[Difference]:
    trouble = _trouble(path, mine, other)
    if trouble:
        yield Difference(path, trouble=trouble)
    elif _is_folder(mine) or _is_folder(other):
        yield from differences(reader, _oid(mine), _oid(other), f"{path}/")
    else:
        yield Difference(path, _oid(mine), _oid(other))


def _trouble(path: str, mine: _Item | None, other: _Item | None) -> str:
    """Return why what the other side has at a path is no part of a store."""
    if other is None:
        return ""
    if not _is_plain(path.rpartition("/")[2]):
        return "a name that no file of a store has"
    if path.count("/") >= DEPTH:
        return "too many folders in one another"
    if mine is not None and _is_folder(mine) != _is_folder(other):
        return "a file and a folder of one name"
    return "" if _is_folder(other) else _trouble_of_file(path, other)


def _trouble_of_file(path: str, other: _Item) -> str:
    if other[0] not in REGULAR:
        return "no regular file"
    return "a file where a folder belongs" if _is_place(path) else ""


def _is_place(path: str) -> bool:
    folder, _, below = path.partition("/")
    return path in FOLDERS or (folder in SHARDED and "/" not in below)


def _is_plain(name: str) -> bool:
    """Tell whether a name is harmless: nothing hidden, and none that git keeps for itself."""
    return name.isprintable() and not name.startswith(".") and not name.lower().startswith("git~")


def _items(reader: Reader, oid: str | None) -> dict[str, _Item]:
    found: list[TreeEntry] = reader.read_tree(oid) if oid else []
    return {name: (mode.lstrip("0"), item) for mode, name, item in found}


def _is_folder(item: _Item | None) -> bool:
    return item is not None and is_tree(item[0])


def _oid(item: _Item | None) -> str | None:
    return item[1] if item else None
