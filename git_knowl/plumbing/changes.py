"""Who changed or removed many paths last: one walk through history for all of them.

Asking path by path costs a walk each, and a formatter's commit can turn a thousand anchors at once.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from git_knowl.plumbing.history import Commit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from git_knowl.plumbing.repository import Repository

    Record = tuple[str, set[str], str]

# Git compares what it walks over with every pathspec; beyond this all paths are cheaper.
_PATHSPECS = 100
_TIMEOUT = 600.0
_LOG = (
    "log",
    "--format=%x01%H%x00%an%x00%ae%x00%at%x00%s",
    "--encoding=UTF-8",
    "--no-show-signature",
    "--no-color",
    "--no-ext-diff",
    "--no-renames",
    "--no-abbrev",
    "--raw",
    "-c",
    "-z",
)
# Settings that would hide the first commit, or follow one path through renames.
_CONFIG = ("log.showRoot=true", "log.follow=false", "diff.ignoreSubmodules=none")


@dataclass(frozen=True, slots=True)
class Trace:
    """What a history knows of a path.

    ``change`` is the commit that gave the path its present content, or removed it; None where that
    happened before the history begins or by choosing a side in a merge. ``known`` tells whether
    any commit had the path.
    """

    change: Commit | None
    known: bool


def last_changes(repo: Repository, rev: str, held: Mapping[str, str | None]) -> dict[str, Trace]:
    """Return what the history of a revision knows of each path.

    ``held`` gives the blob the revision itself holds at the path, None where it holds nothing.
    """
    present = {path: oid for path, oid in held.items() if oid is not None}
    absent = {path: repo.zero_id for path, oid in held.items() if oid is None}
    # A path that is gone may have lived and died on a side branch that simplification drops.
    traces = _walk(repo, rev, present, ())
    return traces | _walk(repo, rev, absent, ("--full-history",))


def changes_of(
    repo: Repository, rev: str, path: str, limit: int
) -> list[tuple[Commit, set[str], str]]:
    """Return the newest commits that changed a path, each with its ids before and after.

    A merge counts where it took neither side; a shallow end shows the path as new, and is left out.
    """
    ends = shallow_ends(repo)
    return [
        (commit, before, after)
        for commit, records in _commits(repo, rev, (f"-{limit}",), (path,))
        for _, before, after in records
        if commit.oid not in ends
    ]


def shallow_ends(repo: Repository) -> set[str]:
    """Return the commits at which the history of a shallow clone ends."""
    try:
        with open(os.path.join(repo.common_dir, "shallow"), encoding="ascii") as file:
            return set(file.read().split())
    except FileNotFoundError:
        return set()


def _walk(
    repo: Repository, rev: str, wanted: Mapping[str, str], options: tuple[str, ...]
) -> dict[str, Trace]:
    """Look for the newest commit that gave each path the wanted id, in growing windows."""
    window = len(wanted)
    while True:
        commits = list(_commits(repo, rev, (f"-{window}", *options), wanted))
        traces = _traces(commits, wanted, shallow_ends(repo))
        if len(commits) < window or all(trace.change for trace in traces.values()):
            return traces
        window *= 16


def _traces(
    commits: list[tuple[Commit, list[Record]]], wanted: Mapping[str, str], ends: Collection[str]
) -> dict[str, Trace]:
    changes: dict[str, Commit] = {}
    known: set[str] = set()
    for commit, records in commits:
        for path, before, after in records:
            known.add(path)
            # A shallow end shows every file as new, which says nothing about who changed it.
            if wanted.get(path) == after and after not in before and commit.oid not in ends:
                changes.setdefault(path, commit)
    return {path: Trace(changes.get(path), path in known) for path in wanted}


def _commits(
    repo: Repository, rev: str, options: tuple[str, ...], paths: Collection[str]
) -> Iterator[tuple[Commit, list[Record]]]:
    if not paths:
        return
    few = ("--", *paths) if len(paths) <= _PATHSPECS else ("--",)
    out = repo.git(*_LOG, *options, rev, *few, config=_CONFIG, timeout=_TIMEOUT)
    tokens = iter(out.split(b"\0"))
    commit: Commit | None = None
    records: list[Record] = []
    for token in tokens:
        if token.startswith(b"\x01"):
            if commit:
                yield commit, records
            commit, records = _commit(token, tokens), []
        elif token.lstrip(b"\n").startswith(b":"):
            path = os.fsdecode(next(tokens))
            if path in paths:
                records.append((path, *_ids(token)))
    if commit:
        yield commit, records


def _commit(first: bytes, tokens: Iterator[bytes]) -> Commit:
    author, email, stamp, subject = (next(tokens).decode("utf-8", "replace") for _ in range(4))
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(stamp)))
    return Commit(first[1:].decode("ascii"), author, email, at, subject)


def _ids(record: bytes) -> tuple[set[str], str]:
    """Read ``:MODES OLD-IDS NEW-ID STATUS``; a merge has a colon, a mode and an id per parent."""
    parents = record.count(b":")
    ids = record.decode("ascii").split()[parents + 1 : -1]
    return set(ids[:-1]), ids[-1]
