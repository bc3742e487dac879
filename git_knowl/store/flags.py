"""Flags on the inbox ref: one JSON record each. This module is on the short path of `flag`."""

from __future__ import annotations

from git_knowl.model.flag import PENDING, Flag, FlagPath
from git_knowl.model.light import dataclass
from git_knowl.plumbing import refs
from git_knowl.store import layout, records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from git_knowl.store.view import View


@dataclass(frozen=True, slots=True)
class PutFlag:
    """Write a flag, in place of the one with its id if there is one."""

    flag: Flag

    def apply(self, view: View) -> None:
        """Stage the record."""
        view.tree(refs.INBOX).stage(flag_path(self.flag.id), encode(self.flag))


@dataclass(frozen=True, slots=True)
class RemoveFlag:
    """Take a flag out of the inbox; one that is not there is no matter."""

    id: str

    def apply(self, view: View) -> None:
        """Stage the removal."""
        view.tree(refs.INBOX).stage(flag_path(self.id), None)


def flag_path(identifier: str) -> str:
    """Return where the flag of an id stands in the inbox."""
    return layout.record_path(layout.FLAGS, identifier)


def read_flag(view: View, identifier: str) -> Flag | None:
    """Return one flag, or None; raises RecordError when its record is damaged."""
    data = view.tree(refs.INBOX).read(flag_path(identifier))
    return None if data is None else decode(data)


def read_flags(view: View) -> Iterator[Flag | records.Damaged]:
    """Yield all flags, the oldest first."""
    return records.read_all(view, refs.INBOX, layout.FLAGS, decode)


def encode(flag: Flag) -> bytes:
    """Return the record of a flag."""
    return records.dump(
        {
            "id": flag.id,
            "summary": flag.summary,
            "at": flag.at,
            "by": flag.by,
            "paths": [_told(item) for item in flag.paths],
            "cue": flag.cue,
            "quote": flag.quote,
            "host": flag.host,
            "session": flag.session,
            "worktree": flag.worktree,
            "branch": flag.branch,
            "head": flag.head,
            "outcome": flag.outcome,
            "draft": flag.draft,
            "commit": flag.commit,
            "sender": flag.sender,
        },
        dict(flag.extra),
    )


def decode(data: bytes) -> Flag:
    """Return the flag of a record; raises RecordError."""
    fields = records.load(data)
    return Flag(
        id=records.text(fields, "id"),
        summary=records.text(fields, "summary"),
        at=records.text(fields, "at"),
        by=records.text(fields, "by"),
        paths=_paths(fields.get("paths", [])),
        cue=records.optional(fields, "cue"),
        quote=records.optional(fields, "quote"),
        host=records.optional(fields, "host"),
        session=records.optional(fields, "session"),
        worktree=records.optional(fields, "worktree"),
        branch=records.optional(fields, "branch"),
        head=records.optional(fields, "head"),
        outcome=records.optional(fields, "outcome") or PENDING,
        draft=records.optional(fields, "draft"),
        commit=records.optional(fields, "commit"),
        sender=records.optional(fields, "sender"),
        extra=_rest(fields, Flag),
    )


def _paths(items: Any) -> tuple[FlagPath, ...]:
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise records.RecordError("paths: expected a list of objects")
    return tuple(
        FlagPath(records.text(item, "path"), records.optional(item, "blob"), _rest(item, FlagPath))
        for item in items
    )


def _told(item: FlagPath) -> dict[str, Any]:
    return {"path": item.path, "blob": item.blob, **dict(item.extra)}


def _rest(fields: dict[str, Any], kind: type[Flag | FlagPath]) -> tuple[tuple[str, Any], ...]:
    """Return the keys that no field of the kind stands for; all but the last are called alike."""
    return tuple(records.unknown(fields, kind.__match_args__[:-1]).items())
