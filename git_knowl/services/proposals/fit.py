"""Flags and drafts as they may leave this clone or enter it: nothing of them is taken on trust.

The same checks both ways: what one clone would not take, no clone sends.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from git_knowl.errors import KnowlError
from git_knowl.model import ids, limits, rules
from git_knowl.model.draft import Draft
from git_knowl.model.entry import Entry
from git_knowl.model.faults import (
    SHA256,
    body_faults,
    choice_faults,
    form_faults,
    id_faults,
    line_faults,
    name_faults,
    path_faults,
    time_faults,
    too_many,
)
from git_knowl.model.flag import CUES, PENDING, Flag, FlagPath
from git_knowl.services.evidence import first_evidence
from git_knowl.services.filters import secrets
from git_knowl.services.filters.screen import screen_entry

MOST_FLAGS = 100
MOST_TESTS = 20
MOST_WARNINGS = 10
OBJECT = re.compile(r"(?:sha1:|sha256:)?[0-9a-f]{40,64}")
GUIDELINE = ("file", "heading", "text")


class UnfitError(KnowlError):
    """A flag or draft that must not travel; the message names every field that is wrong."""


def fit_flag(flag: Flag) -> Flag:
    """Return a pending flag with its secrets masked and nothing of the clone it was made in.

    Raises UnfitError.
    """
    summary, quote = secrets.scrub_all(flag.summary, flag.quote or "")
    clean = replace(
        flag,
        summary=summary.text,
        quote=flag.quote and quote.text,
        host=scrubbed(flag.host),
        session=scrubbed(flag.session),
        paths=tuple(FlagPath(one.path, one.blob) for one in flag.paths),
        worktree=None,
        outcome=PENDING,
        draft=None,
        extra=(),
    )
    refuse([*flag_faults(clean), *named_secrets(clean)])
    return clean


def scrubbed(text: str | None) -> str | None:
    """Return a text with its secrets masked, None for none."""
    return None if text is None else secrets.scrub(text).text


def refuse(faults: list[str]) -> None:
    """Raise UnfitError when there are faults."""
    if faults:
        raise UnfitError("; ".join(faults))


def flag_faults(flag: Flag) -> Iterator[str]:
    """Yield what is wrong with a flag, field by field."""
    yield from id_faults("id", flag.id)
    yield from line_faults("summary", flag.summary, limits.SUMMARY)
    yield from origin_faults(flag)
    if len(flag.paths) > limits.FLAG_PATHS:
        yield too_many("paths", limits.FLAG_PATHS, len(flag.paths))
    for place, one in enumerate(flag.paths):
        yield from flag_path_faults(f"paths.{place}", one)
    if flag.cue is not None:
        yield from choice_faults("cue", flag.cue, CUES)
    if flag.quote is not None:
        yield from body_faults("quote", flag.quote, limits.QUOTE)
    yield from optional_lines(flag, ("branch",))
    for key in ("head", "commit"):
        value = getattr(flag, key)
        if value is not None:
            yield from form_faults(key, value, OBJECT, "an object id")


def flag_path_faults(field: str, one: FlagPath) -> Iterator[str]:
    """Yield what is wrong with a path, whose bytes need not be UTF-8, and its blob."""
    try:
        shown = one.path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:
        yield f"{field}: expected a path, got half a character"
        return
    yield from path_faults(field, shown)
    if one.blob is not None:
        yield from form_faults(f"{field}.blob", one.blob, OBJECT, "an object id")


def origin_faults(one: Flag | Draft) -> Iterator[str]:
    """Yield what is wrong with who made something, when, and in which host."""
    yield from line_faults("by", one.by, limits.PATH)
    yield from time_faults("at", one.at)
    yield from optional_lines(one, ("host", "session"))


def optional_lines(one: Flag | Draft, keys: tuple[str, ...]) -> Iterator[str]:
    """Yield what is wrong with fields that are one line or missing."""
    for key in keys:
        value = getattr(one, key)
        if value is not None:
            yield from line_faults(key, value, limits.PATH)


def named_secrets(flag: Flag) -> Iterator[str]:
    """Yield the fields of a flag that hold a secret and name something."""
    named = [("by", flag.by), ("branch", flag.branch or "")]
    named += [(f"paths.{place}", one.path) for place, one in enumerate(flag.paths)]
    yield from filter(None, (secrets.suspicion(field, text) for field, text in named))


def fit_draft(draft: Draft) -> Draft:
    """Return a draft with its secrets masked, without a reviewer and foreign keys.

    Of the evidence one fingerprint an anchor stays, and only of this very text. Raises UnfitError.
    """
    clean = replace(
        draft,
        entry=fit_entry(draft.entry) if draft.entry is not None else None,
        reason=scrubbed(draft.reason),
        host=scrubbed(draft.host),
        session=scrubbed(draft.session),
        guideline=fit_guideline(draft.guideline),
        tests=fit_tests(draft.tests),
        worktree=None,
        warnings=tuple(fit_warnings(draft.warnings)),
        extra={},
    )
    refuse([*draft_faults(clean), *KINDS[clean.kind](clean)])
    return clean


def fit_warnings(given: Iterable[str]) -> Iterator[str]:
    """Yield what the writer's clone had to say of a draft, a line each."""
    for told in islice(given, MOST_WARNINGS):
        clean = secrets.scrub(told).text
        if not line_faults("warnings", clean, limits.REASON):
            yield clean


