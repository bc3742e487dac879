"""Write entries into a folder: one Markdown document each, or one JSON file."""

from __future__ import annotations

import json
import os
from collections.abc import Container
from dataclasses import dataclass

from git_knowl.errors import KnowlError
from git_knowl.model.document import DocumentError, parse
from git_knowl.model.entry import LOCAL
from git_knowl.services import listing
from git_knowl.services.context import Context
from git_knowl.services.exchange.export_files import JSON_FILE, collect, documents, json_file
from git_knowl.services.files import is_git_folder, replace_file

MARKDOWN = "markdown"
JSON = "json"
FORMATS = (MARKDOWN, JSON)


class ExportError(KnowlError):
    """A folder that entries cannot be written into."""


@dataclass(frozen=True, slots=True)
class Exported:
    """The files written, relative to the folder, and what could not be exported.

    ``local`` counts the entries among them that are not meant to leave this clone, ``lost`` names
    the retired ones whose text is not in this clone, ``withheld`` those that are kept from the
    agent host that asks.
    """

    files: tuple[str, ...]
    local: int = 0
    damaged: tuple[listing.Damaged, ...] = ()
    lost: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()


def export(
    ctx: Context,
    folder: str,
    form: str = MARKDOWN,
    lane: str | None = None,
    *,
    with_retired: bool = False,
) -> Exported:
    """Write every live entry below a folder; what is there and no earlier export is left alone.

    With a ``lane`` only those of that lane. Other sides of conflicts and, on request, what was
    retired stand in folders of their own. An agent host gets what it may read, see `for_host`.

    Raises ExportError for a folder behind a link or inside a git directory, and for a file that is
    not ours, before anything is written.
    """
    full = os.path.join(ctx.caller.cwd, folder)
    check_folder(ctx, full)
    parts = collect(ctx, lane, with_retired=with_retired)
    files = json_file(ctx, parts) if form == JSON else documents(ctx, parts)
    known = {row.id for row in ctx.cache.entry_rows()} | {one.id for one in ctx.cache.retired()}
    for name in files:
        check_target(full, name, known)
    for name, data in files.items():
        replace_file(os.path.join(full, name), data)
    local = sum(row.lane == LOCAL for row in parts.rows)
    local += sum(one == LOCAL for one, _ in (*parts.conflicts, *parts.retired))
    lost = tuple(stone.name for stone in parts.lost)
    return Exported(tuple(files), local, listing.damaged(ctx), lost, parts.withheld)


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
