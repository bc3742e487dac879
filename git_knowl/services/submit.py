"""Take what a writer made of the flags: checked whole, then stored as drafts, or not at all.

Submitting the same item twice finds the draft of the first time, and what became of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from git_knowl.errors import KnowlError, MovedError
from git_knowl.model import ids, schema
from git_knowl.model.draft import Draft
from git_knowl.services.context import Context
from git_knowl.services.filters.counts import Counts, summed
from git_knowl.services.find import find_row
from git_knowl.services.items import Desk, make_draft
from git_knowl.services.prechecks import batch_warnings
from git_knowl.services.recording import record
from git_knowl.store import layout
from git_knowl.store.decided import ITEM_LETTERS, find_decided
from git_knowl.store.inbox import Inbox, read_inbox
from git_knowl.store.operations import Change, PutDraft, PutFlag
from git_knowl.store.transaction import publish
from git_knowl.store.view import LANES, View

_HINT = "'git knowl schema capture' shows what is expected"


class PayloadError(KnowlError):
    """A payload that is not stored; the message names every field that is wrong."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """Ids of the drafts in the order of the items; ``known`` are those handed in before."""

    ids: tuple[str, ...]
    known: tuple[str, ...] = ()
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
    return Submitted(
        tuple(found[item_digest(item)] for item in items),
        (*desk.known.values(), *known.values()),
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


def take(desk: Desk, place: int, item: Mapping[str, Any]) -> None:
    """Turn one item into a draft, unless it was handed in before."""
    digest = item_digest(item)
    known = submitted_before(desk, digest)
    if known is not None:
        desk.known[digest] = known
    elif all(draft.item != digest for draft in desk.drafts):
        desk.drafts.append(make_draft(desk, item, draft_id(desk.ctx, digest, place), digest))


def item_digest(item: Mapping[str, Any]) -> str:
    """Return the SHA-256 of an item, whatever the order of its keys."""
    text = json.dumps(item, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def submitted_before(desk: Desk, digest: str) -> str | None:
    """Return the id of the draft of an equal item: waiting, decided on, or an entry by now."""
    for draft in desk.inbox.drafts:
        if draft.item == digest:
            return draft.id
    identifier = draft_id(desk.ctx, digest)
    decided = find_decided(desk.view, identifier)
    return decided[0] if decided else find_written(desk.view, identifier)


def find_written(view: View, identifier: str) -> str | None:
    """Return the id of the entry, live or retired, that was made of the same item."""
    for lane in LANES:
        tree = view.lane(lane)
        for path, _ in (
            *tree.files_in(layout.entry_folder(identifier)),
            *tree.files_in(f"{layout.RETIRED}/{ids.shard(identifier)}"),
        ):
            found = path.rpartition("/")[2].partition(".")[0]
            if found.endswith(identifier[-ITEM_LETTERS:]):
                return found
    return None


def draft_id(ctx: Context, digest: str, place: int = 0) -> str:
    """Return the id of a new draft, later for a later place in the payload.

    Its end is that of the item, so that repetition is seen.
    """
    return ids.make_id(int(ctx.caller.clock() * 1000) + place, bytes.fromhex(digest)[:10])


def put(ctx: Context, drafts: Sequence[Draft]) -> dict[str, str]:
    """Publish drafts and mark their flags; return by item what another process stored meanwhile."""
    known: dict[str, str] = {}

    def operation(view: View) -> list[Change]:
        inbox = read_inbox(view)
        waiting = {draft.item: draft.id for draft in inbox.drafts}
        known.clear()
        known.update({one.item: waiting[one.item] for one in drafts if one.item in waiting})
        return list(changes(inbox, [one for one in drafts if one.item not in waiting]))

    publish(ctx.store, operation, record(ctx, "submit", "submit drafts"))
    return known


def changes(inbox: Inbox, drafts: Sequence[Draft]) -> Iterable[Change]:
    """Yield the drafts to store, and their flags with the draft that took them."""
    pending = {flag.id: flag for flag in inbox.flags if flag.is_pending}
    for draft in drafts:
        yield PutDraft(draft)
        for flag in draft.flags:
            if flag in pending:
                yield PutFlag(replace(pending[flag], draft=draft.id))
