"""Write all live entries into a folder: one Markdown document each, or one JSON file."""

from __future__ import annotations

import json
import os
from collections.abc import Container, Iterable
from dataclasses import dataclass

from git_knowl.errors import KnowlError
from git_knowl.model.document import DocumentError, parse
from git_knowl.model.entry import LOCAL, Entry
from git_knowl.model.fields import to_fields
from git_knowl.services import listing
from git_knowl.services.context import Context
from git_knowl.services.files import is_git_folder, replace_file
from git_knowl.store.cache import EntryRow

MARKDOWN = "markdown"
JSON = "json"
FORMATS = (MARKDOWN, JSON)
JSON_FILE = "knowledge.json"
JSON_FORMAT = 1


class ExportError(KnowlError):
    """A folder that entries cannot be written into."""


@dataclass(frozen=True, slots=True)
class Exported:
    """The files written, relative to the folder, and what could not be exported.

    ``local`` counts the entries among them that are not meant to leave this clone.
    """

    files: tuple[str, ...]
    local: int = 0
    damaged: tuple[listing.Damaged, ...] = ()


def export(ctx: Context, folder: str, form: str = MARKDOWN, lane: str | None = None) -> Exported:
    """Write every live entry below a folder; what is there and no earlier export is left alone.

    With a ``lane`` only those of that lane.

    Raises ExportError for a folder behind a link or inside a git directory, and for a file that is
    not ours, before anything is written.
    """
    full = os.path.join(ctx.caller.cwd, folder)
    check_folder(ctx, full)
    every = ctx.cache.entry_rows()
    rows = [row for row in every if lane in (None, row.lane)]
    files = json_file(ctx, rows) if form == JSON else documents(ctx, rows)
    known = {row.id for row in every} | {one.id for one in ctx.cache.retired()}
    for name in files:
        check_target(full, name, known)
    for name, data in files.items():
        replace_file(os.path.join(full, name), data)
    local = sum(row.lane == LOCAL for row in rows)
    return Exported(tuple(files), local, listing.damaged(ctx))


def documents(ctx: Context, rows: Iterable[EntryRow]) -> dict[str, bytes]:
    """Return the document of every entry, byte for byte as it is stored, by lane and name."""
    stored = dict(ctx.cache.documents())
    return {f"{row.lane}/{row.name}.md": stored[row.id] for row in rows}


def json_file(ctx: Context, rows: Iterable[EntryRow]) -> dict[str, bytes]:
    """Return one JSON document: the frontmatter fields, lane and body of every entry."""
    entries = {entry.id: entry for entry in ctx.cache.entries()}
    told = [as_json(entries[row.id], row.lane) for row in rows]
    text = json.dumps({"format": JSON_FORMAT, "entries": told}, indent=1, ensure_ascii=False)
    return {JSON_FILE: text.encode() + b"\n"}


def as_json(entry: Entry, lane: str) -> dict[str, object]:
    """Return one entry of the JSON document."""
    return {**to_fields(entry), "lane": lane, "body": entry.body}


def check_folder(ctx: Context, full: str) -> None:
    """Raise ExportError unless files may be written below a folder."""
    if os.path.islink(full.rstrip("/")) or (os.path.lexists(full) and not os.path.isdir(full)):
        raise ExportError(f"'{full}' is no folder of its own", "name a new or an ordinary folder")
    real = os.path.realpath(full)
    git_folders = [os.path.realpath(one) for one in (ctx.repo.git_dir, ctx.repo.common_dir)]
    if any(is_git_folder(part) for part in real.split(os.sep)) or any(
        os.path.commonpath((real, one)) == one for one in git_folders
    ):
        raise ExportError(f"'{full}' is inside a git directory", "name another folder")


def check_target(folder: str, name: str, known: Container[str]) -> None:
    """Raise ExportError when a file would replace something that is no export of this store."""
    path = os.path.join(folder, name)
    lane = os.path.dirname(path)
    if os.path.islink(path) or os.path.islink(lane):
        raise ExportError(f"'{path}' is behind a link", "export into another folder")
    if os.path.lexists(lane) and not os.path.isdir(lane):
        raise ExportError(f"'{lane}' is there and no folder", "export into another folder")
    if os.path.lexists(path) and not is_export(path, known):
        raise ExportError(f"'{path}' is there and no entry of ours", "export into another folder")


def is_export(path: str, known: Container[str]) -> bool:
    """Tell whether a file holds entries of the known ids and nothing else."""
    try:
        with open(path, "rb") as file:
            data = file.read()
        if path.endswith(JSON_FILE):
            return all(one["id"] in known for one in json.loads(data)["entries"])
        return parse(data).id in known
    except (OSError, ValueError, LookupError, TypeError, DocumentError):
        return False
