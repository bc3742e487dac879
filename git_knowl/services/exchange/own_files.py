"""Entries as `export` wrote them, and Markdown with the frontmatter of one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

from git_knowl.errors import KnowlError
from git_knowl.model import json_reader, limits
from git_knowl.model.document import read
from git_knowl.model.entry import LANES
from git_knowl.model.faults import KEBAB_CASE
from git_knowl.model.fields import from_fields
from git_knowl.model.json_reader import JsonError
from git_knowl.services.exchange.export_files import (
    CONFLICTS,
    JSON_FORMAT,
    RETIRED,
    SUFFIX,
    unescaped,
)
from git_knowl.services.exchange.found import (
    Found,
    ImportPathError,
    LeftOut,
    Plain,
    Unreadable,
    Whole,
)
from git_knowl.services.exchange.walk import Place, files, is_regular, read_bytes
from git_knowl.services.filters.nesting import DEEPEST, is_too_deep

MOST_BYTES = 64 * 1024 * 1024
_EXPORTED = "import what 'git knowl export' wrote, or a folder of Markdown documents"
_OTHER_SIDE = "it is the other side of a conflict"


def read_documents(place: Place) -> Iterator[Found]:
    """Yield what every Markdown document of a place holds."""
    for file in files(place, lambda name: name.endswith(SUFFIX)):
        shown = place.shown(file)
        try:
            yield read_document(place, file, read_bytes(file, limits.DOCUMENT_BYTES + 1))
        except KnowlError as error:
            yield Unreadable(shown, error.message)


def read_document(place: Place, file: str, data: bytes) -> Found:
    """Return what a Markdown document holds; raises DocumentError."""
    fields, body = read(data)
    shown, (folder, name) = place.shown(file), os.path.split(file)
    if "id" in fields:
        return whole(shown, fields, body, os.path.basename(folder))
    name = name.removesuffix(SUFFIX)
    named = {"name": name} if KEBAB_CASE.fullmatch(name) else {}
    return Plain(shown, {**named, **fields, "body": body}, place.origin(file))


def whole(shown: str, fields: Mapping[str, Any], body: str, folder: str) -> Found:
    """Return an exported document, unless it is one that is not live; raises DocumentError."""
    if RETIRED in fields:
        return LeftOut(shown, gone(fields[RETIRED]))
    if folder == CONFLICTS:
        return LeftOut(shown, _OTHER_SIDE)
    return Whole(shown, from_fields(fields, body), folder if folder in LANES else None)


def gone(told: object) -> str:
    """Return why a retired entry is left out."""
    reason = told.get("reason") if isinstance(told, Mapping) else None
    return f"it was retired ({reason})" if isinstance(reason, str) else "it was retired"


def json_files(place: Place) -> list[str]:
    """Return the JSON files right in a folder, or the file itself."""
    if not place.is_folder:
        return [place.full]
    inside = (os.path.join(place.full, name) for name in sorted(os.listdir(place.full)))
    return [file for file in inside if file.endswith(".json") and is_regular(file)]


def read_json(place: Place) -> Iterator[Found]:
    """Yield the entries of a JSON file; in a folder, those of exports rather than of others."""
    every = json_files(place)
    for file in [one for one in every if is_json_export(one)] or every:
        shown = place.shown(file)
        try:
            yield from read_objects(shown, read_bytes(file, MOST_BYTES))
        except KnowlError as error:
            yield Unreadable(shown, error.message)


def read_objects(shown: str, data: bytes) -> Iterator[Found]:
    """Yield what a JSON file lists; raises ImportPathError when it is none of ours."""
    told = export_object(data)
    for number, one in enumerate(told["entries"]):
        yield read_object(one, f"{shown}: entries.{number}")
    for key, reason in ((CONFLICTS, _OTHER_SIDE), (RETIRED, None)):
        others = told.get(key)
        for number, one in enumerate(others if isinstance(others, list) else ()):
            fields = one if isinstance(one, dict) else {}
            yield LeftOut(f"{shown}: {key}.{number}", reason or gone(fields.get(RETIRED)))


def export_object(data: bytes) -> dict[str, Any]:
    """Return what a JSON export holds; raises ImportPathError when it is none of ours."""
    try:
        whole_file = json_reader.read_json(data)
    except JsonError as error:
        raise ImportPathError(f"expected JSON: {error}", _EXPORTED) from error
    is_ours = isinstance(whole_file, dict) and whole_file.get("format") == JSON_FORMAT
    if not is_ours or not isinstance(whole_file.get("entries"), list):
        raise ImportPathError(
            f"expected what 'export --format json' writes, format {JSON_FORMAT}", _EXPORTED
        )
    found: dict[str, Any] = whole_file
    return found


def is_json_export(file: str) -> bool:
    """Tell whether a file is what `export --format json` writes."""
    try:
        export_object(read_bytes(file, MOST_BYTES))
    except KnowlError:
        return False
    return True


def read_object(one: object, shown: str) -> Found:
    """Return the entry of one object of the list."""
    if not isinstance(one, dict):
        return Unreadable(shown, "expected an object")
    if is_too_deep(one):
        return Unreadable(shown, f"expected at most {DEEPEST} levels, got more")
    try:
        entry = from_fields(unescaped(one), str(one.get("body", "")))
    except KnowlError as error:
        return Unreadable(shown, error.message)
    lane = one.get("lane")
    return Whole(shown, entry, lane if lane in LANES else None)
