"""A text with the placeholder in its place: in an entry, in a record, in plain bytes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from git_knowl.model.checked import DocumentError
from git_knowl.model.entry import Entry, Reviewed
from git_knowl.model.fields import from_fields, to_fields
from git_knowl.model.rules import validate
from git_knowl.services.evidence import carry
from git_knowl.services.purged.wanted import PurgeError, Wanted
from git_knowl.store import drafts, flags, layout
from git_knowl.store.purged import PLACEHOLDER
from git_knowl.store.records import RecordError, dump, load


def redact_entry(entry: Entry, wanted: Wanted, reviewed: Reviewed) -> Entry:
    """Return the entry with the placeholder for the text, vouched for by who purges it.

    The evidence counts on: nothing new is said. Raises PurgeError where the text stands in what
    names something, such as the name or a path.
    """
    body = entry.body.replace(wanted.text, PLACEHOLDER)
    try:
        made = from_fields(_mapped(to_fields(entry), wanted.text), body)
    except DocumentError as error:
        raise _cannot_stay(entry, error.message) from error
    faults = validate(made)
    if faults or _targets(made) != _targets(entry):
        raise _cannot_stay(entry, "; ".join(faults) or "anchors: one of them names the text")
    new = replace(made, rev=entry.rev + 1, updated=reviewed.at, reviewed=reviewed)
    return carry(entry, new)


def _targets(entry: Entry) -> list[str]:
    return [one.target for one in entry.evidence]


def _cannot_stay(entry: Entry, fault: str) -> PurgeError:
    return PurgeError(
        f"the entry {entry.id} cannot be kept without the text: {fault}",
        "purge it without --redact, which takes the entry out",
    )


def redact_record(path: str, data: bytes, wanted: Wanted) -> bytes | None:
    """Return a flag or draft with the placeholder for the text; None for one that it would break.

    A draft does not bear it in a name or a path.
    """
    decode = drafts.decode if path.startswith(layout.DRAFTS) else flags.decode
    try:
        made = dump(_mapped(load(data), wanted.text))
        decode(made)
    except RecordError:
        return None
    return made


def _mapped(value: Any, text: str) -> Any:
    """Return a value of JSON with the placeholder in all texts, keys among them."""
    if isinstance(value, str):
        return value.replace(text, PLACEHOLDER)
    if isinstance(value, dict):
        return {_mapped(key, text): _mapped(item, text) for key, item in value.items()}
    if isinstance(value, list):
        return [_mapped(item, text) for item in value]
    return value
