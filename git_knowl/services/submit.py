"""Take what a writer made of the flags: checked whole, then stored as drafts, or not at all.

Submitting the same item twice finds the draft of the first time, and what became of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from git_knowl.errors import KnowlError, MovedError
from git_knowl.model import schema
from git_knowl.services.context import Context
from git_knowl.services.filters.counts import Counts, summed
from git_knowl.services.find import find_row
from git_knowl.services.items import Desk
from git_knowl.services.prechecks import batch_warnings
from git_knowl.services.propose import fate, item_digest, put, take
from git_knowl.store.inbox import read_inbox

_HINT = "'git knowl schema capture' shows what is expected"


class PayloadError(KnowlError):
    """A payload that is not stored; the message names every field that is wrong."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """Ids of the drafts in the order of the items; ``known`` are those handed in before.

    ``notes`` tell what became of those.
    """

    ids: tuple[str, ...]
    known: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    redacted: Counts = ()


def submit(ctx: Context, payload: Any) -> Submitted:
    """Store the items of a payload as drafts.

    Raises PayloadError naming every field that is wrong, or MovedError when updates and retires
    were written against texts that are no longer live; then nothing is stored.
    """
    check("capture", payload)
    return hand_in(ctx, payload["items"])


def submit_update(ctx: Context, name: str, payload: Any) -> Submitted:
    """Store an update of one entry as a draft; the payload is ``{expected, entry}``.

    ``name`` is whatever names one live entry. Raises what `submit` raises, the fields counted from
    the payload.
    """
    item: Any = payload
    if isinstance(payload, dict):
        item = {**payload, "kind": "update", "name": find_row(ctx, name).id}
    check("update", item)
    return hand_in(ctx, [item], is_list=False)


def hand_in(ctx: Context, items: Sequence[Mapping[str, Any]], *, is_list: bool = True) -> Submitted:
    """Store items that are as their schema says; without ``is_list`` errors name no place."""
    view = ctx.store.view()
    desk = Desk(ctx, view, read_inbox(view))
    refuse(list(troubles(desk, items)), is_list=is_list)
    known = put(ctx, desk.drafts) if desk.drafts else {}
    found = {draft.item: draft.id for draft in desk.drafts} | desk.known | known
    told = [*batch_warnings(items), *(text for one in desk.drafts for text in one.warnings)]
    before = (*desk.known.values(), *known.values())
    return Submitted(
        tuple(found[item_digest(item)] for item in items),
        before,
        tuple(fate(view, one) for one in before),
        tuple(told),
        summed(desk.redacted),
    )


def check(name: str, payload: object) -> None:
    """Raise PayloadError unless a payload is as its schema says."""
    faults = schema.check(name, payload)
    if faults:
        raise PayloadError("; ".join(faults), f"'git knowl schema {name}' shows what is expected")


def troubles(desk: Desk, items: Sequence[Mapping[str, Any]]) -> Iterable[tuple[int, KnowlError]]:
    """Make a draft of every item; yield place and error of those that cannot become one."""
    for place, item in enumerate(items):
        try:
            take(desk, place, item)
        except KnowlError as error:
            yield place, error


def refuse(found: Sequence[tuple[int, KnowlError]], *, is_list: bool) -> None:
    """Raise one error for all that is wrong; only moved entries alone make it a MovedError."""
    if not found:
        return
    told = [
        placed(place, fault) if is_list else fault
        for place, error in found
        for fault in getattr(error, "faults", (error.message,))
    ]
    hint = next((error.hint for _, error in found if error.hint), _HINT)
    is_moved = all(isinstance(error, MovedError) for _, error in found)
    raise (MovedError if is_moved else PayloadError)("; ".join(told), hint)


def placed(place: int, fault: str) -> str:
    """Return a fault with the item it is about."""
    return f"items.{place}{'.' if starts_with_field(fault) else ': '}{fault}"


def starts_with_field(message: str) -> bool:
    """Tell whether a message begins with the path of a field, such as ``entry.name:``."""
    first = message.partition(":")[0]
    return bool(first) and not first.strip("abcdefghijklmnopqrstuvwxyz_.0123456789")
