"""The verdict of a few entries at a tool call, told as cheaply as it can be told.

While nothing moves that an entry rests on, its stored verdict is the present one. Of an edited file
the blob tells whether it is one that was accepted; only for the other kinds the judges are loaded.
"""

from __future__ import annotations

from git_knowl.anchors.freshness_held import held_statuses
from git_knowl.model.status import ACTIVE, SUSPECT
from git_knowl.plumbing import refs
from git_knowl.store import touched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from git_knowl.services.context import Context
    from git_knowl.store.cache import CacheReader
    from git_knowl.store.touched import Resting

FILE = "file"


def statuses_of(ctx: Context, cache: CacheReader, ids: Sequence[str]) -> dict[str, str]:
    """Return the status of entries by id: the stored ones while they hold, else judged afresh."""
    found = by_look(ctx, ids)
    if left := [one for one in ids if one not in found]:
        found |= by_blobs(ctx, cache, left)
    if left := [one for one in ids if one not in found]:
        from git_knowl.services.judging import judge  # noqa: PLC0415 - loads the kinds of anchors

        ctx.hurry()
        found |= {one: verdict.status for one, verdict in judge(ctx, left).items()}
    return found


def by_look(ctx: Context, ids: Sequence[str]) -> dict[str, str]:
    """Return the stored status of those of the entries of which it still holds, by id."""
    head, _ = refs.checked_out(ctx.repo)
    return held_statuses(ctx.repo, ctx.tips, head, ctx.caller.now(), ids)


def by_blobs(ctx: Context, cache: CacheReader, ids: Sequence[str]) -> dict[str, str]:
    """Return the status of those of the entries that rest on files which are there, by id."""
    if ctx.repo.is_bare:
        return {}
    targets = cache.targets(ids)
    plain = {one for one in ids if all(kind == FILE for kind, _ in targets.get(one, [("", "")]))}
    if not plain:
        return {}
    from git_knowl.plumbing.content import stored_blobs  # noqa: PLC0415 - something was edited

    paths = sorted({target.partition(":")[2] for one in plain for _, target in targets[one]})
    resting = [one for one in touched.on_paths(cache, paths) if one.id in plain]
    here = stored_blobs(ctx.repo, paths)
    return told(resting, here, f"{ctx.repo.object_format}:")


def told(resting: Iterable[Resting], here: Mapping[str, str], prefix: str) -> dict[str, str]:
    """Return the status by id where every blob tells; a file that is not there tells nothing."""
    found: dict[str, str] = {}
    unsure: set[str] = set()
    for one in resting:
        blob = here.get(one.path or "", "!")
        if blob.startswith("!") or not any(known.startswith(prefix) for known in one.known):
            unsure.add(one.id)
        held = f"{prefix}{blob}" in one.known and found.get(one.id, ACTIVE) == ACTIVE
        found[one.id] = ACTIVE if held else SUSPECT
    return {one: status for one, status in found.items() if one not in unsure}
