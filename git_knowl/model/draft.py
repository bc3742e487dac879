"""Drafts: fully written proposals that wait for a person."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from git_knowl.model.entry import Entry

KINDS = ("capture", "update", "retire", "discard", "guideline")


@dataclass(frozen=True, slots=True)
class Draft:
    """A proposal; ``entry`` (capture, update) already has the draft's id and its fingerprints.

    Fingerprints are those of the worktree the text was written in, so that accepting in another
    one does not vouch for files nobody looked at. ``expected`` is the digest an update or retire
    was written against, ``target`` the id of the entry it is about, ``item`` the SHA-256 of the
    submitted item (submitting again finds it). ``sender`` is the remote, and the name there, that
    it was received from: then ``by`` is what that one says. ``extra`` are keys that a newer program
    wrote.
    """

    id: str
    kind: str
    item: str
    at: str
    by: str
    name: str | None = None
    flags: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    entry: Entry | None = None
    target: str | None = None
    expected: str | None = None
    reason: str | None = None
    lane: str = "shared"
    host: str | None = None
    session: str | None = None
    worktree: str | None = None
    guideline: Mapping[str, Any] = field(default_factory=dict)
    tests: Mapping[str, Any] = field(default_factory=dict)
    sender: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)
