"""Where a file went: paths that hold a blob now, and renames that git finds by likeness."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.plumbing.repository import Repository

_TIMEOUT = 600.0
_RENAMES = ("-M", "-z", "--diff-filter=R", "--name-status", "--no-ext-diff")
# A file that was split leaves about half of itself in each part.
_COPIES = ("-C40%", "-z", "--diff-filter=RC", "--name-status", "--no-ext-diff")
_NAMES = ("-z", "--name-only", "--no-renames", "--diff-filter=d", "--ignore-submodules=all")


def paths_by_blob(
    repo: Repository, rev: str | None = None, *, staged: bool = False
) -> dict[str, list[str]]:
    """Return the paths that hold each blob of the index, or of a revision.

    ``staged`` reads the index a hook was given.
    """
    where = ("ls-files", "-s") if rev is None else ("ls-tree", "-r", "--full-tree", rev)
    env = repo.hook_env if staged else None
    listed = repo.git(where[0], "-z", *where[1:], env=env, timeout=_TIMEOUT)
    found: dict[str, list[str]] = {}
    for record in os.fsdecode(listed).split("\0")[:-1]:
        head, _, path = record.partition("\t")
        oid = head.split(" ")[1 if rev is None else 2]
        found.setdefault(oid, []).append(path)
    return found


def renames_in(repo: Repository, commit: str) -> dict[str, str]:
    """Return old name -> new name of the files a commit renamed, against its first parent."""
    out = repo.git("diff-tree", "-r", *_RENAMES, f"{commit}^", commit, timeout=_TIMEOUT)
    return _pairs(out)


def copies_in(repo: Repository, commit: str) -> dict[str, list[str]]:
    """Return the files that a commit made out of parts of others, by the name of the source."""
    both = (f"{commit}^", commit)  # the first commit of all has none before it
    out = repo.git("diff-tree", "-r", *_COPIES, *both, ok=(0, 128), timeout=_TIMEOUT)
    fields = os.fsdecode(out).split("\0")[:-1]
    found: dict[str, list[str]] = {}
    for old, new in zip(fields[1::3], fields[2::3], strict=True):
        found.setdefault(old, []).append(new)
    return found


def touched_in(repo: Repository, commit: str) -> list[str]:
    """Return the files that a commit wrote, against its first parent."""
    out = repo.git("diff-tree", "-r", *_NAMES, f"{commit}^", commit, ok=(0, 128), timeout=_TIMEOUT)
    return os.fsdecode(out).split("\0")[:-1]


def touched_since(repo: Repository, rev: str, *, staged: bool = False) -> list[str]:
    """Return the tracked files that are there and are, or may be, another content than in ``rev``.

    ``staged`` compares the index, as a hook was given it, instead of the working files.
    """
    env = repo.hook_env if staged else None
    where = ("--cached",) if staged else ()
    out = repo.git("diff-index", *where, *_NAMES, rev, env=env, timeout=_TIMEOUT)
    return os.fsdecode(out).split("\0")[:-1]


def renames_in_index(repo: Repository, rev: str, *, staged: bool = False) -> dict[str, str]:
    """Return old name -> new name of the files renamed in the index since a revision."""
    env = repo.hook_env if staged else None
    out = repo.git("diff-index", "--cached", *_RENAMES, rev, env=env, timeout=_TIMEOUT)
    return _pairs(out)


def _pairs(out: bytes) -> dict[str, str]:
    fields = os.fsdecode(out).split("\0")[:-1]
    return dict(zip(fields[1::3], fields[2::3], strict=True))
