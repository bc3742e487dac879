"""Checks of the clock: what claims to come from the future."""

from __future__ import annotations

import re
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


#: The times that the head of a document tells: of the entry, its review and its evidence.
TIMES = re.compile(rb"""\b(?:at|created|updated|verified): ["']?(\d{4}-\d\d-\d\dT[\d:]{8}Z)""")
HEAD_END = b"\n---\n"
DOCUMENTS = (
    "SELECT entry.shown_name, document.data FROM entry JOIN document USING (key)"
    " WHERE entry.shown_name IS NOT NULL ORDER BY entry.shown_name"
)


def later_entries(ctx: Context, limit: str) -> list[str]:
    """Return the names of the entries that tell of a time after a limit."""
    after = limit.encode("ascii")
    return [
        name
        for name, data in ctx.cache.select(DOCUMENTS)
        if any(at > after for at in TIMES.findall(data.partition(HEAD_END)[0]))
    ]


def check_clock(ctx: Context) -> Iterator[Finding]:
    """Find entries, flags and drafts that were written later than now."""
    limit = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ctx.caller.clock() + TOLERANCE))
    rows = later_entries(ctx, limit)
    if rows:
        told = counted(len(rows), "entry is", "entries are")
        yield Finding(f"{told} from the future: {shortened(rows)}", HINT)
    inbox = read_inbox(ctx.store.view())
    waiting = [flag.id for flag in inbox.flags if flag.at > limit]
    waiting += [draft.id for draft in inbox.drafts if draft.at > limit]
    if waiting:
        told = counted(len(waiting), "flag or draft is", "flags and drafts are")
        yield Finding(f"{told} from the future: {shortened(waiting)}", HINT)
