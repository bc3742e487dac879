"""One entry with everything there is to know about it here."""

from __future__ import annotations

from dataclasses import dataclass

from git_knowl.model.entry import Entry
from git_knowl.services.context import Context
from git_knowl.services.find import find_entry, find_row
from git_knowl.services.judging import list_some
from git_knowl.services.listing import Listed
from git_knowl.services.operations import masked
from git_knowl.services.trust.told import Vouched, vouched
from git_knowl.services.trust.withheld import refuse_withheld
from git_knowl.store import history
from git_knowl.store.history import Operation


@dataclass(frozen=True, slots=True)
class Shown:
    """The entry, its verdict and tier, and its history, the latest operation first.

    ``vouched`` tells which commit let the text in, and what git says of its signature.
    """

    entry: Entry
    listed: Listed
    history: tuple[Operation, ...]
    vouched: Vouched | None = None


def show(ctx: Context, name: str) -> Shown:
    """Return the one entry a text names, judged in the caller's files.

    Raises WithheldError for an agent host that may not see the text.
    """
    row, entry = find_entry(ctx, name)
    refuse_withheld(ctx, row)
    told = masked(history.log(ctx.store, ctx.store.view(), identifier=row.id))
    return Shown(entry, list_some(ctx, [row]).entries[0], tuple(told), vouched(ctx, row))


def document(ctx: Context, name: str) -> bytes:
    """Return the document of the one entry a text names, byte for byte as it is stored.

    Raises WithheldError as `show` does.
    """
    row = find_row(ctx, name)
    refuse_withheld(ctx, row)
    return ctx.cache.documents([row.id])[0][1]
