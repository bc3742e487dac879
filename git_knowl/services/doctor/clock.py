"""Checks of the clock: what claims to come from the future."""

from __future__ import annotations

import time
from collections.abc import Iterator

from git_knowl.services.context import Context
from git_knowl.services.doctor.finding import Finding, counted, shortened
from git_knowl.store.inbox import read_inbox

#: Clocks of two machines may differ by this much before anybody is told.
TOLERANCE = 24 * 60 * 60.0
HINT = (
    "look at the clock of this machine and of whoever wrote them; nothing is ordered by time, but"
    " expiry, urls and 'search --as-of' go by it"
)


def check_clock(ctx: Context) -> Iterator[Finding]:
    """Find entries, flags and drafts that were written later than now."""
    limit = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ctx.caller.clock() + TOLERANCE))
    rows = [row.name for row in ctx.cache.entry_rows() if row.updated > limit]
    if rows:
        told = counted(len(rows), "entry is", "entries are")
        yield Finding(f"{told} from the future: {shortened(rows)}", HINT)
    inbox = read_inbox(ctx.store.view())
    waiting = [flag.id for flag in inbox.flags if flag.at > limit]
    waiting += [draft.id for draft in inbox.drafts if draft.at > limit]
    if waiting:
        told = counted(len(waiting), "flag or draft is", "flags and drafts are")
        yield Finding(f"{told} from the future: {shortened(waiting)}", HINT)
