"""The history of a remote: commits of a store and no others, bounded, and sound to git.

A tip may look like a store and have anything behind it: the history of the code, a message of many
megabytes, folders that git refuses to pass on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from git_knowl.plumbing import fsck
from git_knowl.plumbing.objects import object_id
from git_knowl.plumbing.remote import BadObjects
from git_knowl.plumbing.repository import Repository
from git_knowl.services.sync.place import NOTHING, Place, no_store
from git_knowl.store import layout
from git_knowl.store.store import Store

MOST_COMMITS = 1_000_000
#: Bytes of a commit. One that joins stores names each entry that neither side had so, in a line of
#: some 50 bytes; whatever is larger was made for harm.
LARGEST = 4_000_000
#: Bytes of a format file, which says two numbers.
LARGEST_FORMAT = 1_000
_TIMEOUT = 600.0


@dataclass(frozen=True, slots=True)
class _Seen:
    """What git says of one object: kind and size, "missing" and 0 for one that is not there."""

    oid: str
    kind: str
    size: int


def check(store: Store, place: Place, theirs: str, ours: str | None) -> None:
    """Raise unless every commit that leads to ``theirs`` and not to ``ours`` is one of a store.

    NoStoreError for what is none, or too large; BadObjects for what git itself would not pass on,
    whether a fetch brought it or it was here already.
    """
    known = (f"^{ours}",) if ours else ()
    asked = ("rev-list", "--objects", "--filter=blob:none", theirs, *known)
    listed = store.repo.git(*asked, timeout=_TIMEOUT)
    commits = [line for line in listed.decode("ascii", "replace").splitlines() if " " not in line]
    if len(commits) > MOST_COMMITS:
        raise no_store(place, f"its history has more than {MOST_COMMITS} commits")
    formats = [f"{commit}:{layout.FORMAT_FILE}" for commit in commits]
    seen = list(_look(store.repo, [*commits, *formats]))
    _check_sizes(place, seen[: len(commits)])
    told = fsck.complaint(store.repo, listed)
    if told:
        raise BadObjects(
            f"'{place.remote}' shows objects that git refuses: {told}",
            f"{NOTHING}; whoever keeps that remote can say where they come from",
        )
    good = _formats(store, seen[len(commits) :])
    found = zip(commits, seen[len(commits) :], strict=True)
    _check_empty(store.repo, place, [commit for commit, one in found if one.oid not in good])


def _check_sizes(place: Place, commits: list[_Seen]) -> None:
    for seen in commits:
        if seen.size > LARGEST:
            raise no_store(
                place,
                f"commit {seen.oid[:10]} has {seen.size} bytes, expected at most {LARGEST}",
                _way_out(place, seen.oid),
            )


def _check_empty(repo: Repository, place: Place, commits: list[str]) -> None:
    """Raise for a commit without the format of a store, unless it holds nothing at all."""
    empty = object_id("tree", b"", repo.object_format)
    trees = _look(repo, [f"{commit}^{{tree}}" for commit in commits])
    for commit, tree in zip(commits, trees, strict=True):
        if tree.oid != empty:
            raise no_store(
                place,
                f"commit {commit[:10]} in its history is none of a store",
                _way_out(place, commit),
            )


def _formats(store: Store, seen: Iterable[_Seen]) -> set[str]:
    """Return the ids of the files that say a format, among what stands where one should."""
    ours = object_id("blob", layout.FORMAT_TEXT, store.repo.object_format)
    found = {one.oid: one for one in seen}
    return {oid for oid, one in found.items() if oid == ours or _is_format(store, one)}


def _is_format(store: Store, seen: _Seen) -> bool:
    if seen.kind != "blob" or seen.size > LARGEST_FORMAT:
        return False
    ((_, text),) = store.db.read_blobs([seen.oid])
    return layout.read_format(text) is not None


def _way_out(place: Place, commit: str) -> str:
    return (
        f"{NOTHING}; whoever may write to '{place.remote}' can put"
        f" {place.ref} back to a commit that does not have {commit[:10]} behind it"
    )


def _look(repo: Repository, names: list[str]) -> Iterator[_Seen]:
    """Yield what git says of each name, in order."""
    if not names:
        return
    asked = "".join(f"{name}\n" for name in names).encode()
    form = "--batch-check=%(objectname) %(objecttype) %(objectsize)"
    out = repo.git("cat-file", form, stdin=asked, timeout=_TIMEOUT)
    for line in out.decode("ascii", "replace").splitlines():
        oid, kind, size = (*line.split(" "), "", "")[:3]
        yield _Seen(oid, kind, int(size) if size.isdigit() else 0)
