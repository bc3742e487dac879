"""A folder of decision records: MADR with its status in frontmatter, or a section as Nygard has it.

A record that was superseded, deprecated or rejected is left out. One that supersedes another names
the entry that came of that one, if it was imported before.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from git_knowl.errors import KnowlError
from git_knowl.services.exchange.found import Foreign, Found, LeftOut, Unreadable
from git_knowl.services.exchange.front import read_front, text_of
from git_knowl.services.exchange.walk import Place, files
from git_knowl.services.exchange.wording import (
    COMMENT,
    cut,
    described,
    first_sentence,
    flat,
    slug,
)
from git_knowl.services.guideline import headings

DECISIONS = "decisions"
TAG = "decision"
RECORD = re.compile(r"(?:adr|madr|decision)?[-_ ]?(\d{1,8})[-_ .].*\.md\Z", re.IGNORECASE)
TEMPLATE = re.compile(r"template", re.IGNORECASE)
ASIDE = re.compile(r"(?:readme|index)\.md\Z|.*template", re.IGNORECASE)
TITLE_NUMBER = re.compile(r"^(?:adr|madr)?[-\s#]*\d{1,8}[.:)\s\u2013\u2014-]+\s*", re.IGNORECASE)
STATUS_LINE = re.compile(r"^\s*[-*]?\s*\**status\**\s*:\**\s*(.+)$", re.IGNORECASE)
DATE_LINE = re.compile(r"^\s*[-*]?\s*\**(?:date|deciders?)\**\s*:", re.IGNORECASE)
OVER = re.compile(
    r"\b(superseded|deprecated|rejected|obsolete|replaced|withdrawn)\b", re.IGNORECASE
)
OPEN = re.compile(r"\b(proposed|draft|pending|in review|rfc)\b", re.IGNORECASE)
SUPERSEDES = re.compile(r"\b(?:supersedes|supercedes|replaces)\b(.*)", re.IGNORECASE)
NUMBER = re.compile(r"(?<![\w.])(?:adr[-_ ]?)?0*(\d{1,8})(?=\D|\Z)", re.IGNORECASE)
CHOSEN = re.compile(r"decision", re.IGNORECASE)
META = ("status", "date", "deciders", "decision makers")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of a record with the lines below it, up to the next heading of any level."""

    title: str
    level: int
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """One record: ``text`` is what it says without its status and date."""

    file: str
    number: int
    title: str
    status: str
    text: str
    decided: str
    superseded: tuple[int, ...] = ()

    @property
    def identity(self) -> dict[str, str]:
        """What stays when only the status changes."""
        return {"from": DECISIONS, "title": flat(self.title), "text": flat(self.text)}


def is_record_name(name: str) -> bool:
    """Tell whether a file is a decision record by its name."""
    return RECORD.match(name) is not None and not TEMPLATE.search(name)


def is_aside(name: str) -> bool:
    """Tell whether a file stands beside records wherever there are any."""
    return ASIDE.match(name) is not None


def read_decisions(place: Place) -> Iterator[Found]:
    """Yield the records of a place that still hold, and say which do not."""
    records: list[Record] = []
    for file in files(place, lambda name: name.endswith(".md")):
        shown = place.shown(file)
        if not is_record_name(os.path.basename(file)):
            yield LeftOut(shown, "its name has no number: it is no record")
            continue
        try:
            records.append(read_record(file, place.read(file)))
        except KnowlError as error:
            yield Unreadable(shown, error.message)
    by_number = {record.number: record for record in records}
    for record in records:
        yield taken(place, record, by_number)


def taken(place: Place, record: Record, others: Mapping[int, Record]) -> Found:
    """Return a record as a new entry, or why it is left out."""
    over = OVER.search(record.status)
    if over:
        told = cut(flat(record.status), 200)
        return LeftOut(place.shown(record.file), f"its status is '{told}'")
    return entry_of(place, record, others)


