"""Items become drafts: an item that was handed in before finds its draft, and what became of it.

Who hands in has checked the items against their schema, or made them; so this module knows no
schema, and `add` does not load what checks one.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from git_knowl.model import ids
from git_knowl.model.draft import Draft
from git_knowl.model.flag import PENDING
from git_knowl.services.context import Context
from git_knowl.services.items import Desk, make_draft
from git_knowl.services.recording import record
from git_knowl.store import layout
from git_knowl.store.decided import ACCEPTED, ITEM_LETTERS, find_decided, find_decision
from git_knowl.store.inbox import Inbox, leftovers, read_inbox
from git_knowl.store.operations import Change, PutDraft, PutFlag
from git_knowl.store.transaction import publish
from git_knowl.store.view import LANES, View


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


def fate(view: View, identifier: str) -> str:
    """Return in words what became of a draft that was handed in before, and how it comes back."""
    known = f"{identifier} was submitted before"
    if view.is_live(identifier):
        return f"{known} and is an entry"
    if view.is_known(identifier):
        return f"{known} and is a retired entry: 'git knowl restore' brings it back"
    decided = find_decision(view, identifier)
    if decided is None:
        return f"{known} and waits for review"
    if decided.outcome == ACCEPTED:
        return f"{known} and was accepted"
    signed = f" by {decided.by} at {decided.at}" if decided.by else ""
    reason = f" ({decided.reason})" if decided.reason else ""
    return (
        f"{known} and was discarded{signed}{reason}: a person brings it back with 'git knowl add',"
        " a writer with a text that says what is new"
    )


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
        fresh = [one for one in drafts if one.item not in waiting]
        return [*leftovers(inbox), *changes(inbox, fresh)]

    publish(ctx.store, operation, record(ctx, "submit", "submit drafts"))
    return known


def changes(inbox: Inbox, drafts: Sequence[Draft]) -> Iterable[Change]:
    """Yield the drafts to store, and their flags with the draft that took them."""
    usable = {flag.id: flag for flag in inbox.flags if flag.is_usable}
    for draft in drafts:
        yield PutDraft(draft)
        for flag in draft.flags:
            if flag in usable:
                yield PutFlag(replace(usable[flag], outcome=PENDING, draft=draft.id))
