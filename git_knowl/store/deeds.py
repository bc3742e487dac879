"""What the operations did to entries, read from the history of the shared lane in one go."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from git_knowl.model.entry import Entry
from git_knowl.plumbing import refs
from git_knowl.plumbing.repository import Repository
from git_knowl.store import layout, tombstones
from git_knowl.store.records import RecordError
from git_knowl.store.snapshot import decode
from git_knowl.store.transaction import AT
from git_knowl.store.view import View

_File = tuple[str, str, str]

CAPTURED = "captured"
VERIFIED = "verified"
RETIRED = "retired"
#: So many blobs are held in memory at a time.
_BATCH = 500
_TIMEOUT = 600.0
_LOG = (
    "log",
    "--topo-order",
    "--reverse",
    "--min-parents=1",
    "--no-merges",
    "--full-history",
    f"--format=%x01%(trailers:key={AT},valueonly,separator=%x20)",
    "--no-show-signature",
    "--no-color",
    "--no-renames",
    "--no-abbrev",
    "--raw",
    "-r",
    "-z",
)


@dataclass(frozen=True, slots=True)
class Deed:
    """Something that happened to an entry, at a commit of the code where one is known.

    ``patch_id`` is that of the commit, where the entry tells it.
    """

    word: str
    name: str
    commit: str | None
    patch_id: str | None = None


@dataclass(frozen=True, slots=True)
class _Step:
    """An entry file or tombstone that an operation wrote: its blobs before and after.

    ``is_back`` tells that the entry was there under another name, or was retired.
    """

    at: str | None
    path: str
    old: str | None
    new: str
    is_back: bool


def deeds(repo: Repository, view: View, since: str | None, most: int | None = None) -> list[Deed]:
    """Return what the operations of the shared lane did, the oldest first; ``since`` starts after.

    An edit, a rename and a restore are told by no word of their own. ``most`` keeps to the newest
    operations and files, so that a long history costs no more than a short one.
    """
    tip = view.commits.get(refs.ENTRIES)
    if tip is None or tip == since:
        return []
    paths = (layout.ENTRIES, layout.RETIRED)
    out = repo.git(*_LOG, *_range(tip, since, most), "--", *paths, timeout=_TIMEOUT)
    steps = [step for at, files in _operations(out) for step in _steps(at, files)]
    steps = steps if most is None else steps[-most:]
    batches = (steps[start : start + _BATCH] for start in range(0, len(steps), _BATCH))
    return [deed for batch in batches for deed in _told(view, batch)]


def _range(tip: str, since: str | None, most: int | None) -> tuple[str, ...]:
    """Return what `git log` is asked for."""
    limit = () if most is None else (f"-{most}",)
    return (*limit, tip) if since is None else (*limit, tip, f"^{since}")


def is_in_history(repo: Repository, commit: str, view: View) -> bool:
    """Tell whether a commit is one of those that lead to the tip of the shared lane."""
    tip = view.commits.get(refs.ENTRIES)
    return bool(tip) and repo.run("merge-base", "--is-ancestor", commit, str(tip)).code == 0


def _operations(out: bytes) -> Iterator[tuple[str | None, list[_File]]]:
    """Yield each operation with the commit it names and (path, blob before, blob after)."""
    tokens = iter(os.fsdecode(out).split("\0"))
    at: str | None = None
    files: list[_File] = []
    for token in tokens:
        line = token.lstrip("\n")
        if line.startswith("\x01"):
            yield at, files
            at, files = line[1:].strip() or None, []
        elif line.startswith(":"):
            _, _, old, new, _ = line.split(" ")
            files.append((next(tokens), old, new))
    yield at, files


def _steps(at: str | None, files: list[_File]) -> Iterator[_Step]:
    gone = {_id(path) for path, _, new in files if not new.strip("0")}
    for path, old, new in files:
        if new.strip("0"):
            yield _Step(at, path, old if old.strip("0") else None, new, _id(path) in gone)


def _id(path: str) -> str | None:
    found = layout.parse_entry_path(path)
    return found[0] if found else layout.parse_record_path(layout.RETIRED, path)


def _told(view: View, steps: list[_Step]) -> Iterator[Deed]:
    wanted = [blob for step in steps for blob in (step.old, step.new) if blob]
    contents = zip(wanted, view.read_each(wanted), strict=True)
    known = {blob: data for blob, data in contents if isinstance(data, bytes)}
    for step in steps:
        found = _deed(step, known.get(step.old or ""), known.get(step.new))
        if found:
            yield found


def _deed(step: _Step, old: bytes | None, new: bytes | None) -> Deed | None:
    if new is None:
        return None
    if layout.parse_record_path(layout.RETIRED, step.path):
        return _retirement(step, new) if step.old is None else None
    entry = decode(step.path, new)
    if not isinstance(entry, Entry):
        return None
    if step.old is None:
        return None if step.is_back else _capture(step, entry)
    before = decode(step.path, old) if old else None
    return Deed(VERIFIED, entry.name, step.at) if _is_verified(before, entry) else None


def _capture(step: _Step, entry: Entry) -> Deed:
    if entry.as_of is None:
        return Deed(CAPTURED, entry.name, step.at)
    return Deed(CAPTURED, entry.name, entry.as_of, entry.patch_id)


def _is_verified(before: Entry | str | None, entry: Entry) -> bool:
    """Tell whether the text stayed and the evidence did not."""
    if not isinstance(before, Entry):
        return False
    return before.digest == entry.digest and before.evidence != entry.evidence


def _retirement(step: _Step, data: bytes) -> Deed | None:
    try:
        return Deed(RETIRED, tombstones.decode(data).name, step.at)
    except RecordError:
        return None
