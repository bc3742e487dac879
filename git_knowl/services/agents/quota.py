"""How many flags one session of an agent may leave waiting for a person."""

from __future__ import annotations

from collections.abc import Callable

from git_knowl.errors import KnowlError
from git_knowl.model.flag import Flag
from git_knowl.store.flags import read_flags
from git_knowl.store.view import View

MOST_PENDING = 20


class QuotaError(KnowlError):
    """One flag more than a session may have waiting."""


def pending_in(view: View, session: str) -> int:
    """Return how many flags of a session nobody has settled yet."""
    flags = (found for found in read_flags(view) if isinstance(found, Flag))
    return sum(flag.is_pending and flag.session == session for flag in flags)


def quota(session: str) -> Callable[[View], None]:
    """Return the question whether a session may flag once more; it raises QuotaError if not."""

    def admit(view: View) -> None:
        if pending_in(view, session) >= MOST_PENDING:
            raise QuotaError(
                f"this session has {MOST_PENDING} pending flags, and may not have more",
                "go on without; once a person has captured, dropped or reviewed some of them"
                " ('git knowl inbox' lists them), there is room again",
            )

    return admit