def fit_entry(entry: Entry) -> Entry:
    """Return the entry of a draft as it may travel; raises UnfitError."""
    bare = replace(first_evidence(entry), reviewed=None, promoted=None)
    refuse([f"entry.{fault}" for fault in rules.validate(bare)])
    screened = screen_entry(bare)
    refuse([f"entry.{fault}" for fault in screened.refused])
    return screened.entry


def fit_guideline(found: Mapping[str, Any]) -> dict[str, str]:
    """Return what a guideline says and where it goes, its text with secrets masked."""
    kept = {key: str(found[key]) for key in GUIDELINE if isinstance(found.get(key), str)}
    return {**kept, "text": secrets.scrub(kept["text"]).text} if "text" in kept else kept


def fit_tests(found: Mapping[str, Any]) -> dict[str, str | bool]:
    """Return the answers to the admission tests that are answers."""
    told = {
        secrets.scrub(key).text: secrets.scrub(value).text if isinstance(value, str) else value
        for key, value in list(found.items())[:MOST_TESTS]
        if isinstance(value, str | bool) and not line_faults("tests", key, limits.TAG)
    }
    return {key: value for key, value in told.items() if not is_bad_answer(value)}


def is_bad_answer(value: str | bool) -> bool:  # noqa: FBT001 - an answer may be yes or no
    """Tell whether an answer to an admission test is no line of text."""
    return isinstance(value, str) and bool(line_faults("tests", value, limits.REASON))


def draft_faults(draft: Draft) -> Iterator[str]:
    """Yield what is wrong with what every draft has."""
    yield from id_faults("id", draft.id)
    yield from form_faults("item", draft.item, SHA256, "64 hex digits")
    yield from origin_faults(draft)
    if draft.name is not None:
        yield from name_faults("name", draft.name)
    if draft.reason is not None:
        yield from line_faults("reason", draft.reason, limits.REASON)
    if len(draft.flags) > MOST_FLAGS:
        yield too_many("flags", MOST_FLAGS, len(draft.flags))
    yield from (fault for one in draft.flags for fault in id_faults("flags", one))


def capture_faults(draft: Draft) -> Iterator[str]:
    """Yield what is wrong with a new entry: it has the id and name of its draft."""
    if draft.entry is None:
        yield "entry: expected one, got nothing"
    elif (draft.entry.id, draft.entry.name) != (draft.id, draft.name):
        yield "entry: expected the id and name of the draft, got others"


def update_faults(draft: Draft) -> Iterator[str]:
    """Yield what is wrong with a change of an entry."""
    yield from target_faults(draft)
    if draft.entry is None or draft.entry.id != draft.target:
        yield "entry: expected one with the id of the target"


def retire_faults(draft: Draft) -> Iterator[str]:
    """Yield what is wrong with a proposal to take an entry out."""
    yield from target_faults(draft)
    yield from reason_faults(draft)


def target_faults(draft: Draft) -> Iterator[str]:
    """Yield what is wrong with the entry that a draft is about."""
    if not ids.is_id(draft.target or ""):
        yield "target: expected the id of an entry"
    yield from form_faults("expected", draft.expected or "", SHA256, "64 hex digits")
    if draft.name is None:
        yield "name: expected that of the entry, got nothing"


def reason_faults(draft: Draft) -> Iterator[str]:
    """Yield that a reason is missing."""
    if not draft.reason:
        yield "reason: expected one, got nothing"


def discard_faults(draft: Draft) -> Iterator[str]:
    """Yield what is wrong with a proposal to let flags go."""
    yield from reason_faults(draft)
    if not draft.flags:
        yield "flags: expected one at least, got none"


def guideline_faults(draft: Draft) -> Iterator[str]:
    """Yield what is wrong with a proposed guideline; where it may go is looked at on arrival."""
    said = draft.guideline
    yield from body_faults("guideline.text", str(said.get("text", "")), limits.BODY)
    if "file" in said:
        yield from path_faults("guideline.file", said["file"])
    if "heading" in said:
        yield from line_faults("guideline.heading", said["heading"], limits.TAG)
    named = ((f"guideline.{key}", str(said.get(key, ""))) for key in ("file", "heading"))
    yield from filter(None, (secrets.suspicion(field, text) for field, text in named))


KINDS = {
    "capture": capture_faults,
    "update": update_faults,
    "retire": retire_faults,
    "discard": discard_faults,
    "guideline": guideline_faults,
}
