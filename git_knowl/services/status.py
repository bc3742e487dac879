"""What waits and what is suspect here, in numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from git_knowl.model.flag import Flag
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from git_knowl.plumbing import refs
from git_knowl.services import status_warm
from git_knowl.services.context import Context
from git_knowl.services.expiry import look
from git_knowl.services.verdicts import judge_all
from git_knowl.store.inbox import Inbox


@dataclass(frozen=True, slots=True)
class Status:
    """Counts of this clone and worktree.

    ``flags`` are those that no draft has taken yet, ``suspects`` names for the eye, ``expired`` the
    flags that waited too long and are told of this once.
    """

    flags: int
    drafts: int
    entries: int
    active: int
    suspect: int
    unknown: int
    unattended: int
    damaged: int
    conflicts: int
    suspects: tuple[str, ...] = ()
    expired: tuple[Flag, ...] = ()

    def counts(self) -> dict[str, int]:
        """Return the numbers by name, in a fixed order."""
        names = (name for name in self.__slots__ if name not in ("suspects", "expired"))
        return {name: getattr(self, name) for name in names}


def status(ctx: Context) -> Status:
    """Return what there is to do, and keep the counts for the prompts that come."""
    tips = refs.read(ctx.repo, status_warm.REFS)
    found = count(ctx)
    if all(ctx.tips[refs.lane_of(ref)] == tips[ref] for ref in status_warm.REFS[:2]):
        status_warm.keep(ctx.repo, tips, ctx.caller.now()[:10], found.counts())
    return found


def count(ctx: Context) -> Status:
    """Return what there is to do, from entries, inbox and the files of the caller."""
    seen = look(ctx)
    rows = ctx.cache.entry_rows()
    judged = judge_all(ctx).statuses
    counts = Counter(judged.get(row.id, ACTIVE) for row in rows)
    return Status(
        flags=free_flags(seen.inbox),
        drafts=len(seen.inbox.drafts),
        entries=len(rows),
        active=counts[ACTIVE],
        suspect=counts[SUSPECT],
        unknown=counts[UNKNOWN],
        unattended=sum(row.is_unattended for row in rows),
        damaged=len(ctx.cache.damaged()) + len(seen.inbox.damaged),
        conflicts=sum(row.conflict for row in rows),
        suspects=tuple(row.name for row in rows if judged.get(row.id) == SUSPECT),
        expired=seen.expired,
    )


def free_flags(inbox: Inbox) -> int:
    """Return how many flags nobody has settled or taken into a draft."""
    waiting = {draft.id for draft in inbox.drafts}
    return sum(flag.is_pending and flag.draft not in waiting for flag in inbox.flags)
