"""What the history of an entry says for its text, as `show` and `log` tell it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from git_knowl.errors import KnowlError
from git_knowl.plumbing.signing import Signature
from git_knowl.services.context import Context
from git_knowl.services.trust.signatures import look, origin_of
from git_knowl.store.cache import EntryRow
from git_knowl.store.history import Operation


@dataclass(frozen=True, slots=True)
class Vouched:
    """The commit that let a text in, and its signature, None without one."""

    commit: str
    signature: Signature | None


def vouched(ctx: Context, row: EntryRow) -> Vouched | None:
    """Return what is to be said for a text of the shared lane; None where it cannot be found out.

    A text of the local lane never travels, so nobody signs it.
    """
    try:
        origin = origin_of(ctx, row)
        if origin is None:
            return None
        return Vouched(origin.commit, look(ctx, [origin.commit]).get(origin.commit))
    except KnowlError as error:
        ctx.repo.notices.append(f"who let '{row.name}' in cannot be told: {error.message}")
        return None


def signatures_of(ctx: Context, operations: Iterable[Operation]) -> dict[str, Signature]:
    """Return the signatures of those operations that have one, by commit."""
    try:
        return look(ctx, [one.commit for one in operations])
    except KnowlError as error:
        ctx.repo.notices.append(f"no signature could be judged: {error.message}")
        return {}
