"""Flags that nobody used for too long: they expire when somebody looks.

What a wrong clock, or a shorter time to live, let expire waits again for whoever looks with a
right one. A look may be a mistake; the time of the flag stays.

An audit and a hook come by here too, and mostly find nothing: what writes is loaded for a flag.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from git_knowl.model.flag import EXPIRED, PENDING
from git_knowl.plumbing import refs
from git_knowl.plumbing.lock import LockFolderError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_knowl.model.flag import Flag
    from git_knowl.services.context import Context
    from git_knowl.store.inbox import Inbox
    from git_knowl.store.operations import Change
    from git_knowl.store.view import View

DAY = 86_400


@dataclass(frozen=True, slots=True)
class Found:
    """What the inbox holds, and the flags that have just expired."""

    inbox: Inbox
    expired: tuple[Flag, ...] = ()


def look(ctx: Context) -> Found:
    """Return the inbox; flags nobody used for too long expire by being seen, once."""
    from git_knowl.store.inbox import read_inbox  # noqa: PLC0415 - here it is asked for

    expired = expire(ctx)
    return Found(read_inbox(ctx.store.view()), expired)


def expire(ctx: Context) -> tuple[Flag, ...]:
    """Settle the flags that waited too long for somebody to use them, and return them.

    Those that expired and are young enough by the present clock wait again.
    Where the repository cannot be written they go on waiting.
    """
    view = ctx.store.view()
    if not view.commits[refs.INBOX]:
        return ()
    from git_knowl.store.inbox import leftovers, read_inbox  # noqa: PLC0415 - there is an inbox

    age = ctx.settings.flag_expiry_days * DAY
    limit = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(ctx.caller.clock() - age))
    if not any(turned(read_inbox(view), limit)):
        return ()
    from git_knowl.services.recording import record  # noqa: PLC0415 - seldom
    from git_knowl.store.flags import PutFlag  # noqa: PLC0415
    from git_knowl.store.transaction import publish  # noqa: PLC0415

    expired: list[Flag] = []

    def operation(view: View) -> list[Change]:
        inbox = read_inbox(view)
        changed = list(turned(inbox, limit))
        expired[:] = (flag for flag in changed if flag.outcome == EXPIRED)
        return [*leftovers(inbox), *map(PutFlag, changed)]

    try:
        publish(ctx.store, operation, record(ctx, "expire", "expire flags"))
    except LockFolderError:
        return ()
    return tuple(expired)


def turned(inbox: Inbox, limit: str) -> Iterable[Flag]:
    """Yield the flags that time changed: expired if made before the limit, else waiting again.

    One that a waiting draft was made of goes on waiting.
    """
    waiting = {draft.id for draft in inbox.drafts}
    for flag in inbox.flags:
        if flag.is_pending and flag.at < limit and flag.draft not in waiting:
            yield replace(flag, outcome=EXPIRED)
        elif flag.outcome == EXPIRED and flag.at >= limit:
            yield replace(flag, outcome=PENDING)
