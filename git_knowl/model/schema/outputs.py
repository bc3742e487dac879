"""What reading verbs print with ``--json`` (DESIGN §13); every key is always there."""

from typing import Any, Literal

from pydantic import Field

from git_knowl.model.schema import words
from git_knowl.model.schema.words import Open


class AnchorLine(Open):
    """What one anchor says here and now."""

    kind: str
    target: str
    status: words.Status
    reason: str | None
    expected: str | None
    found: str | None
    commit: str | None
    author: str | None
    moved_to: str | None


class EntryLine(Open):
    """One entry with its verdict."""

    name: str
    id: words.Id
    type: words.Type
    description: str
    status: words.Status
    digest: words.Digest
    anchors: tuple[AnchorLine, ...]
    lane: words.Lane
    tier: str
    conflict: bool
    updated: words.Time


class FoundLine(EntryLine):
    """One entry that a search found; the higher the score, the better it fits."""

    score: float


class Change(Open):
    """A verdict that is another one since the last audit of this worktree."""

    name: str
    from_: str | None = Field(alias="from")
    to: str | None
    commit: str | None


class Source(Open):
    """Who or what vouches for the entry."""

    kind: str
    ref: str | None
    quote: str | None


class Reviewed(Open):
    """Who let the text in, when and by which door."""

    by: str
    at: str
    how: str


class Listing(Open):
    """Entries with their verdicts: `ls` and `why`."""

    format: Literal[1]
    entries: tuple[EntryLine, ...]


class Audit(Listing):
    """Verdicts, and what changed since the last audit of this worktree."""

    changed: tuple[Change, ...]


class Search(Open):
    """Entries that a search found, the best first."""

    format: Literal[1]
    confident: bool
    entries: tuple[FoundLine, ...]


class Show(EntryLine):
    """One entry whole; its keys stand beside ``format``."""

    format: Literal[1]
    body: str
    source: Source | None
    reviewed: Reviewed | None
    provenance: words.Provenance
    history: tuple[dict[str, Any], ...]


class FlagLine(Open):
    """One flag with what became of it."""

    id: words.Id
    summary: str
    paths: tuple[str, ...]
    cue: words.Cue | None
    quote: str | None
    by: str
    host: str | None
    session: str | None
    at: words.Time
    outcome: str


class DraftLine(Open):
    """One draft that waits for a person."""

    id: words.Id
    kind: str
    name: str | None
    flags: tuple[words.Id, ...]
    warnings: tuple[str, ...]


class Inbox(Open):
    """Flags and drafts of this clone."""

    format: Literal[1]
    flags: tuple[FlagLine, ...]
    drafts: tuple[DraftLine, ...]


class Written(Open):
    """What a writing verb did; `flag` and `add` give ``id`` too, `capture --submit` ``drafts``."""

    ok: bool
    ids: tuple[words.Id, ...]
    id: words.Id | None = None
    drafts: tuple[words.Id, ...] | None = None
