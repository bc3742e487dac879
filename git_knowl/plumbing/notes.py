"""Notes on commits as git keeps them: a tree of blobs named by commit, fanned out by two letters.

`git notes add` replaces the ref without asking what it was, so that of parallel writers most are
lost; here the tree is edited and the caller moves the ref by compare-and-swap. A folder is fanned
out by git's own rule: as soon as every first letter of what is left of a name stands for two notes
or more. Folders that are fanned out stay so; git reads any mixture.
"""

from __future__ import annotations

from git_knowl.plumbing.encoding import FILE_MODE, TREE_MODE, encode_tree, object_id

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from git_knowl.plumbing.encoding import TreeEntry
    from git_knowl.plumbing.objects import ObjectDatabase

Objects = list[tuple[str, bytes]]
"""Kind and content of what a tree needs."""

_HEX = "0123456789abcdef"
_FAN = 2


def read(db: ObjectDatabase, root: str, commits: Collection[str]) -> dict[str, bytes]:
    """Return the notes on those of the commits that have one."""
    blobs = {commit: blob for commit in commits if (blob := _find(db, root, commit))}
    return dict(zip(blobs, (data for _, data in db.read_blobs(blobs.values())), strict=True))


def read_all(db: ObjectDatabase, root: str, object_format: str) -> dict[str, bytes]:
    """Return every note by its commit."""
    blobs = dict(_walk(db, root, "", _length(object_format)))
    return dict(zip(blobs, (data for _, data in db.read_blobs(blobs.values())), strict=True))


def edit(
    db: ObjectDatabase, object_format: str, root: str, notes: Mapping[str, bytes]
) -> tuple[str, Objects]:
    """Return the id of the tree with these notes in place of those on the same commits.

    The objects it needs come with it; ``""`` stands for no tree.
    """
    if not notes:
        return root or object_id("tree", b"", object_format), [] if root else [("tree", b"")]
    blobs = {commit: object_id("blob", data, object_format) for commit, data in notes.items()}
    objects: Objects = [("blob", data) for data in notes.values()]
    tree, folders = _edit_folder(db, object_format, root, blobs)
    return tree, [*objects, *folders]


def _edit_folder(
    db: ObjectDatabase, object_format: str, tree: str, blobs: Mapping[str, str]
) -> tuple[str, Objects]:
    """Edit one folder; the names are what its path leaves of those of the commits."""
    own, folders, others = _sorted_out(db.read_tree(tree), len(next(iter(blobs))))
    inside: dict[str, dict[str, str]] = {}
    for rest, blob in blobs.items():
        if rest[:_FAN] in folders:
            inside.setdefault(rest[:_FAN], {})[rest[_FAN:]] = blob
        else:
            own[rest] = blob
    if _is_crowded(own, folders):
        for rest, blob in own.items():
            inside.setdefault(rest[:_FAN], {}).setdefault(rest[_FAN:], blob)
        own = {}
    objects: Objects = []
    for name, group in inside.items():
        folders[name], made = _edit_folder(db, object_format, folders.get(name, ""), group)
        objects += made
    entries = [*others, *((FILE_MODE, rest, blob) for rest, blob in own.items())]
    data = encode_tree([*entries, *((TREE_MODE, name, oid) for name, oid in folders.items())])
    return object_id("tree", data, object_format), [*objects, ("tree", data)]


def _sorted_out(
    entries: list[TreeEntry], length: int
) -> tuple[dict[str, str], dict[str, str], list[TreeEntry]]:
    """Return notes and folders of notes by name, and what else somebody put there."""
    own: dict[str, str] = {}
    folders: dict[str, str] = {}
    others: list[TreeEntry] = []
    for mode, name, oid in entries:
        if mode == TREE_MODE and _is_hex(name, _FAN) and length > _FAN:
            folders[name] = oid
        elif mode != TREE_MODE and _is_hex(name, length):
            own[name] = oid
        else:
            others.append((mode, name, oid))
    return own, folders, others


def _is_crowded(own: Collection[str], folders: Collection[str]) -> bool:
    """Tell whether each of the sixteen first letters stands for at least two notes."""
    firsts = [name[0] for name in own]
    deep = {name[0] for name in folders}
    return all(letter in deep or firsts.count(letter) > 1 for letter in _HEX)


def _find(db: ObjectDatabase, tree: str, rest: str) -> str | None:
    by_name = {name: oid for _, name, oid in db.read_tree(tree)}
    if rest in by_name:
        return by_name[rest]
    below = by_name.get(rest[:_FAN]) if len(rest) > _FAN else None
    return _find(db, below, rest[_FAN:]) if below else None


def _walk(db: ObjectDatabase, tree: str, path: str, length: int) -> Iterator[tuple[str, str]]:
    own, folders, _ = _sorted_out(db.read_tree(tree), length)
    yield from ((path + rest, blob) for rest, blob in own.items())
    for name, oid in folders.items():
        yield from _walk(db, oid, path + name, length - _FAN)


def _is_hex(name: str, length: int) -> bool:
    return len(name) == length and not name.strip(_HEX)


def _length(object_format: str) -> int:
    return len(object_id("blob", b"", object_format))
