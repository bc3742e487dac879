"""What an entry must keep to before it is stored, and what a reviewer should be told.

Every fault reads ``field: expected …, got …``; an empty list means that all is well.
"""

import re
from collections.abc import Iterator, Sequence

from git_knowl.model import limits
from git_knowl.model.anchor import (
    Anchor,
    FileAnchor,
    FileFingerprint,
    ForeignAnchor,
    PackageAnchor,
    PackageFingerprint,
    UrlAnchor,
)
from git_knowl.model.characters import UNFIT_FOR_BODY, UNFIT_FOR_LINE
from git_knowl.model.entry import PROVENANCES, SOURCE_KINDS, TYPES, Entry, Source
from git_knowl.model.fields import KEBAB_CASE, KEBAB_CASE_WORDS
from git_knowl.model.ids import is_id
from git_knowl.model.quoting import shown
from git_knowl.model.text import hidden_characters, refusal

RELATIONS = ("extends", "contradicts")

LINE = re.compile(f"[{UNFIT_FOR_LINE}]")
BODY = re.compile(f"[{UNFIT_FOR_BODY}]")
TIME = re.compile(
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    r"T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)Z"
)
SHA256 = re.compile(r"[0-9a-f]{64}")
BLOB = re.compile(r"sha1:[0-9a-f]{40}|sha256:[0-9a-f]{64}")
PURL = re.compile(r"pkg:[a-z][a-z0-9.+-]*(?:/[^@?#\s/]+)+")
URL = re.compile(r"https?://[^\s/?#]+\S*")
REASON = re.compile(r"\b(?:why|because|reasons?|rationale)\b", re.IGNORECASE)


def validate(entry: Entry) -> list[str]:
    """Return what keeps the entry out of the store."""
    return [
        *name_faults("name", entry.name),
        *_id_faults("id", entry.id),
        *line_faults("description", entry.description, limits.DESCRIPTION),
        *_choice_faults("type", entry.type, TYPES),
        *_time_faults("created", entry.created),
        *_time_faults("updated", entry.updated),
        *([] if entry.rev >= 1 else [f"rev: expected a number from 1 up, got {entry.rev}"]),
        *body_faults("body", entry.body, limits.BODY),
        *_reason_faults(entry),
        *_anchors_faults(entry.anchors),
        *_source_faults(entry),
        *_choice_faults("provenance", entry.provenance, PROVENANCES),
        *_links_faults(entry),
        *_tags_faults(entry.tags),
        *_standing_faults(entry),
    ]


def warnings(entry: Entry) -> list[str]:
    """Return what the reviewer should know; none of it keeps the entry out."""
    found = []
    checkable = any(isinstance(anchor, PackageAnchor | UrlAnchor) for anchor in entry.anchors)
    if entry.type == "reference" and not checkable:
        found.append("anchors: a reference without a package or url anchor never turns suspect")
    hidden = hidden_characters(entry.body, single_line=False)
    if hidden:
        found.append(f"body: holds characters that nobody sees: {', '.join(hidden[:5])}")
    return found


def name_faults(field: str, name: str) -> list[str]:
    """Return what is wrong with the name of an entry."""
    if not KEBAB_CASE.fullmatch(name):
        return [f"{field}: expected {KEBAB_CASE_WORDS}, got {shown(name)}"]
    return _length_faults(field, name, limits.NAME)


def line_faults(field: str, text: str, limit: int) -> list[str]:
    """Return what is wrong with a field of one line: empty, too long, or hidden characters."""
    if not text.strip():
        return [f"{field}: expected text, got {'blanks' if text else 'nothing'}"]
    expected = "one line without control or invisible characters"
    return _length_faults(field, text, limit) + _unfit_faults(field, text, LINE, expected)


def body_faults(field: str, text: str, limit: int) -> list[str]:
    """Return what is wrong with text of many lines.

    Of the control characters it may hold line feed and tab.
    """
    if not text.strip():
        return [f"{field}: expected text, got {'blanks' if text else 'nothing'}"]
    expected = "no control characters but line feed and tab"
    return _length_faults(field, text, limit) + _unfit_faults(field, text, BODY, expected)


def path_faults(field: str, path: str) -> list[str]:
    """Return what is wrong with a path from the top of the work tree."""
    found = line_faults(field, path, limits.PATH)
    names = path.split("/")
    if not found and any(name in ("", ".", "..") or name.lower() == ".git" for name in names):
        found.append(f"{field}: expected a path from the top of the work tree, got {shown(path)}")
    return found


def url_faults(field: str, anchor: UrlAnchor) -> list[str]:
    """Return what is wrong with a url anchor, apart from when it was last verified."""
    found = line_faults(f"{field}.url", anchor.url, limits.URL)
    if not found:
        found = _form_faults(f"{field}.url", anchor.url, URL, "an http or https address")
    lowest, highest = limits.URL_MAX_AGE_DAYS
    if not lowest <= anchor.max_age_days <= highest:
        got = anchor.max_age_days
        found.append(f"{field}.max_age_days: expected {lowest} to {highest} days, got {got}")
    return found


def _length_faults(field: str, text: str, limit: int) -> list[str]:
    if len(text) <= limit:
        return []
    return [f"{field}: expected at most {limit} characters, got {len(text)}"]


def _unfit_faults(field: str, text: str, unfit: re.Pattern[str], expected: str) -> list[str]:
    found = unfit.search(text)
    if found is None:
        return []
    return [f"{field}: {refusal(found[0], expected)}"]


