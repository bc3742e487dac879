"""Turn one item of a payload into a draft: one maker for each kind of item."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from git_knowl.errors import KnowlError, MovedError
from git_knowl.model import ids
from git_knowl.model.draft import Draft
from git_knowl.model.entry import Entry, Source
from git_knowl.model.flag import Flag
from git_knowl.model.targets import as_asked
from git_knowl.services import compose, guideline
from git_knowl.services.change import refuse_held
from git_knowl.services.context import Context
from git_knowl.services.filters import secrets
from git_knowl.services.find import find_entry, links, refuse_conflicted
from git_knowl.services.prechecks import likely_duplicates
from git_knowl.services.supersede import refuse_circle, resolve
from git_knowl.store.inbox import Inbox
from git_knowl.store.view import View

#: `how` of a fingerprint nobody has accepted yet; accepting the draft puts the reviewer's there.
PENDING_HOW = "draft"
TEXTS = ("name", "description", "type", "body")


class ItemError(KnowlError):
    """An item that cannot become a draft; the message begins with the field."""


@dataclass(slots=True)
class Desk:
    """What the items of one payload are worked against, and what comes of them."""

    ctx: Context
    view: View
    inbox: Inbox
    drafts: list[Draft] = field(default_factory=list)
    known: dict[str, str] = field(default_factory=dict)
    redacted: list[tuple[str, int]] = field(default_factory=list)


def make_draft(desk: Desk, item: Mapping[str, Any], identifier: str, digest: str) -> Draft:
    """Return the draft of an item, as checked by its schema; ``digest`` is that of the item.

    Raises an error whose message begins with the field that is wrong.
    """
    return MAKERS[item["kind"]](desk, item, blank(desk, item, identifier, digest))


def blank(desk: Desk, item: Mapping[str, Any], identifier: str, digest: str) -> Draft:
    """Return the draft of an item with what every kind has in common."""
    ctx = desk.ctx
    return Draft(
        id=identifier,
        kind=item["kind"],
        item=digest,
        at=ctx.caller.now(),
        by=ctx.caller.name(),
        flags=tuple(flag.id for flag in named_flags(desk, item.get("flags", ()))),
        host=ctx.caller.host,
        session=ctx.caller.session,
        worktree=ctx.repo.work_tree,
        tests=read_tests(desk, item.get("tests") or {}),
    )


def named_flags(desk: Desk, given: Iterable[str]) -> list[Flag]:
    """Return the flags an item names by id or unique part of it.

    Those that somebody settled are refused; one that expired has found its use.
    """
    by_id = {flag.id: flag for flag in desk.inbox.flags}
    with in_field("flags"):
        found = [by_id[ids.resolve(text, list(by_id), "flag")] for text in dict.fromkeys(given)]
    for flag in found:
        if not flag.is_usable:
            raise ItemError(
                f"flags: {flag.id} is settled already ({flag.outcome})",
                "leave it out of 'flags': an item may stand without one",
            )
    return found


def read_tests(desk: Desk, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers to the admission tests, scrubbed like any text of the writer's."""
    return {
        clean(desk, key): clean(desk, told) if isinstance(told, str) else told
        for key, told in given.items()
    }


def make_capture(desk: Desk, item: Mapping[str, Any], draft: Draft) -> Draft:
    """Write a new entry; its id is that of the draft."""
    ctx = desk.ctx
    text = read_text(desk, item["entry"])
    refuse_taken(desk, text.name)
    said = item["entry"].get("provenance") or provenance(text)
    origin = compose.Origin(draft.id, ctx.caller.now(), provenance=said)
    made = compose.compose(ctx, text, origin, how=PENDING_HOW, from_top=True)
    desk.redacted.extend(made.redacted)
    return replace(
        draft,
        name=text.name,
        entry=made.entry,
        lane=default_lane(ctx, made.entry.type),
        warnings=(*made.warnings, *likely_duplicates(ctx, made.entry)),
    )


def make_update(desk: Desk, item: Mapping[str, Any], draft: Draft) -> Draft:
    """Write a new text for an entry; what the item leaves out stays as it is."""
    ctx = desk.ctx
    lane, old = find_expected(desk, item)
    refuse_conflicted(ctx, old.id)
    text = read_text(desk, item["entry"], old)
    if text.name != old.name:
        refuse_taken(desk, text.name)
    said = item["entry"].get("provenance") or old.provenance
    origin = compose.Origin(old.id, old.created, old.rev + 1, said, kept=old)
    made = compose.compose(ctx, text, origin, how=PENDING_HOW, from_top=True)
    refuse_circle(ctx, made.entry, old.supersedes)
    if says_the_same(made.entry, old):
        raise compose.EntryRefusedError(
            ["entry: expected a change, got the text as it is"],
            "'git knowl verify' says that a text is still true",
        )
    desk.redacted.extend(made.redacted)
    reason = clean(desk, item["reason"]) if item.get("reason") else None
    return replace(
        targeted(draft, lane, old), entry=made.entry, warnings=made.warnings, reason=reason
    )


def says_the_same(new: Entry, old: Entry) -> bool:
    """Tell whether an update changes nothing: neither the text nor what it takes the place of."""
    return new.digest == old.digest and set(new.supersedes) == set(old.supersedes)


