"""A draft as a person edits it: its text in an editor, and the draft made of what was saved."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from git_knowl.errors import MovedError
from git_knowl.model import limits
from git_knowl.model.document import parse, read
from git_knowl.model.draft import Draft
from git_knowl.model.faults import body_faults, line_faults
from git_knowl.services import guideline
from git_knowl.services.compose import Composed, EntryRefusedError, Origin, compose
from git_knowl.services.context import Context
from git_knowl.services.edit import document, text_of, told
from git_knowl.services.filters import secrets
from git_knowl.services.filters.counts import Counts
from git_knowl.services.items import PENDING_HOW, default_lane, says_the_same
from git_knowl.services.prechecks import likely_duplicates
from git_knowl.services.recording import record
from git_knowl.services.review import check_reason, entry_of
from git_knowl.services.standing import live
from git_knowl.services.supersede import refuse_circle, resolve
from git_knowl.store.drafts import read_draft
from git_knowl.store.operations import Change, PutDraft
from git_knowl.store.transaction import publish
from git_knowl.store.view import View


def source(draft: Draft) -> str:
    """Return what the editor shows of a draft: its document, its guideline, or its reason."""
    if draft.entry is not None:
        return document(draft.entry)
    if draft.kind == "guideline":
        return guideline_source(draft)
    return f"{draft.reason or ''}\n"


def guideline_source(draft: Draft) -> str:
    """Return a guideline with the place it goes to; JSON strings are YAML too."""
    fields = {key: draft.guideline.get(key) or "" for key in ("file", "heading")}
    lines = [f"{key}: {json.dumps(text, ensure_ascii=False)}" for key, text in fields.items()]
    return "\n".join(("---", *lines, "---", str(draft.guideline["text"]), ""))


@dataclass(frozen=True, slots=True)
class Redrafted:
    """A draft with an edited text, and what was scrubbed from it."""

    draft: Draft
    redacted: Counts = ()


def redraft(ctx: Context, draft: Draft, text: str) -> Redrafted:
    """Return the draft with the edited text; an entry rests on what stands here and now.

    Fingerprints stay while the text says what it said. Raises an error naming the field that is
    wrong; the draft in the inbox is left as it is.
    """
    return MAKERS[draft.kind](ctx, draft, text)


def redraft_entry(ctx: Context, draft: Draft, text: str) -> Redrafted:
    """Return a capture or update with another entry."""
    old, new = entry_of(draft), parse(text.encode())
    if told(new) == told(old):
        return Redrafted(draft)
    origin = Origin(old.id, old.created, old.rev, new.provenance, kept=new)
    told_of = replace(text_of(new), supersedes=resolve(ctx, new.supersedes, old.supersedes))
    made = compose(ctx, told_of, origin, how=PENDING_HOW, from_top=True)
    now = live(ctx, draft)
    refuse_circle(ctx, made.entry, now.supersedes if now else ())
    if now is not None and says_the_same(made.entry, now):
        raise EntryRefusedError(
            ["entry: expected a change, got the text as it is"], "discard the draft instead"
        )
    edited = replace(draft, entry=made.entry, warnings=made.warnings)
    if draft.kind == "capture":
        edited = replace(edited, **as_new(ctx, draft, made))
    return Redrafted(edited, made.redacted)


def as_new(ctx: Context, draft: Draft, made: Composed) -> dict[str, Any]:
    """Return what else follows from the text of a new entry: its name, lane and likely twins."""
    follows = draft.lane == default_lane(ctx, entry_of(draft).type)
    return {
        "name": made.entry.name,
        "lane": default_lane(ctx, made.entry.type) if follows else draft.lane,
        "warnings": (*made.warnings, *likely_duplicates(ctx, made.entry)),
    }


def redraft_reason(ctx: Context, draft: Draft, text: str) -> Redrafted:
    """Return a retire or discard with another reason."""
    del ctx
    clean = check_reason(text)
    return Redrafted(replace(draft, reason=clean.text), clean.found)


def redraft_guideline(ctx: Context, draft: Draft, text: str) -> Redrafted:
    """Return a guideline with another text or place."""
    fields, body = read(text.encode())
    kept = {key: str(fields[key]) for key in ("file", "heading") if fields.get(key)}
    faults = body_faults("text", body, limits.BODY)
    for key, value in kept.items():
        secrets.refuse(key, value)
        faults += line_faults(key, value, limits.PATH)
    if faults:
        raise EntryRefusedError(
            faults, "'git knowl schema guideline' lists every field and its limit"
        )
    clean = secrets.scrub(body.strip())
    proposed = {**kept, "text": clean.text}
    guideline.check(ctx, proposed)
    return Redrafted(replace(draft, guideline=proposed), clean.found)


MAKERS: dict[str, Callable[[Context, Draft, str], Redrafted]] = {
    "capture": redraft_entry,
    "update": redraft_entry,
    "retire": redraft_reason,
    "discard": redraft_reason,
    "guideline": redraft_guideline,
}


def store(ctx: Context, old: Draft, new: Draft) -> None:
    """Put an edited draft in the place of the one it was made from.

    Raises MovedError when that is no longer what waits in the inbox.
    """

    def operation(view: View) -> list[Change]:
        if read_draft(view, old.id) != old:
            raise MovedError(
                f"the draft {old.id} was changed or decided on meanwhile",
                "'git knowl inbox' lists what waits",
            )
        return [PutDraft(new)]

    publish(ctx.store, operation, record(ctx, "edit", f"edit draft {old.id}"))
