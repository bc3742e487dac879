"""Tombstones: what is left of a retired entry, so that no sync brings it back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from git_knowl.store import records


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A retired entry: its last name and digest, why it went, by whom and when.

    ``superseded_by`` is the id of the entry that replaces it, ``extra`` what a newer program wrote.
    """

    id: str
    name: str
    reason: str
    by: str
    at: str
    digest: str
    superseded_by: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


_KEYS = ("id", "name", "reason", "by", "at", "digest", "superseded_by")


def encode(tombstone: Tombstone) -> bytes:
    """Return the record of a tombstone."""
    return records.dump({key: getattr(tombstone, key) for key in _KEYS}, tombstone.extra)


def decode(data: bytes) -> Tombstone:
    """Return the tombstone of a record; raises RecordError."""
    fields = records.load(data)
    return Tombstone(
        id=records.text(fields, "id"),
        name=records.text(fields, "name"),
        reason=records.text(fields, "reason"),
        by=records.text(fields, "by"),
        at=records.text(fields, "at"),
        digest=records.text(fields, "digest"),
        superseded_by=records.optional(fields, "superseded_by"),
        extra=records.unknown(fields, _KEYS),
    )