def make_retire(desk: Desk, item: Mapping[str, Any], draft: Draft) -> Draft:
    """Propose to take an entry out."""
    lane, old = find_expected(desk, item)
    return replace(targeted(draft, lane, old), reason=clean(desk, item["reason"]))


def make_discard(desk: Desk, item: Mapping[str, Any], draft: Draft) -> Draft:
    """Propose to let flags go; the person can revive them."""
    return replace(draft, reason=clean(desk, item["reason"]))


def make_guideline(desk: Desk, item: Mapping[str, Any], draft: Draft) -> Draft:
    """Propose a guideline: it goes into a file of the work tree and never into the store."""
    kept = {key: item[key] for key in ("file", "heading") if item.get(key)}
    for key, told in kept.items():
        secrets.refuse(key, told)
    proposed = {**kept, "text": clean(desk, item["text"].strip())}
    guideline.check(desk.ctx, proposed)
    return replace(draft, guideline=proposed, reason=clean(desk, item["reason"]))


MAKERS = {
    "capture": make_capture,
    "update": make_update,
    "retire": make_retire,
    "discard": make_discard,
    "guideline": make_guideline,
}


def targeted(draft: Draft, lane: str, old: Entry) -> Draft:
    """Return the draft with the entry it is about, as that stands now."""
    return replace(draft, name=old.name, target=old.id, expected=old.digest, lane=lane)


def find_expected(desk: Desk, item: Mapping[str, Any]) -> tuple[str, Entry]:
    """Return lane and entry an item is about; raises MovedError when it is another text by now."""
    with in_field("name"):
        row, old = find_entry(desk.ctx, item["name"])
    if old.digest != item["expected"]:
        raise MovedError(
            f"'{old.name}' has changed: its digest is {old.digest}, not {item['expected']}",
            f"read it again with 'git knowl show {old.name} --json' and write against that",
        )
    return row.lane, old


@contextmanager
def in_field(name: str) -> Iterator[None]:
    """Let errors inside begin with the name of a field."""
    try:
        yield
    except KnowlError as error:
        raise ItemError(f"{name}: {error.message}", error.hint) from error


def clean(desk: Desk, text: str) -> str:
    """Return free text with secrets masked, and remember what they were."""
    done = secrets.scrub(text)
    desk.redacted.extend(done.found)
    return done.text


def read_text(desk: Desk, fields: Mapping[str, Any], old: Entry | None = None) -> compose.Text:
    """Return the text of a payload's entry; fields it leaves out come from the old one."""
    given = {key: told for key, told in fields.items() if told is not None}
    kept = kept_text(old) if old else compose.Text("", "", "", "")
    lists: dict[str, Any] = {key: tuple(given[key]) for key in ("anchors", "tags") if key in given}
    texts = {key: given[key] for key in TEXTS if given.get(key)}
    if "depends_on" in given:
        with in_field("entry.depends_on"):
            kept = replace(kept, depends_on=links(desk.ctx, given["depends_on"]))
    if "supersedes" in given:
        older = resolve(desk.ctx, given["supersedes"], kept.supersedes)
        kept = replace(kept, supersedes=older)
    return replace(kept, **texts, **lists, source=read_source(desk, given, old))


def kept_text(old: Entry) -> compose.Text:
    """Return the text of an entry as a payload that leaves everything out means it."""
    return compose.Text(
        name=old.name,
        description=old.description,
        type=old.type,
        body=old.body,
        anchors=tuple(map(as_asked, old.anchors)),
        depends_on=old.depends_on,
        supersedes=old.supersedes,
        tags=old.tags,
    )


def read_source(desk: Desk, given: Mapping[str, Any], old: Entry | None) -> Source | None:
    """Return the source of a payload's entry; an agent's session vouches when nothing is named."""
    source = given.get("source")
    if source is not None:
        return Source(source["kind"], source.get("ref"), source.get("quote"))
    if old is not None:
        return old.source
    caller = desk.ctx.caller
    return Source("session", f"{caller.host}:{caller.session}") if caller.session else None


def provenance(text: compose.Text) -> str:
    """Return `stated` for what somebody said, `observed` otherwise."""
    return "stated" if text.source is not None and text.source.kind == "quote" else "observed"


def default_lane(ctx: Context, entry_type: str) -> str:
    """Return the lane a new entry starts in: feedback stays here until a person moves it."""
    return ctx.settings.feedback_lane if entry_type == "feedback" else ctx.settings.lane


def refuse_taken(desk: Desk, name: str) -> None:
    """Raise when a live entry or a waiting draft has the name."""
    for lane, identifier in desk.ctx.cache.names(name):
        raise compose.EntryRefusedError(
            [f"entry.name: '{name}' is taken by the entry {identifier} in lane {lane}"],
            "choose another name, or submit an update of that entry",
        )
    refuse_held(desk.ctx, name)
    for draft in (*desk.drafts, *desk.inbox.drafts):
        if draft.entry is not None and draft.entry.name == name:
            raise compose.EntryRefusedError(
                [f"entry.name: '{name}' is taken by the draft {draft.id}"],
                "choose another name, or have that draft reviewed first",
            )
