"""Which files a pathspec names, and what they hold: in the index, in a commit.

Here pathspecs mean what git makes of them, wildcards and magic words included. Submodules are no
files. Nothing reads the content of a working file: git compares its stat with the index.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from git_knowl.errors import KnowlError
from git_knowl.plumbing.encoding import object_id
from git_knowl.plumbing.paths import is_sayable
from git_knowl.plumbing.process import GitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.plumbing.repository import Repository

_SUBMODULE = "160000"
_SKIPPED = "S"
#: What git says of a pathspec that it does not take.
_ABOUT_PATHSPEC = ("pathspec", "outside repository")
_TIMEOUT = 600.0
_RAW = ("-r", "-z", "--raw", "--no-renames", "--no-abbrev", "--no-ext-diff")
_UNCLEAN = ("diff-files", "-z", "--name-only", "--no-renames", "--ignore-submodules=all")


class PathspecError(KnowlError):
    """A pathspec that git does not understand, or that is none of this repository."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """An index entry: ``is_blind`` tells that git does not look at the working file."""

    oid: str
    is_blind: bool = False


def index_files(repo: Repository, pathspec: str, *, staged: bool = False) -> dict[str, Indexed]:
    """Return the tracked files that a pathspec names; of an unmerged one any side counts.

    ``staged`` reads the index a hook was given.
    """
    env = repo.hook_env if staged else None
    found: dict[str, Indexed] = {}
    for record in _git(repo, env, "ls-files", "-s", "-v", "-z", "--", pathspec):
        head, _, path = record.partition("\t")
        tag, mode, oid, _ = head.split(" ")
        if mode != _SUBMODULE:
            found[path] = Indexed(oid, tag.islower() or tag == _SKIPPED)
    return found


def unclean_files(repo: Repository, pathspec: str = ".") -> list[str]:
    """Return the tracked files whose stat says that they may differ from the index."""
    return list(dict.fromkeys(_git(repo, None, *_UNCLEAN, "--", pathspec)))


def commit_files(repo: Repository, rev: str, pathspec: str) -> dict[str, str]:
    """Return the blob of every file of a commit or tree that a pathspec names."""
    empty = object_id("tree", b"", repo.object_format)
    fields = _git(repo, None, "diff-tree", *_RAW, "--end-of-options", empty, rev, "--", pathspec)
    found = {}
    for head, path in zip(fields[::2], fields[1::2], strict=True):
        _, mode, _, oid, _ = head.split(" ")
        if mode != _SUBMODULE:
            found[path] = oid
    return found


def folder_tree(repo: Repository, rev: str, folder: str) -> str | None:
    """Return the git tree that a commit has at a folder; None where there is no folder."""
    asked = f"{rev}:" if folder == "." else f"{rev}:{folder}"
    wanted = os.fsencode(f"{asked}\n")
    told = repo.git("cat-file", "--batch-check=%(objecttype) %(objectname)", stdin=wanted)
    kind, _, oid = told.decode("utf-8", "replace").strip().partition(" ")
    return oid if kind == "tree" else None


def _git(repo: Repository, env: dict[str, str] | None, *args: str) -> list[str]:
    if not is_sayable(args[-1]):
        raise PathspecError("expected a pathspec, got nothing, or what no file can be called")
    try:
        out = repo.git(*args, env=env, literal=False, timeout=_TIMEOUT)
    except GitError as error:
        if not any(words in error.message for words in _ABOUT_PATHSPEC):
            raise
        raise PathspecError(f"'{args[-1]}': {error.message}", "see 'git help glossary'") from error
    return os.fsdecode(out).split("\0")[:-1]
