"""Checks of the size: what git's own maintenance would pack or sweep away."""

from __future__ import annotations

from collections.abc import Iterator

from git_knowl.plumbing import config, refs, upkeep
from git_knowl.services.context import Context
from git_knowl.services.doctor.finding import Finding

#: So many loose objects git itself waits for (gc.auto) before it packs them.
LOOSE = 6_700
#: So many times as much, and nobody seems to pack them.
NEGLECTED = 2
#: Documents of a hundred thousand entries take less.
LARGE = 512 * 1024 * 1024
MAINTENANCE = "'git maintenance run' packs them; nothing of the store is lost by it"


def check_growth(ctx: Context) -> Iterator[Finding]:
    """Find that nobody packs the objects, or that the store is out of proportion."""
    found = upkeep.loose_objects(ctx.repo)
    if found.loose > NEGLECTED * LOOSE:
        said = config.get(ctx.repo, "gc.auto")
        why = "; gc.auto is 0, so git never packs by itself" if said == "0" else ""
        told = f"{found.loose} objects stand in files of their own, {in_words(found.bytes)}{why}"
        yield Finding(told, MAINTENANCE)
    size = size_of_store(ctx)
    if size > LARGE:
        yield Finding(
            f"the refs of the store hold on to {in_words(size)}",
            "'git knowl audit --health' lists what is oversize",
        )


def told_of_growth(ctx: Context) -> str:
    """Return how much the store takes, and how much nobody has packed yet."""
    found = upkeep.loose_objects(ctx.repo)
    return f"{in_words(size_of_store(ctx))} of ours, {found.loose} objects not packed yet"


def size_of_store(ctx: Context) -> int:
    """Return how many bytes the objects of our refs take."""
    tips = sorted(set(refs.ours(ctx.repo).values()))
    return upkeep.size(ctx.repo, tips) if tips else 0


def in_words(size: int) -> str:
    """Return a number of bytes for people."""
    for unit in ("bytes", "KiB", "MiB"):
        if size < 1024:
            return f"{size} {unit}"
        size //= 1024
    return f"{size} GiB"