def _choice_faults(field: str, value: str, choices: Sequence[str]) -> list[str]:
    if value in choices:
        return []
    return [f"{field}: expected one of {', '.join(choices)}, got {shown(value)}"]


def _form_faults(field: str, value: str, form: re.Pattern[str], expected: str) -> list[str]:
    return [] if form.fullmatch(value) else [f"{field}: expected {expected}, got {shown(value)}"]


def _time_faults(field: str, value: str) -> list[str]:
    return _form_faults(field, value, TIME, "a time such as 2026-11-29T10:00:00Z")


def _id_faults(field: str, value: str) -> list[str]:
    return [] if is_id(value) else [f"{field}: expected a lower-case ULID, got {shown(value)}"]


def _too_many(field: str, limit: int, count: int) -> str:
    return f"{field}: expected at most {limit}, got {count}"


def _reason_faults(entry: Entry) -> list[str]:
    if entry.type != "feedback" or REASON.search(entry.body):
        return []
    return ["body: expected the reason for the feedback (a line 'Why: …'), got none"]


def _anchors_faults(anchors: Sequence[Anchor]) -> Iterator[str]:
    if len(anchors) > limits.ANCHORS:
        yield _too_many("anchors", limits.ANCHORS, len(anchors))
    seen: set[str] = set()
    for place, anchor in enumerate(anchors):
        field = f"anchors.{place}"
        yield from _anchor_faults(field, anchor)
        if anchor.target in seen and not isinstance(anchor, ForeignAnchor):
            yield f"{field}: expected every anchor once, got {shown(anchor.target)} again"
        seen.add(anchor.target)


def _anchor_faults(field: str, anchor: Anchor) -> Iterator[str]:
    if isinstance(anchor, FileAnchor):
        yield from path_faults(f"{field}.path", anchor.path)
        for place, item in enumerate(anchor.accepted):
            yield from _file_fingerprint_faults(f"{field}.accepted.{place}", item)
    elif isinstance(anchor, PackageAnchor):
        yield from _form_faults(f"{field}.purl", anchor.purl, PURL, "a purl without version")
        yield from path_faults(f"{field}.lockfile", anchor.lockfile)
        for place, version in enumerate(anchor.accepted):
            yield from _package_fingerprint_faults(f"{field}.accepted.{place}", version)
    elif isinstance(anchor, UrlAnchor):
        yield from url_faults(field, anchor)
        yield from _time_faults(f"{field}.verified", anchor.verified)


def _file_fingerprint_faults(field: str, item: FileFingerprint) -> Iterator[str]:
    yield from _form_faults(f"{field}.sha256", item.sha256, SHA256, "64 hex digits")
    yield from _form_faults(f"{field}.blob", item.blob, BLOB, "an object id such as sha1:…")
    yield from _stamp_faults(field, item)


def _package_fingerprint_faults(field: str, item: PackageFingerprint) -> Iterator[str]:
    yield from line_faults(f"{field}.version", item.version, limits.PATH)
    yield from _stamp_faults(field, item)


def _stamp_faults(field: str, item: FileFingerprint | PackageFingerprint) -> Iterator[str]:
    yield from _form_faults(f"{field}.text", item.text, SHA256, "64 hex digits")
    yield from _time_faults(f"{field}.at", item.at)
    yield from line_faults(f"{field}.by", item.by, limits.PATH)
    yield from line_faults(f"{field}.how", item.how, limits.TAG)


def _source_faults(entry: Entry) -> Iterator[str]:
    if entry.source is not None:
        yield from _said_source_faults(entry.source)
    elif entry.type == "feedback":
        yield "source: expected who or what vouches for the feedback, got nothing"
    elif not entry.anchors:
        yield "source: expected a source, since there is no anchor, got nothing"


def _said_source_faults(source: Source) -> Iterator[str]:
    yield from _choice_faults("source.kind", source.kind, SOURCE_KINDS)
    if source.ref is None and source.quote is None:
        yield "source: expected a ref or a quote, got neither"
    if source.ref is not None:
        yield from line_faults("source.ref", source.ref, limits.URL)
    if source.quote is not None:
        yield from body_faults("source.quote", source.quote, limits.QUOTE)


def _links_faults(entry: Entry) -> Iterator[str]:
    for place, link in enumerate(entry.depends_on):
        yield from _id_faults(f"depends_on.{place}.id", link.id)
        yield from name_faults(f"depends_on.{place}.name", link.name)
    for place, identifier in enumerate(entry.supersedes):
        yield from _id_faults(f"supersedes.{place}", identifier)
    for place, other in enumerate(entry.related):
        yield from _id_faults(f"related.{place}.id", other.id)
        yield from _choice_faults(f"related.{place}.relation", other.relation, RELATIONS)


def _tags_faults(tags: Sequence[str]) -> Iterator[str]:
    if len(tags) > limits.TAGS:
        yield _too_many("tags", limits.TAGS, len(tags))
    for place, tag in enumerate(tags):
        yield from line_faults(f"tags.{place}", tag, limits.TAG)
        if tag in tags[:place]:
            yield f"tags.{place}: expected every tag once, got {shown(tag)} again"


def _standing_faults(entry: Entry) -> Iterator[str]:
    if entry.reviewed is not None:
        yield from line_faults("reviewed.by", entry.reviewed.by, limits.PATH)
        yield from _time_faults("reviewed.at", entry.reviewed.at)
        yield from line_faults("reviewed.how", entry.reviewed.how, limits.TAG)
    if entry.promoted is not None:
        yield from path_faults("promoted.file", entry.promoted.file)
        yield from _form_faults("promoted.digest", entry.promoted.digest, SHA256, "64 hex digits")
