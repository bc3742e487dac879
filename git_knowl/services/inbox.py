"""Flags and drafts of this clone: listed, dropped and edited."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from git_knowl.errors import KnowlError
from git_knowl.model import ids
from git_knowl.model.draft import Draft
from git_knowl.model.flag import Flag
from git_knowl.plumbing import refs
from git_knowl.services.context import Context
from git_knowl.services.filters import secrets
from git_knowl.services.filters.counts import Counts, total
from git_knowl.services.filters.secrets import Scrubbed
from git_knowl.services.flag import check_quote, check_summary
from git_knowl.services.recording import record
from git_knowl.services.review import check_reason
from git_knowl.store import layout
from git_knowl.store.decided import DISCARDED
from git_knowl.store.inbox import Inbox, leftovers, read_inbox
from git_knowl.store.operations import Change, Decide, PutFile, PutFlag, RemoveDraft
from git_knowl.store.records import Damaged
from git_knowl.store.transaction import publish
from git_knowl.store.view import View

DROPPED = "dropped"
FOLDERS = (layout.FLAGS, layout.DRAFTS)


class InboxError(KnowlError):
    """A flag or draft that cannot be dropped or edited."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """Ids of the flags and drafts that went, and what was scrubbed from the reason."""

    ids: tuple[str, ...]
    redacted: Counts = ()


def drop(ctx: Context, given: Sequence[str], reason: str | None = None) -> Dropped:
    """Let flags and drafts go, a draft with its flags.

    A record that cannot be read is named by the id in its path, or by the path; its flags wait on.
    What was dropped before stays so. Raises InboxError for a flag that was settled otherwise,
    IdError for an id that names nothing or more than one thing; then nothing is dropped.
    """
    clean = check_reason(reason) if reason else Scrubbed("")
    outcome = f"{DROPPED}: {clean.text}" if reason else DROPPED
    dropped: list[str] = []

    def operation(view: View) -> list[Change]:
        inbox = read_inbox(view)
        named = {key_of(one): one for one in (find_record(inbox, text) for text in given)}
        dropped[:] = named
        said = Decide("", DISCARDED, ctx.caller.now(), ctx.caller.name(), clean.text)
        gone = [c for one in named.values() for c in let_go(inbox, one, outcome, said)]
        return [*leftovers(inbox), *gone]

    publish(ctx.store, operation, record(ctx, "drop", "drop from the inbox"))
    return Dropped(tuple(dropped), clean.found)


def find(inbox: Inbox, text: str) -> Flag | Draft:
    """Return the flag or draft an id or a unique part of it names; raises InboxError if damaged."""
    found = find_record(inbox, text)
    if isinstance(found, Damaged):
        raise InboxError(
            f"{found.path} cannot be read: {found.error}",
            f"'git knowl inbox drop {key_of(found)}' takes it away",
        )
    return found


def find_record(inbox: Inbox, text: str) -> Flag | Draft | Damaged:
    """Return the same, or the record that cannot be read and has the id or path of the text."""
    records = [one for one in inbox.damaged if one.path != layout.FORMAT_FILE]
    for one in records:
        if text == one.path:
            return one
    found: dict[str, Flag | Draft | Damaged] = {key_of(one): one for one in records}
    found = {key: one for key, one in found.items() if ids.is_id(key)}
    found |= {flag.id: flag for flag in inbox.flags}
    found |= {draft.id: draft for draft in inbox.drafts}
    return found[ids.resolve(text, list(found), "flag or draft")]


def key_of(one: Flag | Draft | Damaged) -> str:
    """Return what names something of the inbox: its id, or the path of a record without one."""
    if not isinstance(one, Damaged):
        return one.id
    found = (layout.parse_record_path(folder, one.path) for folder in FOLDERS)
    return next(filter(None, found), one.path)


def find_editable(inbox: Inbox, text: str) -> Flag | Draft:
    """Return the flag or draft an id names, unless it is a flag that waits no more."""
    found = find(inbox, text)
    if isinstance(found, Flag) and not found.is_pending:
        raise InboxError(
            f"the flag {found.id} is settled already ({found.outcome})",
            "flag it anew if it is worth another look",
        )
    return found


def let_go(
    inbox: Inbox, one: Flag | Draft | Damaged, outcome: str, said: Decide
) -> Iterable[Change]:
    """Yield what dropping a flag or draft changes; ``said`` is the decision but for the draft."""
    if isinstance(one, Damaged):
        yield PutFile(refs.INBOX, one.path, None)
        if layout.parse_record_path(layout.DRAFTS, one.path):
            yield replace(said, id=key_of(one))
    elif isinstance(one, Draft):
        yield RemoveDraft(one.id)
        yield replace(said, id=one.id)
        for flag in inbox.flags:
            if flag.id in one.flags and flag.is_pending:
                yield PutFlag(replace(flag, outcome=outcome, draft=one.id))
    elif one.is_usable:
        yield PutFlag(replace(one, outcome=outcome))
    elif not one.outcome.startswith(DROPPED):
        raise InboxError(
            f"the flag {one.id} is settled already ({one.outcome})",
            "leave it out: it waits no more",
        )


def edit_flag(ctx: Context, flag: Flag, summary: str) -> Counts:
    """Store a flag with another summary and return what was scrubbed from it.

    Raises InboxError for a flag that is settled, FlagError for a summary that breaks its limit.
    """
    clean, quote = secrets.scrub_all(" ".join(summary.split()), flag.quote or "")
    check_summary(clean.text)
    check_quote(quote.text)
    edited = replace(flag, summary=clean.text, quote=flag.quote and quote.text)

    def operation(view: View) -> list[Change]:
        now = find(read_inbox(view), flag.id)
        if now != flag or not flag.is_pending:
            raise InboxError(
                f"the flag {flag.id} was settled or changed meanwhile",
                "'git knowl inbox' lists what became of it",
            )
        return [PutFlag(edited)]

    publish(ctx.store, operation, record(ctx, "edit", f"edit flag {flag.id}"))
    return total(clean, quote)
