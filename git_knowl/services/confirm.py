"""Go through the entries that were let in unattended: a person confirms them or takes them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from git_knowl.errors import KnowlError
from git_knowl.model.entry import Reviewed
from git_knowl.model.tiers import HERE, TIERS
from git_knowl.services.change import find_unchanged, let_in
from git_knowl.services.context import Context
from git_knowl.services.judging import judge
from git_knowl.services.recording import record
from git_knowl.services.review import retirement
from git_knowl.services.sift import carry_out
from git_knowl.services.supersede import heir_of
from git_knowl.services.trust.tiers import tiers_of
from git_knowl.services.verify import Evidence
from git_knowl.store.cache import EntryRow
from git_knowl.store.operations import Change, PutEntry
from git_knowl.store.transaction import publish
from git_knowl.store.view import View


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What a person decided on an entry they saw: it stands, or it goes for a reason."""

    seen: Evidence
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Confirmed:
    """Ids of the entries that were decided on, and why others were left as they are."""

    ids: tuple[str, ...] = ()
    left: tuple[KnowlError, ...] = ()


def unattended(ctx: Context) -> list[Evidence]:
    """Return the entries nobody has confirmed yet, each with its verdict in the caller's files.

    Those that ``knowl.trust`` keeps from agents are among them: a person's word lets them through.
    """
    rows = {row.id: row for row in ctx.cache.entry_rows() if row.is_unattended}
    rows |= {row.id: row for row in kept_from_agents(ctx)}
    verdicts = judge(ctx, rows)
    found = [
        Evidence(entry, rows[entry.id].lane, verdicts[entry.id])
        for entry in ctx.cache.entries(rows)
    ]
    return sorted(found, key=lambda seen: rows[seen.entry.id].name)


def kept_from_agents(ctx: Context) -> list[EntryRow]:
    """Return the entries whose tier is none of those that reach agents."""
    trusted = ctx.settings.trust
    if trusted == TIERS:
        return []
    rows = ctx.cache.entry_rows()
    tiers = tiers_of(ctx, rows)
    return [row for row in rows if tiers[row.id] not in (HERE, *trusted)]


def confirm(ctx: Context, decided: Sequence[Confirmation], reviewed: Reviewed) -> Confirmed:
    """Carry out as one commit what was decided on entries that say what they said.

    Raises MovedError when that is none of them; then nothing is stored.
    """

    def rehearse(some: Sequence[Confirmation]) -> list[Change]:
        return planned(ctx, ctx.store.view(), some, reviewed)

    def store(held: Sequence[Confirmation]) -> tuple[str, ...]:
        told = record(ctx, "confirm", subject(held), reviewed)
        publish(ctx.store, lambda view: planned(ctx, view, held, reviewed), told, fsync=True)
        ctx.refresh()
        return tuple(one.seen.entry.id for one in held)

    ids, left = carry_out(decided, rehearse, store)
    return Confirmed(ids, tuple(error for _, error in left))


def subject(decided: Sequence[Confirmation]) -> str:
    """Return what history says of the round."""
    if len(decided) != 1:
        return f"confirm {len(decided)} entries"
    return f"{'retire' if decided[0].reason else 'confirm'} {decided[0].seen.entry.name}"


def planned(
    ctx: Context, view: View, decided: Sequence[Confirmation], reviewed: Reviewed
) -> list[Change]:
    """Return what several decisions change; raises MovedError for an entry that was changed."""
    return [change for one in decided for change in changes(ctx, view, one, reviewed)]


def changes(ctx: Context, view: View, one: Confirmation, reviewed: Reviewed) -> list[Change]:
    """Return what one decision changes; the fingerprints stay those that were accepted."""
    lane, entry = find_unchanged(view, one.seen.entry)
    if one.reason:
        return retirement(lane, entry, one.reason, reviewed, heir_of(ctx, entry.id))
    confirmed = replace(entry, rev=entry.rev + 1, updated=reviewed.at, reviewed=reviewed)
    return [PutEntry(lane, confirmed), let_in(confirmed)]
