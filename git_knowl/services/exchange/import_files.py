"""The documents of a folder or file that is imported: read one by one, and never through a link."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from git_knowl.errors import KnowlError
from git_knowl.model import json_reader, limits
from git_knowl.model.document import parse, read
from git_knowl.model.entry import LANES, Entry
from git_knowl.model.faults import KEBAB_CASE
from git_knowl.model.fields import from_fields
from git_knowl.model.json_reader import JsonError
from git_knowl.services.exchange.export import FORMATS, JSON, JSON_FILE, JSON_FORMAT, MARKDOWN
from git_knowl.services.files import is_git_folder

__all__ = ["FORMATS", "JSON", "MARKDOWN", "Found", "Plain", "Unreadable", "Whole", "read_all"]

MOST_FILES = 10_000
MOST_BYTES = 64 * 1024 * 1024
SUFFIX = ".md"
_EXPORTED = "import what 'git knowl export' wrote, or a folder of Markdown documents"


class ImportPathError(KnowlError):
    """A path that holds nothing to import."""


@dataclass(frozen=True, slots=True)
class Whole:
    """An entry as `export` wrote it; ``lane`` is None where the place does not tell."""

    shown: str
    entry: Entry
    lane: str | None


@dataclass(frozen=True, slots=True)
class Plain:
    """The frontmatter that somebody wrote without this program, the body under ``body``."""

    shown: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A document that cannot be read; ``error`` says why."""

    shown: str
    error: str


Found: TypeAlias = Whole | Plain | Unreadable


def read_all(cwd: str, path: str, form: str | None) -> Iterator[Found]:
    """Yield what every document holds; raises ImportPathError where there is none.

    Without a form, the name of a file tells it, and what a folder holds.
    """
    full = os.path.join(cwd, path.rstrip("/") or path)
    if os.path.islink(full) or not os.path.exists(full):
        raise ImportPathError(f"'{path}' is no file or folder", "name what an export wrote")
    form = form or form_of(full, path)
    found = False
    for file in files(full, JSON_FILE if form == JSON else SUFFIX):
        found = True
        yield from read_file(file, os.path.relpath(file, cwd), form)
    if not found:
        raise ImportPathError(f"'{path}' holds no {form} document", "name another with --from")


def form_of(full: str, path: str) -> str:
    """Return what a file or folder holds; raises ImportPathError for a folder that holds both."""
    if not os.path.isdir(full):
        return JSON if path.endswith(".json") else MARKDOWN
    exports, documents = list(files(full, JSON_FILE)), any(files(full, SUFFIX))
    if documents and any(map(is_json_export, exports)):
        raise ImportPathError(
            f"'{path}' holds a {JSON_FILE} of 'git knowl export' and Markdown documents",
            f"say with --from which of them is meant: {JSON} or {MARKDOWN}",
        )
    return JSON if exports and not documents else MARKDOWN


def is_json_export(file: str) -> bool:
    """Tell whether a file is what `export --format json` writes."""
    try:
        with open(file, "rb") as stream:
            entry_objects(stream.read(MOST_BYTES))
    except (KnowlError, OSError):
        return False
    return True


def files(full: str, suffix: str) -> Iterator[str]:
    """Yield a file itself, or the regular files of a suffix below a folder, in order."""
    if not os.path.isdir(full):
        yield full
        return
    count = 0
    for folder, folders, names in os.walk(full):
        folders[:] = sorted(name for name in folders if not is_git_folder(name))
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith(suffix) and os.path.isfile(path) and not os.path.islink(path):
                count += 1
                if count > MOST_FILES:
                    raise ImportPathError(
                        f"'{full}' holds more than {MOST_FILES} documents",
                        "import its folders one by one",
                    )
                yield path


def read_file(file: str, shown: str, form: str) -> Iterator[Found]:
    """Yield what a file holds: one document, or as many as are in a JSON file."""
    try:
        with open(file, "rb") as stream:
            data = stream.read(MOST_BYTES if form == JSON else limits.DOCUMENT_BYTES + 1)
        if form == JSON:
            yield from read_json(data, shown)
        else:
            yield read_document(data, shown)
    except KnowlError as error:
        yield Unreadable(shown, error.message)
    except OSError as error:
        yield Unreadable(shown, error.strerror or "it cannot be read")


def read_document(data: bytes, shown: str) -> Found:
    """Return what a Markdown document holds; raises DocumentError."""
    fields, body = read(data)
    folder, file = os.path.split(shown)
    if "id" in fields:
        lane = os.path.basename(folder)
        return Whole(shown, parse(data), lane if lane in LANES else None)
    name = file.removesuffix(SUFFIX)
    named = {"name": name} if KEBAB_CASE.fullmatch(name) else {}
    return Plain(shown, {**named, **fields, "body": body})


def read_json(data: bytes, shown: str) -> Iterator[Found]:
    """Yield the entries of a JSON file; raises ImportPathError when it is none of ours."""
    for place, one in enumerate(entry_objects(data)):
        yield read_object(one, f"{shown}: entries.{place}")


def entry_objects(data: bytes) -> list[Any]:
    """Return the list of entries in a JSON file; raises ImportPathError when it is none of ours."""
    try:
        whole = json_reader.read_json(data)
    except JsonError as error:
        raise ImportPathError(f"expected JSON: {error}", _EXPORTED) from error
    is_ours = isinstance(whole, dict) and whole.get("format") == JSON_FORMAT
    if not is_ours or not isinstance(whole.get("entries"), list):
        raise ImportPathError(
            f"expected what 'export --format json' writes, format {JSON_FORMAT}", _EXPORTED
        )
    entries: list[Any] = whole["entries"]
    return entries


def read_object(one: object, shown: str) -> Found:
    """Return the entry of one object of the list."""
    if not isinstance(one, dict):
        return Unreadable(shown, "expected an object")
    fields = {key: told for key, told in one.items() if key not in ("lane", "body")}
    try:
        entry = from_fields(fields, str(one.get("body", "")))
    except KnowlError as error:
        return Unreadable(shown, error.message)
    lane = one.get("lane")
    return Whole(shown, entry, lane if lane in LANES else None)
