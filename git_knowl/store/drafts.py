"""Drafts on the inbox ref: one JSON record each, the entry inside as plain fields and its body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from git_knowl.model.checked import DocumentError
from git_knowl.model.draft import KINDS, Draft
from git_knowl.model.fields import from_fields, to_fields
from git_knowl.plumbing import refs
from git_knowl.store import layout, records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from git_knowl.model.entry import Entry
    from git_knowl.store.view import View


@dataclass(frozen=True, slots=True)
class PutDraft:
    """Write a draft, in place of the one with its id if there is one."""

    draft: Draft

    def apply(self, view: View) -> None:
        """Stage the record."""
        view.tree(refs.INBOX).stage(draft_path(self.draft.id), encode(self.draft))


@dataclass(frozen=True, slots=True)
class RemoveDraft:
    """Take a draft out of the inbox; one that is not there is no matter."""

    id: str

    def apply(self, view: View) -> None:
        """Stage the removal."""
        view.tree(refs.INBOX).stage(draft_path(self.id), None)


def draft_path(identifier: str) -> str:
    """Return where the draft of an id stands in the inbox."""
    return layout.record_path(layout.DRAFTS, identifier)


def read_draft(view: View, identifier: str) -> Draft | None:
    """Return one draft, or None; raises RecordError when its record is damaged."""
    data = view.tree(refs.INBOX).read(draft_path(identifier))
    return None if data is None else decode(data)


def read_drafts(view: View) -> Iterator[Draft | records.Damaged]:
    """Yield all drafts, the oldest first, those already settled among them."""
    return records.read_all(view, refs.INBOX, layout.DRAFTS, decode)


def encode(draft: Draft) -> bytes:
    """Return the record of a draft."""
    entry = draft.entry
    return records.dump(
        {
            "id": draft.id,
            "kind": draft.kind,
            "item": draft.item,
            "at": draft.at,
            "by": draft.by,
            "name": draft.name,
            "flags": list(draft.flags),
            "warnings": list(draft.warnings),
            "entry": None if entry is None else to_fields(entry),
            "body": None if entry is None else entry.body,
            "target": draft.target,
            "expected": draft.expected,
            "reason": draft.reason,
            "lane": draft.lane,
            "host": draft.host,
            "session": draft.session,
            "worktree": draft.worktree,
            "guideline": dict(draft.guideline),
            "tests": dict(draft.tests),
            "sender": draft.sender,
        },
        draft.extra,
    )


def decode(data: bytes) -> Draft:
    """Return the draft of a record; raises RecordError."""
    fields = records.load(data)
    kind = records.text(fields, "kind")
    if kind not in KINDS:
        raise records.RecordError(f"kind: expected one of {', '.join(KINDS)}, got '{kind}'")
    return Draft(
        id=records.text(fields, "id"),
        kind=kind,
        item=records.text(fields, "item"),
        at=records.text(fields, "at"),
        by=records.text(fields, "by"),
        name=records.optional(fields, "name"),
        flags=records.texts(fields, "flags"),
        warnings=records.texts(fields, "warnings"),
        entry=_entry(fields),
        target=records.optional(fields, "target"),
        expected=records.optional(fields, "expected"),
        reason=records.optional(fields, "reason"),
        lane=records.text(fields, "lane"),
        host=records.optional(fields, "host"),
        session=records.optional(fields, "session"),
        worktree=records.optional(fields, "worktree"),
        guideline=records.mapping(fields, "guideline"),
        tests=records.mapping(fields, "tests"),
        sender=records.optional(fields, "sender"),
        extra=records.unknown(fields, (*Draft.__match_args__[:-1], "body")),
    )


def _entry(fields: dict[str, Any]) -> Entry | None:
    if fields.get("entry") is None:
        return None
    try:
        return from_fields(fields["entry"], records.text(fields, "body"))
    except DocumentError as error:
        raise records.RecordError(f"entry.{error.message}") from error
