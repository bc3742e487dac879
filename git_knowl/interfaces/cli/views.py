"""The JSON shapes of DESIGN §13, made from model values: one function a thing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from git_knowl.model.draft import Draft
from git_knowl.model.flag import Flag
from git_knowl.model.verdict import AnchorVerdict
from git_knowl.plumbing.signing import Signature
from git_knowl.services.listing import Damaged, Listed, Listing
from git_knowl.store.history import Operation


def flag_object(flag: Flag) -> dict[str, Any]:
    """Return a flag as `inbox --json` shows it."""
    return {
        "id": flag.id,
        "summary": flag.summary,
        "paths": [item.path for item in flag.paths],
        "cue": flag.cue,
        "quote": flag.quote,
        "by": flag.by,
        "host": flag.host,
        "session": flag.session,
        "at": flag.at,
        "outcome": flag.outcome,
    } | sender_of(flag)


def draft_object(draft: Draft) -> dict[str, Any]:
    """Return a draft as `inbox --json` shows it."""
    return {
        "id": draft.id,
        "kind": draft.kind,
        "name": draft.name,
        "flags": list(draft.flags),
        "warnings": list(draft.warnings),
    } | sender_of(draft)


def sender_of(one: Flag | Draft) -> dict[str, Any]:
    """Return who handed a flag or draft on, where it came from another clone."""
    return {"sender": one.sender} if one.sender else {}


def anchor_object(verdict: AnchorVerdict) -> dict[str, Any]:
    """Return the verdict of one anchor."""
    return {
        "kind": verdict.kind,
        "target": verdict.target,
        "status": verdict.status,
        "reason": verdict.reason,
        "expected": verdict.expected,
        "found": verdict.found,
        "commit": verdict.commit,
        "author": verdict.author,
        "moved_to": verdict.moved_to,
    }


def entry_object(one: Listed) -> dict[str, Any]:
    """Return an entry as `ls --json` and its like show it."""
    row = one.row
    return {
        "name": row.name,
        "id": row.id,
        "type": row.type,
        "description": row.description,
        "status": one.verdict.status,
        "digest": row.digest,
        "anchors": [anchor_object(anchor) for anchor in one.verdict.anchors],
        "lane": row.lane,
        "tier": one.tier,
        "conflict": row.conflict,
        "updated": row.updated,
        **({"untrusted": True} if one.untrusted else {}),
        **relations_object(one),
    }


def relations_object(one: Listed, *, always: bool = False) -> dict[str, Any]:
    """Return the keys that tell whose place an entry takes and which takes its, where any does."""
    newer = one.superseded_by
    told = {
        "supersedes": [other._asdict() for other in one.supersedes],
        "superseded_by": newer and newer._asdict(),
    }
    return {key: value for key, value in told.items() if value or always}


def listing_object(found: Listing) -> dict[str, Any]:
    """Return the shape of `ls`, `audit`, `why` and `search`; damaged files stand beside."""
    entries = [entry_object(one) for one in found.entries]
    return {"format": 1, "entries": entries, **damaged_object(found.damaged)}


def damaged_object(damaged: Iterable[Damaged]) -> dict[str, Any]:
    """Return the key that tells what could not be read, or nothing."""
    told = [{"lane": one.lane, "path": one.path, "error": one.error} for one in damaged]
    return {"damaged": told} if told else {}


def operation_object(one: Operation) -> dict[str, Any]:
    """Return an operation on the store as `log` and `show` show it."""
    return {
        "commit": one.commit,
        "lane": one.lane,
        "op": one.op,
        "subject": one.subject,
        "author": one.author,
        "at": one.at,
        "entries": [{"id": identifier, "name": name} for identifier, name in one.entries],
    }


def signature_object(signature: Signature | None) -> dict[str, Any] | None:
    """Return what git says of a signature, None where there is none."""
    if signature is None:
        return None
    return {"state": signature.state, "signer": signature.signer, "key": signature.key}
