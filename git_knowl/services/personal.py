"""Personal entries: feedback and references of one person, valid in every repository.

They are read after those of the repository, which win over personal ones of the same name, and
judged in the files of whoever asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from git_knowl.anchors.base import World
from git_knowl.model.status import STATUSES, SUSPECT
from git_knowl.services.context import Context
from git_knowl.services.find import find_row
from git_knowl.services.judging import list_some
from git_knowl.services.listing import Listed, Listing
from git_knowl.services.personal_store import PERSONAL, find_personal
from git_knowl.services.show import Shown, document, show
from git_knowl.store.cache import EntryRow, NoSuchEntryError


def list_personal(ctx: Context, world: World | None = None) -> Listing:
    """Return the personal entries that none of the repository hides, judged in a world."""
    found = find_personal(ctx)
    if found is None:
        return Listing(())
    return listed(ctx, found, found.cache.entry_rows(), world)


def counts(found: Listing) -> dict[str, int]:
    """Return how many entries there are, and how many of each verdict."""
    judged = Counter(one.verdict.status for one in found.entries)
    return {"entries": len(found.entries), **{status: judged[status] for status in STATUSES}}


def suspects(found: Listing) -> tuple[str, ...]:
    """Return the names of the suspect ones."""
    return tuple(one.row.name for one in found.entries if one.verdict.status == SUSPECT)


def with_personal(ctx: Context, own: Listing) -> Listing:
    """Return a listing with the personal entries behind those of the repository."""
    return joined(own, list_personal(ctx))


def why_personal(ctx: Context, own: Listing, path: str) -> Listing:
    """Return a listing with the personal entries that rest on a path from the top."""
    found = find_personal(ctx)
    rows = found.cache.by_path(path) if found else []
    return joined(own, listed(ctx, found, rows)) if found else own


def show_any(ctx: Context, name: str) -> Shown:
    """Return the entry a text names: of the repository, else of the personal store."""
    found = holding(ctx, name)
    shown = show(found, name)
    return shown if found is ctx else replace(shown, listed=_named(shown.listed))


def document_any(ctx: Context, name: str) -> bytes:
    """Return the document of that entry."""
    return document(holding(ctx, name), name)


def holding(ctx: Context, name: str) -> Context:
    """Return the store that holds the entry a text names; the repository's where none does."""
    try:
        find_row(ctx, name)
    except NoSuchEntryError:
        found = find_personal(ctx)
        if found is not None and _has(found, name):
            return found
    return ctx


def _has(ctx: Context, name: str) -> bool:
    try:
        find_row(ctx, name)
    except NoSuchEntryError:
        return False
    return True


def listed(
    ctx: Context, personal: Context, rows: Iterable[EntryRow], world: World | None = None
) -> Listing:
    """Return personal entries, judged here, that no entry of the repository has the name of."""
    visible = [row for row in rows if not ctx.cache.names(row.own_name)]
    found = list_some(personal, visible, world)
    damaged = tuple(replace(one, lane=PERSONAL) for one in found.damaged)
    return Listing(tuple(map(_named, found.entries)), damaged)


def _named(one: Listed) -> Listed:
    """Say of an entry that it is personal, in the place of its lane there."""
    one.row.lane = PERSONAL
    return one


def joined(own: Listing, personal: Listing) -> Listing:
    """Return two listings as one, the personal entries behind the others."""
    return Listing((*own.entries, *personal.entries), (*own.damaged, *personal.damaged))
