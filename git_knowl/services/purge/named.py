"""What a word on the command line names for a purge, living or not."""

from __future__ import annotations

from git_knowl.errors import KnowlError
from git_knowl.model import ids
from git_knowl.services.context import Context
from git_knowl.services.find import find_row
from git_knowl.services.retired import matching, retired
from git_knowl.store.cache import NoSuchEntryError
from git_knowl.store.inbox import read_inbox


def find_ids(ctx: Context, text: str) -> frozenset[str]:
    """Return the id of the entry, flag or draft a text names; a full id may be of any past one.

    Several retired entries of one name are all meant. Raises NoSuchEntryError or
    AmbiguousNameError.
    """
    if ids.is_id(text):
        return frozenset((text,))
    try:
        return frozenset((find_row(ctx, text).id,))
    except NoSuchEntryError as error:
        return _elsewhere(ctx, text, error)


def _elsewhere(ctx: Context, text: str, missing: NoSuchEntryError) -> frozenset[str]:
    stones = matching(retired(ctx), text)
    if stones:
        return frozenset(stone.id for stone in stones)
    inbox = read_inbox(ctx.store.view())
    waiting = [*(one.id for one in inbox.flags), *(one.id for one in inbox.drafts)]
    named = [one.id for one in inbox.drafts if one.name == text]
    try:
        return frozenset(named) or frozenset((ids.resolve(text, waiting, "flag or draft"),))
    except KnowlError:
        raise missing from None
