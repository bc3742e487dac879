"""The inbox as readers see it: what waits for a person, and what has been settled already.

Entries and inbox move in one transaction that a crash can cut in two, entries first. So a draft
counts as settled as soon as the lanes say so, whatever the inbox still holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from git_knowl.model.draft import Draft
from git_knowl.model.entry import Entry
from git_knowl.model.flag import Flag
from git_knowl.plumbing import refs
from git_knowl.store import layout
from git_knowl.store.decided import ACCEPTED, Decide
from git_knowl.store.drafts import RemoveDraft, read_drafts
from git_knowl.store.flags import PutFlag, read_flags
from git_knowl.store.records import Damaged
from git_knowl.store.snapshot import DamagedEntryError, find_entry
from git_knowl.store.view import View

#: How the outcome of a flag begins that an entry was made of, or changed for; its name follows.
CAPTURED = "captured as "

_OUTCOMES = {
    "capture": f"{CAPTURED}{{name}}",
    "update": f"{CAPTURED}{{name}}",
    "retire": "led to retiring {name}",
    "guideline": "became a guideline",
    "discard": "discarded: {reason}",
}


@dataclass(frozen=True, slots=True)
class Inbox:
    """Flags and drafts of this clone; ``settled`` are drafts that the next write takes away."""

    flags: tuple[Flag, ...] = ()
    drafts: tuple[Draft, ...] = ()
    settled: tuple[Draft, ...] = ()
    damaged: tuple[Damaged, ...] = ()


def read_inbox(view: View) -> Inbox:
    """Return all flags and drafts, the oldest first; damaged records stand apart."""
    found = [*read_flags(view), *read_drafts(view)]
    drafts = [item for item in found if isinstance(item, Draft)]
    settled = {draft.id: draft for draft in drafts if is_settled(view, draft)}
    return Inbox(
        flags=tuple(_settle(found, settled)),
        drafts=tuple(draft for draft in drafts if draft.id not in settled),
        settled=tuple(settled.values()),
        damaged=tuple(_damaged(view, found)),
    )


def leftovers(inbox: Inbox) -> Iterable[RemoveDraft | Decide | PutFlag]:
    """Yield what a crash between the refs left to do: settled drafts go, their flags say why."""
    settled = {draft.id for draft in inbox.settled}
    for identifier in sorted(settled):
        yield RemoveDraft(identifier)
        yield Decide(identifier, ACCEPTED)
    yield from (PutFlag(flag) for flag in inbox.flags if flag.draft in settled)


def outcome(draft: Draft) -> str:
    """Return in words what became of the flags of a draft that was accepted."""
    return _OUTCOMES[draft.kind].format(name=draft.name, reason=draft.reason)


def is_settled(view: View, draft: Draft) -> bool:
    """Tell whether the lanes already hold what a draft asks for."""
    if draft.kind == "capture":
        return view.is_known(draft.id)
    if draft.target is None:
        return False
    if draft.kind == "retire":
        return not view.is_live(draft.target)
    return draft.entry is not None and _says(view, draft.entry)


def _says(view: View, new: Entry) -> bool:
    """Tell whether an entry is live as proposed: its text, and what it takes the place of."""
    try:
        found = find_entry(view, new.id)
    except DamagedEntryError:
        return False
    if found is None or found[1].digest != new.digest:
        return False
    return set(found[1].supersedes) == set(new.supersedes)


def _damaged(view: View, found: Iterable[object]) -> Iterable[Damaged]:
    """Yield the records that cannot be read, and a format that may hold more than is read."""
    yield from (item for item in found if isinstance(item, Damaged))
    newer = view.tree(refs.INBOX).newer
    if newer:
        yield Damaged(layout.FORMAT_FILE, "", newer)


def _settle(found: Iterable[object], settled: dict[str, Draft]) -> Iterable[Flag]:
    for flag in found:
        if isinstance(flag, Flag):
            draft = settled.get(flag.draft or "") if flag.is_pending else None
            yield replace(flag, outcome=outcome(draft)) if draft else flag
