"""What an export holds, as files by their path below its folder: all made before any is written."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from git_knowl.model.document import DocumentError, parse, render
from git_knowl.model.entry import Entry
from git_knowl.model.fields import to_fields
from git_knowl.model.tiers import UNATTENDED
from git_knowl.services.context import Context
from git_knowl.services.retire import last_state
from git_knowl.services.retired import RestoreError, retired
from git_knowl.services.trust.tiers import is_withheld, tier_of_text, tiers_of
from git_knowl.store import layout
from git_knowl.store.cache import EntryRow, Retired
from git_knowl.store.state import Doors, read_doors
from git_knowl.store.view import LANES

JSON_FILE = "knowledge.json"
JSON_FORMAT = 1
SUFFIX = layout.ENTRY_SUFFIX
CONFLICTS = "conflicts"
RETIRED = "retired"
#: What an object of the JSON file has besides the frontmatter, whose keys of these names are
#: written with a tilde before them.
OWN_KEYS = ("lane", "body")
SHORT_DIGEST = 12
#: Names that some file systems keep for devices, whatever follows the first dot.
DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{one}" for port in ("com", "lpt") for one in range(10)))
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Parts:
    """What is to be written: live documents by row, other sides of conflicts, retired texts.

    ``lost`` are retired entries whose text this clone does not hold, ``withheld`` the names of
    those that are kept from whoever asks.
    """

    rows: tuple[EntryRow, ...]
    conflicts: tuple[tuple[str, bytes], ...] = ()
    retired: tuple[tuple[str, Entry], ...] = ()
    lost: tuple[Retired, ...] = ()
    withheld: tuple[str, ...] = ()


def collect(ctx: Context, lane: str | None, *, with_retired: bool) -> Parts:
    """Return what is live, of one lane or of both, and on request what was retired.

    An agent host gets what it may read of it.
    """
    rows = tuple(row for row in ctx.cache.entry_rows() if lane in (None, row.lane))
    sides = tuple(other_sides(ctx, lane))
    stones = [one for one in retired(ctx) if lane in (None, one.lane)] if with_retired else []
    found = [(stone, retired_entry(ctx, stone)) for stone in stones]
    kept = tuple((stone.lane, entry) for stone, entry in found if entry is not None)
    lost = tuple(stone for stone, entry in found if entry is None)
    parts = Parts(rows, sides, kept, lost)
    return parts if ctx.caller.host is None else for_host(ctx, parts)


def for_host(ctx: Context, parts: Parts) -> Parts:
    """Return the parts without what `show` refuses an agent host: tiers, and sides of conflicts.

    Retired texts have the tier they would have if they were live; signatures are left out there.
    """
    tiers, doors = tiers_of(ctx, parts.rows), read_doors(ctx.store.view())
    kept = {row.id for row in parts.rows if row.conflict or is_withheld(ctx, tiers[row.id])}
    gone = [(lane, one) for lane, one in parts.retired if not is_withheld(ctx, said(one, doors))]
    left = {one.id for _, one in gone}
    names = [row.name for row in parts.rows if row.id in kept]
    names += [one.name for _, one in parts.retired if one.id not in left]
    rows = tuple(row for row in parts.rows if row.id not in kept)
    return Parts(rows, (), tuple(gone), parts.lost, tuple(names))


def said(entry: Entry, doors: Doors) -> str:
    """Return the tier of a retired text."""
    how = entry.reviewed.how if entry.reviewed else ""
    return tier_of_text((entry.id, entry.digest), doors, is_unattended=how == UNATTENDED)


def other_sides(ctx: Context, lane: str | None) -> Iterator[tuple[str, bytes]]:
    """Yield lane and document of the sides of conflicts that are not live."""
    view = ctx.store.view()
    for one in LANES:
        if lane in (None, one):
            files = [
                blob for path, blob in view.lane(one).files(CONFLICTS) if path.endswith(SUFFIX)
            ]
            yield from ((one, data) for _, data in view.read_blobs(files))


def retired_entry(ctx: Context, stone: Retired) -> Entry | None:
    """Return what a retired entry said last, with who retired it and why; None if that is lost."""
    try:
        entry = last_state(ctx, stone)
    except RestoreError:
        return None
    told = {"reason": stone.reason, "by": stone.by, "at": stone.at, "lane": stone.lane}
    return replace(entry, extra={**entry.extra, RETIRED: told})


def documents(ctx: Context, parts: Parts) -> dict[str, bytes]:
    """Return one document a text: live ones, byte for byte as stored, in a folder a lane."""
    stored = dict(ctx.cache.documents())
    files = {f"{row.lane}/{file_name(row.name)}": stored[row.id] for row in parts.rows}
    for _, data in parts.conflicts:
        side = readable(data)
        if side is not None:
            files[f"{CONFLICTS}/{file_name(side.name, side.digest[:SHORT_DIGEST])}"] = data
    for _, entry in parts.retired:
        files[f"{RETIRED}/{file_name(entry.name, entry.id)}"] = render(entry)
    return files


def file_name(name: str, mark: str = "") -> str:
    """Return the name of a document that any file system takes, told apart by a mark."""
    base = f"{name}~{mark}" if mark else name
    return f"{base}{'_' if base in DEVICES else ''}{SUFFIX}"


def json_file(ctx: Context, parts: Parts) -> dict[str, bytes]:
    """Return one JSON document: frontmatter, lane and body of every text."""
    entries = {entry.id: entry for entry in ctx.cache.entries()}
    sides = ((lane, readable(data)) for lane, data in parts.conflicts)
    whole: dict[str, Any] = {
        "format": JSON_FORMAT,
        "entries": listed((row.lane, entries[row.id]) for row in parts.rows),
    }
    for key, told in ((CONFLICTS, sides), (RETIRED, parts.retired)):
        more = listed(told)
        whole |= {key: more} if more else {}
    text = json.dumps(whole, indent=1, ensure_ascii=False)
    return {JSON_FILE: text.encode() + b"\n"}


def listed(texts: Iterable[tuple[str, Entry | None]]) -> list[dict[str, object]]:
    """Return entries as the JSON file lists them."""
    return [as_json(entry, lane) for lane, entry in texts if entry is not None]


def as_json(entry: Entry, lane: str) -> dict[str, object]:
    """Return one entry of the JSON document."""
    fields = {escaped(key): told for key, told in to_fields(entry).items()}
    return {**fields, "lane": lane, "body": entry.body}


def escaped(key: str) -> str:
    """Return a key of the frontmatter as it stands beside lane and body."""
    return f"~{key}" if key.lstrip("~") in OWN_KEYS else key


def unescaped(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the frontmatter of an object of the JSON file."""
    return {
        key[1:] if key.startswith("~") and key.lstrip("~") in OWN_KEYS else key: told
        for key, told in fields.items()
        if key not in OWN_KEYS
    }


def readable(data: bytes) -> Entry | None:
    """Return the entry of a document, or None for one that is damaged."""
    try:
        return parse(data)
    except DocumentError:
        return None
