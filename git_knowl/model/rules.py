"""What an entry must keep to before it is stored, and what a reviewer should be told.

Every fault reads ``field: expected …, got …``; an empty list means that all is well.
"""

import re
from collections.abc import Iterator, Sequence

from git_knowl.model import limits
from git_knowl.model.anchor import PackageAnchor, UrlAnchor
from git_knowl.model.anchor_rules import OBJECT_ID, anchors_faults, links_faults, reach_faults
from git_knowl.model.entry import PROVENANCES, SOURCE_KINDS, TYPES, Entry, Source
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
from git_knowl.model.quoting import shown
from git_knowl.model.text import hidden_characters

RELATIONS = ("extends", "contradicts")

#: What gives a reason: a label or heading with text after it, or a sentence that says so. The word
#: alone gives none, as in "no reason here".
REASON = re.compile(
    r"(?:^[\W_]*(?:why|reasons?|rationale)\b|\b(?:why|reasons?|rationale)\b[ \t*_]*:"
    r"|\b(?:reasons?|rationale)\s+(?:is|are|was|were|being)\b|\bbecause\b)[\W_]*\w",
    re.IGNORECASE | re.MULTILINE,
)


def validate(entry: Entry) -> list[str]:
    """Return what keeps the entry out of the store."""
    return [
        *name_faults("name", entry.name),
        *id_faults("id", entry.id),
        *line_faults("description", entry.description, limits.DESCRIPTION),
        *choice_faults("type", entry.type, TYPES),
        *time_faults("created", entry.created),
        *time_faults("updated", entry.updated),
        *([] if entry.rev >= 1 else [f"rev: expected a number from 1 up, got {entry.rev}"]),
        *_commit_faults(entry),
        *body_faults("body", entry.body, limits.BODY),
        *_reason_faults(entry),
        *anchors_faults(entry.anchors),
        *_source_faults(entry),
        *choice_faults("provenance", entry.provenance, PROVENANCES),
        *links_faults(entry.depends_on),
        *_others_faults(entry),
        *_tags_faults(entry.tags),
        *_standing_faults(entry),
    ]


def barred(entry: Entry) -> str | None:
    """Return the first thing that keeps an entry from being listed and judged, None for nothing.

    A name or type that no line can hold, or a file, object or commit that nothing may name. No door
    of ours lets such an entry in.
    """
    return next(_bars(entry), None)


def _bars(entry: Entry) -> Iterator[str]:
    yield from name_faults("name", entry.name)
    yield from line_faults("type", entry.type, limits.TAG)
    for place, anchor in enumerate(entry.anchors):
        yield from reach_faults(f"anchors.{place}", anchor)
    if entry.promoted is not None:
        yield from path_faults("promoted.file", entry.promoted.file)


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


def _commit_faults(entry: Entry) -> Iterator[str]:
    if entry.as_of is not None:
        yield from form_faults("as_of", entry.as_of, OBJECT_ID, "a full commit id")
    if entry.patch_id is not None:
        yield from form_faults("patch_id", entry.patch_id, OBJECT_ID, "a full patch-id")


def _reason_faults(entry: Entry) -> list[str]:
    if entry.type != "feedback" or REASON.search(entry.body):
        return []
    return ["body: expected the reason for the feedback (a line 'Why: …'), got none"]


def _source_faults(entry: Entry) -> Iterator[str]:
    if entry.source is not None:
        yield from _said_source_faults(entry.source)
    elif entry.type == "feedback":
        yield "source: expected who or what vouches for the feedback, got nothing"
    elif not entry.evidence:
        yield "source: expected a source, since there is no anchor, got nothing"


def _said_source_faults(source: Source) -> Iterator[str]:
    yield from choice_faults("source.kind", source.kind, SOURCE_KINDS)
    if source.ref is None and source.quote is None:
        yield "source: expected a ref or a quote, got neither"
    if source.ref is not None:
        yield from line_faults("source.ref", source.ref, limits.URL)
    if source.quote is not None:
        yield from body_faults("source.quote", source.quote, limits.QUOTE)


def _others_faults(entry: Entry) -> Iterator[str]:
    for place, link in enumerate(entry.depends_on):
        if link.id == entry.id:
            yield f"depends_on.{place}.id: expected another entry, got this one"
    for place, identifier in enumerate(entry.supersedes):
        yield from id_faults(f"supersedes.{place}", identifier)
    for place, other in enumerate(entry.related):
        yield from id_faults(f"related.{place}.id", other.id)
        yield from choice_faults(f"related.{place}.relation", other.relation, RELATIONS)


def _tags_faults(tags: Sequence[str]) -> Iterator[str]:
    if len(tags) > limits.TAGS:
        yield too_many("tags", limits.TAGS, len(tags))
    for place, tag in enumerate(tags):
        yield from line_faults(f"tags.{place}", tag, limits.TAG)
        if tag in tags[:place]:
            yield f"tags.{place}: expected every tag once, got {shown(tag)} again"


def _standing_faults(entry: Entry) -> Iterator[str]:
    if entry.reviewed is not None:
        yield from line_faults("reviewed.by", entry.reviewed.by, limits.PATH)
        yield from time_faults("reviewed.at", entry.reviewed.at)
        yield from line_faults("reviewed.how", entry.reviewed.how, limits.TAG)
    if entry.promoted is not None:
        yield from path_faults("promoted.file", entry.promoted.file)
        yield from form_faults("promoted.digest", entry.promoted.digest, SHA256, "64 hex digits")
