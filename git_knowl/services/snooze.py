"""Keep a suspect entry out of the daily round for a while."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from git_knowl.errors import KnowlError
from git_knowl.services.context import Context
from git_knowl.services.find import find_row
from git_knowl.services.recording import record
from git_knowl.store.cache import EntryRow
from git_knowl.store.operations import Snooze
from git_knowl.store.transaction import publish

SUCH_AS = "2027-01-31"


class SnoozeError(KnowlError):
    """A day that cannot be slept until."""


@dataclass(frozen=True, slots=True)
class Snoozed:
    """The entry that sleeps, and the day it wakes."""

    row: EntryRow
    until: str


def snooze(ctx: Context, name: str, until: str) -> Snoozed:
    """Remember in this clone that an entry sleeps until a day; raises SnoozeError for a bad one."""
    row = find_row(ctx, name)
    day = check_day(ctx, until)
    told = record(ctx, "snooze", f"snooze {row.own_name}")
    publish(ctx.store, lambda _: [Snooze(row.id, day)], told)
    return Snoozed(row, day)


def check_day(ctx: Context, until: str) -> str:
    """Return a day to come as ``YYYY-MM-DD``, or raise SnoozeError."""
    try:
        day = date.fromisoformat(until.strip()).isoformat()
    except ValueError as error:
        raise SnoozeError(
            f"until: expected a day as YYYY-MM-DD, got '{until}'", f"such as {SUCH_AS}"
        ) from error
    if day <= ctx.caller.now()[:10]:
        raise SnoozeError(
            f"until: expected a day to come, got {day}",
            "the entry is in the daily round as it is, until a later day is named",
        )
    return day
