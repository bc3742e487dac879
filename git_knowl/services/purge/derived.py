"""Files beside the store that hold what is purged: caches, audits, texts an editor left behind."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from contextlib import suppress

from git_knowl.services.context import Context
from git_knowl.services.files import UNFINISHED, replace_file
from git_knowl.services.purged.wanted import Wanted
from git_knowl.services.semantic.vectors import FILE as VECTORS
from git_knowl.services.setup import state_folders, unfinished_texts
from git_knowl.store import cache_file

#: What is made of every text: something of each can be read out of them.
_OF_ALL = (cache_file.NAME, VECTORS)
_LOCKS = (".lock", ".turn", "lock")


def derived_files(ctx: Context, wanted: Wanted, ids: Collection[str]) -> list[str]:
    """Return the derived files of all worktrees that hold the text, or one of the ids.

    The cache of the store holds all texts, in one form or another, and so do vectors: they are
    always among them.
    """
    needles = wanted.forms or tuple(identifier.encode() for identifier in ids)
    return [
        path
        for path in _files(ctx)
        if os.path.basename(path).startswith(_OF_ALL) or _holds(path, needles)
    ]


def left_unfinished(ctx: Context, wanted: Wanted) -> list[str]:
    """Return what editors left behind that holds the text, or without a text is of an id."""
    found = unfinished_texts(state_folders(ctx))
    if wanted.forms:
        return [path for path in found if _holds(path, wanted.forms)]
    return [path for path in found if os.path.basename(path).startswith(tuple(wanted.ids))]


def clear(files: Collection[str]) -> None:
    """Remove derived files; one that went meanwhile is no matter."""
    for path in files:
        with suppress(FileNotFoundError):
            os.unlink(path)


def clear_unfinished(paths: Collection[str], wanted: Wanted) -> None:
    """Put the placeholder into unfinished texts; without a text to look for they go."""
    for path in paths:
        if not wanted.forms:
            clear([path])
            continue
        with open(path, "rb") as file:
            data = file.read()
        replace_file(path, wanted.redacted(data))


def _files(ctx: Context) -> Iterator[str]:
    for folder in dict.fromkeys(state_folders(ctx)):
        for where, folders, names in os.walk(folder):
            if UNFINISHED in folders:
                folders.remove(UNFINISHED)
            yield from (
                os.path.join(where, name) for name in sorted(names) if not name.endswith(_LOCKS)
            )


def _holds(path: str, needles: Collection[bytes]) -> bool:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return False
    return any(needle in data for needle in needles)
