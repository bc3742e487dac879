"""Trees as maps from path to content: read, list, compare and edit, touching only what is named."""

from __future__ import annotations

from git_knowl.errors import KnowlError
from git_knowl.plumbing.objects import FILE_MODE, TREE_MODE, encode_tree, object_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Protocol

    from git_knowl.plumbing.objects import TreeEntry

    class TreeReader(Protocol):
        """Whatever reads one tree by its id; ``""`` is the empty tree."""

        def read_tree(self, oid: str) -> list[TreeEntry]:
            """Return (mode, name, id) of everything in the tree."""


#: What a new folder looks like before its objects exist: content, the id of a blob that is in the
#: database, a removal, or a folder.
Nested = dict[str, "bytes | str | Nested | None"]
Objects = list[tuple[str, bytes]]


class TreeError(KnowlError):
    """A tree in which a file stands where a folder was expected, or the other way round."""


def find(db: TreeReader, root: str | None, path: str) -> str | None:
    """Return the blob at a path, or None."""
    folder, _, name = path.rpartition("/")
    for mode, entry, oid in db.read_tree(_folder(db, root, folder) or ""):
        if entry == name and not is_tree(mode):
            return oid
    return None


def walk(db: TreeReader, root: str | None, under: str = "") -> Iterator[tuple[str, str]]:
    """Yield (path, blob) of every file below a folder, in the order of git."""
    oid = _folder(db, root, under)
    if oid:
        yield from _files(db, oid, f"{under}/" if under else "")


def files_in(db: TreeReader, root: str | None, folder: str) -> Iterator[tuple[str, str]]:
    """Yield (path, blob) of the files right in a folder."""
    for mode, name, oid in db.read_tree(_folder(db, root, folder) or ""):
        if not is_tree(mode):
            yield f"{folder}/{name}", oid


def changed(
    db: TreeReader, old: str | None, new: str | None, prefix: str = ""
) -> Iterator[tuple[str, str | None]]:
    """Yield (path, new blob or None) of every file that differs; equal folders are not opened."""
    before, after = _by_name(db, old), _by_name(db, new)
    for name in sorted(before.keys() | after.keys()):
        was, now = before.get(name), after.get(name)
        if was == now:
            continue
        path = prefix + name
        if _tree_of(was) or _tree_of(now):
            yield from changed(db, _tree_of(was), _tree_of(now), f"{path}/")
        if _blob_of(was) or _blob_of(now):
            yield path, _blob_of(now)


def _files(db: TreeReader, oid: str, prefix: str) -> Iterator[tuple[str, str]]:
    for mode, name, item in db.read_tree(oid):
        if is_tree(mode):
            yield from _files(db, item, f"{prefix}{name}/")
        else:
            yield prefix + name, item


def edit(
    db: TreeReader, object_format: str, root: str | None, changes: Mapping[str, bytes | str | None]
) -> tuple[str, Objects]:
    """Return the tree after the changes and the new objects it needs; None removes a file.

    Text is the id of a blob that is there already. Only folders on the way to a changed path are
    read; folders left empty disappear.
    """
    objects: Objects = []
    new = _edit_folder(db, object_format, root, _nest(changes), objects)
    if new is None:
        empty = encode_tree([])
        objects.append(("tree", empty))
        new = object_id("tree", empty, object_format)
    return new, objects


def is_tree(mode: str) -> bool:
    """Tell whether a tree entry is a folder, however its mode is padded."""
    return mode.lstrip("0") == TREE_MODE


def _nest(changes: Mapping[str, bytes | str | None]) -> Nested:
    root: Nested = {}
    for path, data in changes.items():
        *folders, name = path.split("/")
        here = root
        for folder in folders:
            below = here.setdefault(folder, {})
            if not isinstance(below, dict):
                raise _both(folder)
            here = below
        if isinstance(here.get(name), dict):
            raise _both(name)
        here[name] = data
    return root


def _both(name: str) -> TreeError:
    return TreeError(f"'{name}' is changed as a file and as a folder at once")


def _edit_folder(
    db: TreeReader, object_format: str, old: str | None, changes: Nested, objects: Objects
) -> str | None:
    entries = _by_name(db, old)
    for name, change in changes.items():
        was = entries.pop(name, None)
        if isinstance(change, dict):
            if _blob_of(was):
                raise TreeError(f"expected a folder '{name}' in the store, found a file")
            mode, oid = TREE_MODE, _edit_folder(db, object_format, _tree_of(was), change, objects)
        else:
            mode, oid = FILE_MODE, _edit_file(object_format, was, change, objects)
        if oid:
            entries[name] = (mode, oid)
    if not entries:
        return None
    data = encode_tree([(mode, name, oid) for name, (mode, oid) in entries.items()])
    return _new_object("tree", data, object_format, old, objects)


def _edit_file(
    object_format: str, was: tuple[str, str] | None, data: bytes | str | None, objects: Objects
) -> str | None:
    if _tree_of(was):
        raise TreeError("expected a file in the store, found a folder of that name")
    if data is None or isinstance(data, str):
        return data
    return _new_object("blob", data, object_format, _blob_of(was), objects)


def _new_object(
    kind: str, data: bytes, object_format: str, old: str | None, objects: Objects
) -> str:
    oid = object_id(kind, data, object_format)
    if oid != old:
        objects.append((kind, data))
    return oid


def _folder(db: TreeReader, root: str | None, path: str) -> str | None:
    oid = root
    for name in filter(None, path.split("/")):
        oid = _tree_of(_by_name(db, oid).get(name))
    return oid


def _by_name(db: TreeReader, oid: str | None) -> dict[str, tuple[str, str]]:
    return {name: (mode, blob) for mode, name, blob in db.read_tree(oid)} if oid else {}


def _tree_of(entry: tuple[str, str] | None) -> str | None:
    return entry[1] if entry and is_tree(entry[0]) else None


def _blob_of(entry: tuple[str, str] | None) -> str | None:
    return entry[1] if entry and not is_tree(entry[0]) else None
