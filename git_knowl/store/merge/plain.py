"""Files of the store that belong to no entry: the project, what was purged, and whatever else."""

from __future__ import annotations

from git_knowl.store import layout, trees
from git_knowl.store.merge.reader import Reader
from git_knowl.store.merge.shapes import Difference
from git_knowl.store.purged import PURGED


def settle_plain(
    reader: Reader, base: str | None, one: Difference
) -> dict[str, bytes | str | None]:
    """Return what becomes of a file that differs, as changes against our tree.

    Sets grow: what either side knows of the project and of purged texts is kept. Files nobody here
    makes sense of are carried through as they are.
    """
    if one.path == layout.PROJECT_FILE:
        return {one.path: _project(reader, one)}
    if one.path == layout.FORMAT_FILE or one.path.startswith(f"{PURGED}/"):
        return {one.path: one.theirs} if one.ours is None else {}
    return _stray(trees.find(reader, base, one.path), one)


def project_roots(reader: Reader, blob: str | None) -> tuple[str, ...]:
    """Return the root commits of the code in a project file; what is no id is left out."""
    words = reader.read_blob(blob).decode("ascii", "replace").split() if blob else []
    return tuple(sorted(word for word in words if not word.strip("0123456789abcdef")))


def _project(reader: Reader, one: Difference) -> bytes:
    found = {*project_roots(reader, one.ours), *project_roots(reader, one.theirs)}
    return "".join(f"{root}\n" for root in sorted(found)).encode()


def _stray(base: str | None, one: Difference) -> dict[str, bytes | str | None]:
    """Carry a file through; where both sides changed it, it stays and the higher blob stands."""
    if one.theirs == base:
        return {}
    if one.ours == base:
        return {one.path: one.theirs}
    return {one.path: max(filter(None, (one.ours, one.theirs)))}
