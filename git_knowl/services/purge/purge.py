"""Purge: a text goes from the store, from all of its history here, and from what is derived of it.

Everything is made ready beside the old state and put in its place by one swap of all refs. Killed
before that, nothing has happened; killed after it, the reflogs still lead to the old state, so that
the same purge finds what is left to do. Reflogs are cleared last for that reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from git_knowl.model.entry import Reviewed
from git_knowl.plumbing import refs
from git_knowl.plumbing.lock import flock
from git_knowl.plumbing.objects import open_objects
from git_knowl.services.context import Context
from git_knowl.services.purge import derived, reflogs
from git_knowl.services.purge.stones import Stones, digests, remembered
from git_knowl.services.purge.survey import Found, Survey, survey, told
from git_knowl.services.purged.copies import copies
from git_knowl.services.purged.wanted import PurgeError, Wanted
from git_knowl.services.recording import record
from git_knowl.store import rules
from git_knowl.store.operations import Change, PutTombstone
from git_knowl.store.purged import REASON
from git_knowl.store.transaction import ENTRY, Record, staged_commits
from git_knowl.store.view import LANES, REFS, View

#: So many names stand in the subject of the commit.
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Order:
    """What to purge, by whose word, and whether live texts are kept with a placeholder."""

    wanted: Wanted
    reviewed: Reviewed
    redact: bool = False


@dataclass(frozen=True, slots=True)
class Purged:
    """What was found and went, and the ids that it was about."""

    found: Found
    ids: tuple[str, ...] = ()


def look(ctx: Context, wanted: Wanted, *, redact: bool = False) -> Found:
    """Return what holds the text, and what a purge would not reach; nothing is written.

    Raises PurgeError when nothing in this clone holds it.
    """
    return told(ctx, _surveyed(ctx, wanted, redact=redact))


def purge(ctx: Context, order: Order) -> Purged:
    """Take the text out of all that `look` tells of; done again, it goes on where it was stopped.

    Raises PurgeError when nothing holds it or it cannot be redacted, FormatError for a store of a
    newer format; then nothing is changed.
    """
    step = ctx.store.on_step
    with flock(ctx.repo) as held:
        found = _surveyed(ctx, order.wanted, redact=order.redact)
        said = told(ctx, found)
        moves = _moves(ctx, found, order)
        step("written")
        if moves:
            refs.update(ctx.repo, moves, REASON, fsync=True, held=held)
        step("published")
        derived.clear(found.derived)
        derived.clear_unfinished(found.unfinished, order.wanted)
        step("cleared")
        deleted = {move.ref for move in moves if move.new is None}
        reflogs.expire(ctx.repo, sorted({*found.changed, *found.logs} - deleted))
    ctx.refresh()
    if order.wanted.digests:  # the notes are made anew by now, and only digests were looked for
        reflogs.expire(ctx.repo, [ref for ref in refs.ours(ctx.repo) if ref == refs.NOTES])
    return Purged(said, tuple(sorted(found.sifter.ids)))


def _surveyed(ctx: Context, wanted: Wanted, *, redact: bool) -> Survey:
    found = survey(ctx, wanted, redact=redact)
    if found.is_clean:
        raise PurgeError(
            "nothing in the store of this clone holds that, now or in its history",
            "a name or id means the text of one entry, flag or draft; --text looks for words",
        )
    return found


def _moves(ctx: Context, found: Survey, order: Order) -> list[refs.Update]:
    """Write all objects of the new state, and return the moves that put it in place."""
    before = View(open_objects(ctx.repo), ctx.repo.object_format, found.tips)
    for ref in REFS:
        if ref in found.changed:
            before.tree(ref).check_writable()
    commits = _on_top(ctx, before, found, order)
    after = {ref: found.after(ref) for ref in found.changed} | commits
    gone = dict.fromkeys(copies(found.changed))
    return [refs.Update(ref, new, found.tips.get(ref)) for ref, new in (after | gone).items()]


def _on_top(ctx: Context, before: View, found: Survey, order: Order) -> dict[str, str]:
    """Write the new histories, with the commits on top that say what became of the live texts."""
    db = open_objects(ctx.repo, fsync=True)
    db.write(found.rewriter.objects)
    after = View(db, before.object_format, {ref: found.after(ref) for ref in REFS})
    stones = Stones(before, after, order.wanted, order.reviewed)
    concerned = list(filter(stones.gone, LANES))
    changes = [*stones.changes(redact=order.redact), *digests(found, concerned)]
    changes += remembered(found, after)
    for change in changes:
        change.apply(after)
    rules.check(after)
    commits, objects = staged_commits(ctx.store, after, _record(ctx, order, changes), db)
    db.write(objects)
    return commits


def _record(ctx: Context, order: Order, changes: Iterable[Change]) -> Record:
    """Return what history says of it: the entries that went, by names without the text."""
    stones = [one.tombstone for one in changes if isinstance(one, PutTombstone)]
    names = ", ".join(dict.fromkeys(stone.name for stone in stones[:_NAMED]))
    said = record(ctx, "purge", f"purge {names}".rstrip(), order.reviewed)
    went = tuple((ENTRY, f"{stone.id} {stone.name}") for stone in stones)
    return replace(said, trailers=(*went, *said.trailers))
