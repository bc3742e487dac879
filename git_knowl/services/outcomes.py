"""What became of flags, as people are told: an entry that was taken back since does not count.

Stored is what a person decided; whether that still stands is found out when it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from git_knowl.model.flag import Flag
from git_knowl.services.context import Context
from git_knowl.services.retired import full_name, retired
from git_knowl.store.cache import Retired
from git_knowl.store.inbox import CAPTURED, Inbox


def as_told(ctx: Context, inbox: Inbox) -> Inbox:
    """Return the inbox with outcomes that say which captured entries are no longer live."""
    captured = [flag for flag in inbox.flags if flag.outcome.startswith(CAPTURED)]
    stones = retired(ctx) if captured else []
    if not stones:
        return inbox
    gone = {flag.id: told for flag in captured if (told := taken_back(ctx, flag, stones))}
    flags = (replace(flag, outcome=gone.get(flag.id, flag.outcome)) for flag in inbox.flags)
    return replace(inbox, flags=tuple(flags))


def taken_back(ctx: Context, flag: Flag, stones: Sequence[Retired]) -> str | None:
    """Return the outcome of a flag whose entry is retired, with the way back; None for others.

    The entry has the id of the draft that was made of the flag. Where the flag names no draft, or
    one that changed an entry, the name is all there is, and a live entry of that name may be it.
    """
    by_id = {stone.id: stone for stone in stones}
    stone = by_id.get(flag.draft or "") or by_name(ctx, flag.outcome.removeprefix(CAPTURED), stones)
    if stone is None or (flag.draft and ctx.cache.by_id(flag.draft)):
        return None
    return f"{flag.outcome}, taken back (git knowl restore {shortest(stone, by_id)})"


def by_name(ctx: Context, name: str, stones: Sequence[Retired]) -> Retired | None:
    """Return what was retired last under a name that no live entry has."""
    if ctx.cache.names(name):
        return None
    return next((stone for stone in stones if stone.name == name), None)


def shortest(stone: Retired, stones: Mapping[str, Retired]) -> str:
    """Return the name of a retired entry, with the end of its id where others have it too."""
    namesakes = [one for one in stones.values() if one.name == stone.name]
    return stone.name if len(namesakes) == 1 else full_name(stone)
