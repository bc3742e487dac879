"""What was retired and is in no lane any more."""

from __future__ import annotations

from collections.abc import Iterable

from git_knowl.errors import KnowlError
from git_knowl.model.entry import LOCAL
from git_knowl.model.ids import ALPHABET, SHORT
from git_knowl.services.context import Context
from git_knowl.store.cache import Retired


class RestoreError(KnowlError):
    """An entry that cannot be brought back."""


def matching(stones: Iterable[Retired], text: str) -> list[Retired]:
    """Return those of some retired entries that a text may mean, in their order."""
    stones = list(stones)
    name, _, suffix = text.partition("~")
    found = [one for one in stones if one.name == name and one.id.endswith(suffix)]
    if not found and is_part_of_id(text):
        found = [one for one in stones if one.id.startswith(text) or one.id.endswith(text)]
    return found


def retired(ctx: Context) -> list[Retired]:
    """Return what is retired and in no lane any more, the latest first, each once.

    An entry that left the shared lane before it was retired has a tombstone in both lanes; that of
    the local lane stands for where it was last.
    """
    found: dict[str, Retired] = {}
    for one in ctx.cache.retired():
        if one.id not in found or one.lane == LOCAL:
            found[one.id] = one
    live = {row.id for row in ctx.cache.by_ids(found)}
    return [one for one in found.values() if one.id not in live]


def full_name(stone: Retired) -> str:
    """Return the name that means this retired entry and no other of the same name."""
    return f"{stone.name}~{stone.id[-SHORT:]}"


def is_part_of_id(text: str) -> bool:
    """Tell whether a text is long enough and made of the right letters for a part of an id."""
    return len(text) >= SHORT and not text.strip(ALPHABET)
