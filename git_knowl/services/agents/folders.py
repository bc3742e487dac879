"""The folders around the files of an installation: those that were there before us stay.

A folder that holds something stays anyway, so only those are noted that were empty.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress


def note_empty(listed: str, top: str, path: str) -> None:
    """Note which folders on the way to a file of ours are there, and empty."""
    found = [folder for folder in above(path) if is_empty(os.path.join(top, folder))]
    keep(listed, sorted({*noted(listed), *found}))


def remove_empty(listed: str, top: str, path: str, *, with_top: bool) -> None:
    """Remove the folders that a file of ours has left empty, up to one that was there before."""
    before = noted(listed)
    for folder in above(path):
        if not folder:
            break
        if not is_empty(os.path.join(top, folder)):
            return
        if folder in before:
            keep(listed, [one for one in before if one != folder])
            return
        os.rmdir(os.path.join(top, folder))
    if with_top and is_empty(top, but=os.path.basename(listed)):
        keep(listed, [])
        if "" not in before:
            os.rmdir(top)


def above(path: str) -> Iterator[str]:
    """Yield the folders in which a file is, the nearest one first and the top, as '', last."""
    while path:
        path = os.path.dirname(path)
        yield path


def is_empty(folder: str, but: str = "") -> bool:
    """Tell whether a folder is there and holds nothing, or just what is named."""
    try:
        return set(os.listdir(folder)) <= {but}
    except OSError:
        return False


def noted(listed: str) -> list[str]:
    """Return the folders that a list names."""
    try:
        with open(listed, encoding="utf-8", errors="surrogateescape") as file:
            return file.read().split("\n")[:-1]
    except OSError:
        return []


def keep(listed: str, names: Sequence[str]) -> None:
    """Write a list of folders; one of none is no file."""
    if not names:
        with suppress(OSError):
            os.unlink(listed)
        return
    os.makedirs(os.path.dirname(listed), exist_ok=True)
    with open(listed, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.writelines(f"{name}\n" for name in names)
