"""The history of the store, or of one entry, live or retired."""

from __future__ import annotations

from git_knowl.model.ids import is_id
from git_knowl.services.context import Context
from git_knowl.services.find import find_row
from git_knowl.services.operations import masked
from git_knowl.services.retire import find_retired
from git_knowl.services.retired import RestoreError
from git_knowl.store import history
from git_knowl.store.cache import NoSuchEntryError
from git_knowl.store.history import Operation
from git_knowl.store.transaction import WITH
from git_knowl.store.view import LANES


def entry_log(ctx: Context, name: str | None, limit: int | None) -> list[Operation]:
    """Return the operations, the latest first; with a name, those on that entry.

    What touched both lanes is told once, by its commit on the shared lane; secrets are masked.
    Raises NoSuchEntryError for a name that no entry has or had.
    """
    identifier = None if name is None else id_of(ctx, name)
    most = None if limit is None else limit * len(LANES)
    found = history.log(ctx.store, ctx.store.view(), identifier=identifier, limit=most)
    if name is not None and not found:
        raise NoSuchEntryError(f"no entry has or had the id '{name}'", "see 'git knowl log'")
    told = {one.commit for one in found}
    return masked([one for one in found if told.isdisjoint(one.values(WITH))][:limit])


def id_of(ctx: Context, name: str) -> str:
    """Return the id of a live entry or of a retired one; an id is taken as it is.

    An entry whose file is damaged has a history too.
    """
    if is_id(name):
        return name
    try:
        return find_row(ctx, name).id
    except NoSuchEntryError as error:
        try:
            return find_retired(ctx, name).id
        except RestoreError:
            raise error from None