def entry_of(place: Place, record: Record, others: Mapping[int, Record]) -> Foreign:
    """Return a record that holds as a new entry."""
    older = [others[one] for one in record.superseded if one in others]
    title = record.title or slug(os.path.basename(record.file).removesuffix(".md"))
    hints = [f"the record is not decided yet: its status is '{cut(flat(record.status), 100)}'"]
    return Foreign(
        place.shown(record.file),
        {
            "name": slug(title) or f"{TAG}-{record.number}",
            "description": described(f"the decision '{cut(flat(title), 90)}'", record.decided),
            "type": "project",
            "body": f"# {flat(title)}\n\n{record.text}\n",
            "tags": [TAG],
            "source": {
                "kind": "session",
                "ref": f"import of {cut(place.origin(record.file), 1000)}",
            },
            "provenance": "stated",
        },
        record.identity,
        place.folder(record.file),
        tuple(hints) if OPEN.search(record.status) else (),
        tuple(one.identity for one in older),
    )


def read_record(file: str, text: str) -> Record:
    """Return what one record says."""
    front, body = read_front(text)
    found = RECORD.match(os.path.basename(file))
    number = int(found[1]) if found else 0
    title, sections = split_up(COMMENT.sub("", body))
    status = text_of(front, "status") or status_of(sections)
    kept = [one for one in sections if flat(one.title).lower().rstrip(":") not in META]
    return Record(
        file,
        number,
        TITLE_NUMBER.sub("", title).strip(),
        status,
        "\n\n".join(filter(None, map(section_text, kept))),
        decided(sections),
        tuple(superseded(number, front, sections)),
    )


def split_up(body: str) -> tuple[str, list[Section]]:
    """Return the title of a record and its sections; text before the first has no title."""
    lines = body.split("\n")
    found = list(headings(lines))
    title, begin = "", 0
    if found and found[0][1] == 1:
        title, begin = found[0][2], found[0][0] + 1
        found = found[1:]
    ends = [place for place, _, _ in found[1:]] + [len(lines)]
    first = found[0][0] if found else len(lines)
    sections = [Section("", 2, tuple(lines[begin:first]))]
    for (place, level, name), end in zip(found, ends, strict=False):
        sections.append(Section(name, level, tuple(lines[place + 1 : end])))
    return title, sections


def status_of(sections: Iterable[Section]) -> str:
    """Return the status of a record from its section, or from a line before the first one."""
    for one in sections:
        if flat(one.title).lower().rstrip(":") == "status":
            return " ".join(line.strip() for line in one.lines if line.strip())
        lines = (STATUS_LINE.match(line) for line in one.lines if not one.title)
        found = next(filter(None, lines), None)
        if found:
            return found[1]
    return ""


def section_text(one: Section) -> str:
    """Return a section as it stands in the entry, without lines that say who and when."""
    kept = [line for line in one.lines if not STATUS_LINE.match(line) and not DATE_LINE.match(line)]
    text = "\n".join(kept if not one.title else one.lines).strip("\n").rstrip()
    if not text.strip():
        return ""
    return f"{'#' * max(2, one.level)} {one.title}\n\n{text}" if one.title else text


def decided(sections: Iterable[Section]) -> str:
    """Return the sentence that says what was decided, "" where there is none."""
    with_one = (one for one in sections if CHOSEN.search(one.title))
    return next(filter(None, (first_sentence("\n".join(one.lines)) for one in with_one)), "")


def superseded(number: int, front: Mapping[str, Any], sections: Iterable[Section]) -> Iterator[int]:
    """Yield the numbers of the records that a record says it took the place of."""
    told = [line for one in sections for line in one.lines]
    told += [f"supersedes {text_of(dict(front), key)}" for key in ("supersedes", "replaces")]
    for line in told:
        found = SUPERSEDES.search(line)
        first = NUMBER.search(found[1]) if found else None
        if first and int(first[1]) != number:
            yield int(first[1])
