"""Go through the entries that were let in unattended: a person confirms them or takes them out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from git_knowl.model.entry import Reviewed
from git_knowl.services.change import find_unchanged
from git_knowl.services.context import Context
from git_knowl.services.judging import judge
from git_knowl.services.recording import record
from git_knowl.services.review import retirement
from git_knowl.services.verify import Evidence
from git_knowl.store.operations import Accept, Change, PutEntry
from git_knowl.store.transaction import publish
from git_knowl.store.view import View


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What a person decided on an entry they saw: it stands, or it goes for a reason."""

    seen: Evidence
    reason: str = ""


def unattended(ctx: Context) -> list[Evidence]:
    """Return the entries nobody has confirmed yet, each with its verdict in the caller's files."""
    rows = {row.id: row for row in ctx.cache.entry_rows() if row.is_unattended}
    verdicts = judge(ctx, rows)
    found = [
        Evidence(entry, rows[entry.id].lane, verdicts[entry.id])
        for entry in ctx.cache.entries(rows)
    ]
    return sorted(found, key=lambda seen: rows[seen.entry.id].name)


def confirm(ctx: Context, decided: Sequence[Confirmation], reviewed: Reviewed) -> tuple[str, ...]:
    """Carry out what was decided as one commit, and return the ids of the entries.

    Raises MovedError when one of them was changed meanwhile; then nothing is stored.
    """

    def operation(view: View) -> list[Change]:
        return [change for one in decided for change in changes(view, one, reviewed)]

    if len(decided) == 1:
        subject = f"{'retire' if decided[0].reason else 'confirm'} {decided[0].seen.entry.name}"
    else:
        subject = f"confirm {len(decided)} entries"
    publish(ctx.store, operation, record(ctx, "confirm", subject, reviewed), fsync=True)
    ctx.refresh()
    return tuple(one.seen.entry.id for one in decided)


def changes(view: View, one: Confirmation, reviewed: Reviewed) -> list[Change]:
    """Return what one decision changes; the fingerprints stay those that were accepted."""
    lane, entry = find_unchanged(view, one.seen.entry)
    if one.reason:
        return retirement(lane, entry, one.reason, reviewed)
    confirmed = replace(entry, rev=entry.rev + 1, updated=reviewed.at, reviewed=reviewed)
    return [PutEntry(lane, confirmed), Accept(entry.id, entry.digest)]
