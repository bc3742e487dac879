"""The personal store: feedback and references of one person, valid in every repository.

It is the store of a bare repository that ``knowl.personal`` names. It is read after that of the
repository, whose entries win over personal ones of the same name, and judged in the files of
whoever asks. What is done to its entries is done there: it is a store like any other, with a
remote of its own if the person wants one; nothing of it goes along with the repository's.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace

from git_knowl.errors import KnowlError
from git_knowl.plumbing.repository import NotARepository
from git_knowl.services.context import Context
from git_knowl.services.find import find_row
from git_knowl.services.judging import list_some
from git_knowl.services.listing import Listed, Listing
from git_knowl.services.show import Shown, document, show
from git_knowl.store.cache import EntryRow, NoSuchEntryError

PERSONAL = "personal"


class PersonalStoreError(KnowlError):
    """A personal store that is asked for and not there."""


def open_personal(ctx: Context) -> Context:
    """Return the personal store as a context whose anchors are judged where the caller stands.

    Raises PersonalStoreError where none is set, or what is set is no bare repository.
    """
    path = ctx.settings.personal
    if not path:
        raise PersonalStoreError(
            "no personal store is set",
            "make a bare repository and name it: 'git config --global knowl.personal PATH'",
        )
    try:
        repo = ctx.repo.other(path)
    except NotARepository as error:
        raise PersonalStoreError(
            f"knowl.personal: expected a bare repository at '{path}': {error.message}",
            "'git init --bare' makes one there",
        ) from error
    made = Context(repo, ctx.caller)
    made.world = ctx.world
    return made


def find_personal(ctx: Context) -> Context | None:
    """Return the personal store for reading beside that of the repository, None where none is.

    One that cannot be read is told and hides nothing else; in the personal store itself there is
    no other.
    """
    if not ctx.settings.personal:
        return None
    try:
        found = open_personal(ctx)
    except PersonalStoreError as error:
        ctx.repo.notices.append(error.message)
        return None
    is_same = os.path.realpath(found.repo.common_dir) == os.path.realpath(ctx.repo.common_dir)
    return None if is_same else found


def list_personal(ctx: Context, rows: Sequence[EntryRow] | None = None) -> Listing:
    """Return the personal entries (or those of the rows) that none of the repository hides."""
    found = find_personal(ctx)
    if found is None:
        return Listing(())
    return listed(ctx, found, found.cache.entry_rows() if rows is None else rows)


def with_personal(ctx: Context, own: Listing) -> Listing:
    """Return a listing with the personal entries behind those of the repository."""
    return _joined(own, list_personal(ctx))


def why_personal(ctx: Context, own: Listing, path: str) -> Listing:
    """Return a listing with the personal entries that rest on a path from the top."""
    found = find_personal(ctx)
    rows = found.cache.by_path(path) if found else []
    return _joined(own, listed(ctx, found, rows)) if found else own


def show_any(ctx: Context, name: str) -> Shown:
    """Return the entry a text names: of the repository, else of the personal store."""
    found = _holding(ctx, name)
    shown = show(found, name)
    return shown if found is ctx else replace(shown, listed=_named(shown.listed))


def document_any(ctx: Context, name: str) -> bytes:
    """Return the document of that entry."""
    return document(_holding(ctx, name), name)


def _holding(ctx: Context, name: str) -> Context:
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


def listed(ctx: Context, personal: Context, rows: Iterable[EntryRow]) -> Listing:
    """Return personal entries, judged here, that no entry of the repository has the name of."""
    visible = [row for row in rows if not ctx.cache.names(row.own_name)]
    found = list_some(personal, visible)
    damaged = tuple(replace(one, lane=PERSONAL) for one in found.damaged)
    return Listing(tuple(map(_named, found.entries)), damaged)


def _named(one: Listed) -> Listed:
    """Say of an entry that it is personal, in the place of its lane there."""
    one.row.lane = PERSONAL
    return one


def _joined(own: Listing, personal: Listing) -> Listing:
    return Listing((*own.entries, *personal.entries), (*own.damaged, *personal.damaged))
