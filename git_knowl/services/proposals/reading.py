"""A tree of proposals as somebody else left it: read up to a limit, record by record.

It looks like the inbox: `flags/` and `drafts/` with a record each, and a `format`. What is no such
record is told and skipped, and hides no other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from git_knowl.errors import KnowlError
from git_knowl.model.draft import Draft
from git_knowl.model.flag import Flag
from git_knowl.plumbing.objects import ObjectError
from git_knowl.plumbing.process import GitError
from git_knowl.services.context import Context
from git_knowl.services.filters.nesting import is_too_deep
from git_knowl.store import drafts, flags, layout, records, trees

#: So many records of one sender are looked at, the latest first.
MOST_RECORDS = 2_000
#: Bytes of a record: a draft of the longest entry, every character of it escaped.
LARGEST = 1_000_000
#: So many names in one folder; a shard of two letters has room for all that is read.
MOST_NAMES = 4_096
FOLDERS = (layout.FLAGS, layout.DRAFTS)


@dataclass(frozen=True, slots=True)
class Listed:
    """What a tree of proposals holds: the root, blobs by path, and what is told of the rest."""

    root: str | None
    blobs: dict[str, str]
    faults: tuple[str, ...] = ()


class Garbage(KnowlError):
    """A ref that holds no proposals."""


def listing(ctx: Context, commit: str) -> Listed:
    """Return the records of a commit by path; raises Garbage for what is no tree of proposals.

    Raises FormatError for one that needs a newer program.
    """
    try:
        root = ctx.objects.read_commit(commit).tree
        top = {name: (mode, oid) for mode, name, oid in ctx.objects.read_tree(root)}
        check_format(ctx, top)
        found = [one for folder in FOLDERS for one in in_folder(ctx, folder, top.get(folder))]
    except (ObjectError, GitError) as error:
        raise Garbage(f"it cannot be read: {error.message}") from error
    blobs = {path: oid for path, oid in found if is_record(path)}
    strange = len(found) - len(blobs) + len(top.keys() - {*FOLDERS, layout.FORMAT_FILE})
    faults = [f"{strange} of its files are no flags or drafts"] if strange else []
    return Listed(root, *within(blobs, faults))


def check_format(ctx: Context, top: dict[str, tuple[str, str]]) -> None:
    """Raise Garbage or FormatError unless a tree says that it is read as ours is."""
    mode, oid = top.get(layout.FORMAT_FILE, ("", ""))
    if not oid or trees.is_tree(mode) or size(ctx, [oid])[oid] > LARGEST:
        raise Garbage("it says nothing of its format")
    layout.check_readable("proposals", next(iter(ctx.objects.read_blobs([oid])))[1])


def in_folder(ctx: Context, folder: str, item: tuple[str, str] | None) -> Iterator[tuple[str, str]]:
    """Yield path and blob of what stands in the shards of a folder, as far as it is read."""
    shards = ctx.objects.read_tree(item[1]) if item and trees.is_tree(item[0]) else []
    for mode, shard, oid in shards[:MOST_NAMES]:
        inside = ctx.objects.read_tree(oid) if trees.is_tree(mode) else [(mode, "", oid)]
        for kind, name, blob in inside[:MOST_NAMES]:
            path = f"{folder}/{shard}/{name}"
            yield (f"{path}/" if trees.is_tree(kind) else path), blob


def is_record(path: str) -> bool:
    """Tell whether a path is that of a flag or draft."""
    return any(layout.parse_record_path(folder, path) for folder in FOLDERS)


def within(blobs: dict[str, str], faults: list[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return the latest records, as many as are read, and what is told of the others."""
    if len(blobs) <= MOST_RECORDS:
        return blobs, tuple(faults)
    latest = sorted(blobs, key=lambda path: path.rpartition("/")[2], reverse=True)[:MOST_RECORDS]
    told = f"it has {len(blobs)} flags and drafts: the latest {MOST_RECORDS} are looked at"
    return {path: blobs[path] for path in latest}, (*faults, told)


def size(ctx: Context, blobs: list[str]) -> dict[str, int]:
    """Return the size of objects in bytes, 0 for one that is not there."""
    asked = "".join(f"{blob}\n" for blob in blobs).encode()
    out = ctx.repo.git("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=asked)
    pairs = (line.partition(" ") for line in out.decode("ascii", "replace").splitlines())
    return {oid: int(told) if told.isdigit() else 0 for oid, _, told in pairs}


def read_records(ctx: Context, found: Listed) -> Iterator[Flag | Draft | str]:
    """Yield every flag and draft, flags first, or in a sentence why it is none."""
    sizes = size(ctx, list(dict.fromkeys(found.blobs.values()))) if found.blobs else {}
    for path in sorted(found.blobs, key=lambda one: (not one.startswith(layout.FLAGS), one)):
        blob = found.blobs[path]
        if sizes.get(blob, 0) > LARGEST:
            yield f"{path}: expected at most {LARGEST} bytes, got {sizes[blob]}"
            continue
        try:
            yield decoded(path, next(iter(ctx.objects.read_blobs([blob])))[1])
        except (KnowlError, RecursionError) as error:
            yield f"{path}: {getattr(error, 'message', 'it is nested too deeply')}"


def decoded(path: str, data: bytes) -> Flag | Draft:
    """Return the flag or draft of a record; raises RecordError, or RecursionError when too deep."""
    if is_too_deep(records.load(data)):
        raise records.RecordError("expected plain values, got some that are nested too deeply")
    one: Flag | Draft
    if path.startswith(layout.DRAFTS):
        one = drafts.decode(data)
        records.check_path(path, drafts.draft_path(one.id))
    else:
        one = flags.decode(data)
        records.check_path(path, flags.flag_path(one.id))
    return one
