"""Find the entry somebody means: by name, by ``name~suffix``, by id or a unique part of one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from git_knowl.model import ids
from git_knowl.model.anchor import EntryLink
from git_knowl.model.entry import Entry
from git_knowl.services.context import Context
from git_knowl.services.damaged import refuse_damaged
from git_knowl.store.cache import EntryRow, NoSuchEntryError
from git_knowl.store.rules import ConflictedError

_LEAST_PREFIX = 6


def find_row(ctx: Context, text: str) -> EntryRow:
    """Return the listing row of the one live entry a text names.

    Raises NoSuchEntryError, which tells of what was retired or is spelt nearly so,
    AmbiguousNameError, or DamagedEntryError for one whose file cannot be read; a part of an id has
    six characters at least.
    """
    try:
        return ctx.cache.by_name(text)
    except NoSuchEntryError:
        row = find_part(ctx, text)
        if row is None:
            refuse_damaged(ctx, text)
            from git_knowl.services.missing import told_missing  # noqa: PLC0415 - 30 ms, at a miss

            raise told_missing(ctx, text) from None
        return row


def find_part(ctx: Context, text: str) -> EntryRow | None:
    """Return the row of the one live entry whose id begins or ends with a text, or None."""
    if len(text) < _LEAST_PREFIX or text.strip(ids.ALPHABET):
        return None
    rows = {row.id: row for row in ctx.cache.entry_rows()}
    found = [one for one in rows if one.startswith(text) or one.endswith(text)]
    return rows[ids.resolve(text, found, "entry")] if found else None


def find_entry(ctx: Context, text: str) -> tuple[EntryRow, Entry]:
    """Return row and entry of the one live entry a text names."""
    row = find_row(ctx, text)
    (entry,) = ctx.cache.entries([row.id])
    return row, entry


def refuse_conflicted(ctx: Context, identifier: str) -> None:
    """Raise ConflictedError for an entry of which a person must choose the text first.

    The store refuses to write it too; this is for saying so before anybody looks or edits.
    """
    row = ctx.cache.by_id(identifier)
    if row is not None and row.conflict:
        raise ConflictedError(row.name)


def links(ctx: Context, given: Iterable[str | Mapping[str, Any]]) -> tuple[EntryLink, ...]:
    """Return links to live entries, given by name, id or ``{name, id}`` where the id decides."""
    named = (one if isinstance(one, str) else one.get("id") or one["name"] for one in given)
    rows = {row.id: row for row in (find_row(ctx, text) for text in named)}
    return tuple(EntryLink(row.id, row.own_name) for row in rows.values())
