"""What the history of the store says of an operation of ours."""

from __future__ import annotations

from git_knowl.model.entry import Reviewed
from git_knowl.plumbing import refs
from git_knowl.services.context import Context
from git_knowl.store.transaction import AT, Record

HOST = "Knowl-Host"


def record(ctx: Context, op: str, subject: str, reviewed: Reviewed | None = None) -> Record:
    """Return the record of an operation: verb, subject, author, time and who vouches for it.

    Of an operation that an agent host ran, the host is named too, and the commit that is checked
    out here: provenance only, as it may be rebased away.
    """
    trailers: list[tuple[str, str]] = []
    if reviewed:
        head, _ = refs.checked_out(ctx.repo)
        trailers = [("Reviewed-by", reviewed.by), ("Knowl-How", reviewed.how)]
        trailers += [(AT, head)] if head else []
    if ctx.caller.host:
        trailers.append((HOST, ctx.caller.host))
    author = reviewed.by if reviewed else ctx.caller.name()
    return Record(op, subject, author, int(ctx.caller.clock()), tuple(trailers))
