"""Entry <-> plain fields: the nested mapping that a document's frontmatter and a draft hold.

Reading is tolerant where a newer program may have written: keys nobody here knows are kept with
the value they stand in, anchors of unknown kinds are kept whole. Writing leaves out what a reader
would fill in anyway and keeps one order of keys.
"""

from typing import Any

from git_knowl.model import limits
from git_knowl.model.anchor_fields import read_anchor, read_link, write_anchor, write_link
from git_knowl.model.checked import DocumentError, Fields, filled, plain
from git_knowl.model.entry import TYPES, Entry, Promoted, Related, Reviewed, Source
from git_knowl.model.faults import KEBAB_CASE, KEBAB_CASE_WORDS
from git_knowl.model.ids import is_id
from git_knowl.model.quoting import shown


def from_fields(found: object, body: str) -> Entry:
    """Return the entry of a frontmatter mapping and a body.

    Raises DocumentError when a required field is missing, a value has the wrong shape, or a value
    would be unsafe to build a path from. Softer rules are `git_knowl.model.rules`.
    """
    fields = Fields(found)
    if len(body) > limits.BODY:
        expected = f"at most {limits.BODY} characters"
        raise DocumentError("body", expected, f"{len(body)}")
    return Entry(
        name=_name(fields),
        id=_identifier(fields),
        description=fields.text("description"),
        type=_type(fields),
        created=fields.text("created"),
        updated=fields.text("updated"),
        as_of=fields.text_or("as_of"),
        patch_id=fields.text_or("patch_id"),
        rev=fields.number_or("rev", 1),
        anchors=fields.many("anchors", read_anchor),
        source=fields.one("source", _source),
        provenance=fields.text_or("provenance", "observed"),
        depends_on=fields.many("depends_on", read_link),
        supersedes=fields.texts("supersedes"),
        related=fields.many("related", _related),
        tags=fields.texts("tags"),
        reviewed=fields.one("reviewed", _reviewed),
        promoted=fields.one("promoted", _promoted),
        body=body,
        extra=fields.rest(),
    )


def _name(fields: Fields) -> str:
    name = fields.text("name")
    if len(name) > limits.NAME or not KEBAB_CASE.fullmatch(name):
        expected = f"{KEBAB_CASE_WORDS} of at most {limits.NAME} characters"
        raise DocumentError(fields.path("name"), expected, shown(name))
    return name


def _identifier(fields: Fields) -> str:
    identifier = fields.text("id")
    if not is_id(identifier):
        raise DocumentError(fields.path("id"), "a lower-case ULID", shown(identifier))
    return identifier


def _type(fields: Fields) -> str:
    kind = fields.text("type")
    if kind not in TYPES:
        raise DocumentError(fields.path("type"), f"one of {', '.join(TYPES)}", shown(kind))
    return kind


def _source(fields: Fields) -> Source:
    return Source(
        kind=fields.text("kind"),
        ref=fields.text_or("ref"),
        quote=fields.text_or("quote"),
        extra=fields.rest(),
    )


def _related(fields: Fields) -> Related:
    return Related(
        id=fields.text("id"),
        relation=fields.text("relation"),
        score=fields.number_or("score"),
        extra=fields.rest(),
    )


def _reviewed(fields: Fields) -> Reviewed:
    return Reviewed(
        by=fields.text("by"), at=fields.text("at"), how=fields.text("how"), extra=fields.rest()
    )


def _promoted(fields: Fields) -> Promoted:
    return Promoted(file=fields.text("file"), digest=fields.text("digest"), extra=fields.rest())


def to_fields(entry: Entry) -> dict[str, Any]:
    """Return the frontmatter of an entry in its fixed order, without the body and what is empty."""
    known = {
        "name": entry.name,
        "id": entry.id,
        "description": entry.description,
        "type": entry.type,
        "created": entry.created,
        "updated": entry.updated,
        "as_of": entry.as_of,
        "patch_id": entry.patch_id,
        "rev": entry.rev,
        "anchors": [write_anchor(anchor) for anchor in entry.anchors],
        "source": entry.source and plain(entry.source, ("kind", "ref", "quote")),
        "provenance": None if entry.provenance == "observed" else entry.provenance,
        "depends_on": [write_link(link) for link in entry.depends_on],
        "supersedes": list(entry.supersedes),
        "related": [plain(other, ("id", "relation", "score")) for other in entry.related],
        "tags": list(entry.tags),
        "reviewed": entry.reviewed and plain(entry.reviewed, ("by", "at", "how")),
        "promoted": entry.promoted and plain(entry.promoted, ("file", "digest")),
    }
    return filled(known, entry.extra)
