"""Questions to the history of the code: which commit, when, and what became of a path."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from git_knowl.errors import KnowlError
from git_knowl.plumbing import refs
from git_knowl.plumbing.process import GitError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_knowl.plumbing.repository import Repository

_FORMAT = "--format=%H%x00%an%x00%ae%x00%at%x00%s"
_LOG = ("log", "-1", _FORMAT, "--encoding=UTF-8", "--no-show-signature", "--no-patch")
# A setting of the user's that would follow one path through renames.
_CONFIG = ("log.follow=false",)
_TIMEOUT = 300.0
_HEAD_LINE = "HEAD "
# A patch id is a service to provenance; the import of a whole tree is not worth waiting for.
_PATCH_SECONDS = 3.0
# Everything a patch id depends on is spelled out: it must be the same in every clone.
PATCH = (
    "--patch",
    "--root",
    "--full-index",
    "--unified=3",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--diff-algorithm=myers",
    "--src-prefix=a/",
    "--dst-prefix=b/",
)


class RevisionError(KnowlError):
    """A revision that names no commit here."""


@dataclass(frozen=True, slots=True)
class Commit:
    """A commit in the words people know it by; ``at`` is the author's time in UTC."""

    oid: str
    author: str
    email: str
    at: str
    subject: str


def resolve(repo: Repository, rev: str) -> str:
    """Return the full id of the commit a revision names; raise RevisionError when there is none."""
    asked = ("rev-parse", "--quiet", "--verify", "--end-of-options", f"{rev}^{{commit}}")
    found = b"" if "\0" in rev else repo.git(*asked, ok=(0, 1, 128)).strip()
    if not found:
        if rev in (refs.HEAD, "@", branch(repo)) and head(repo) is None:
            raise RevisionError(
                f"there is no commit yet, so '{rev}' names none", "make one first: 'git commit'"
            )
        raise RevisionError(
            f"'{rev}' does not name a commit of this repository",
            "'git log --all' lists those that do; a shallow clone holds the newest alone",
        )
    return found.decode("ascii")


def last_change(repo: Repository, rev: str, path: str, *, literal: bool = True) -> Commit | None:
    """Return the newest commit that changed a path, seen from a revision.

    Without ``literal`` the path is a pathspec.
    """
    return _newest(repo, rev, path, literal=literal)


def times_of(repo: Repository, commits: Iterable[str]) -> dict[str, int]:
    """Return when each commit was made, in seconds since the epoch."""
    asked = "".join(f"{commit}\n" for commit in commits).encode()
    if not asked:
        return {}
    out = repo.git("log", "--no-walk", "--no-show-signature", "--format=%H %ct", "--stdin",
                   stdin=asked)  # fmt: skip
    pairs = (line.split(" ") for line in out.decode("ascii").splitlines())
    return {commit: int(at) for commit, at in pairs}


def is_shallow(repo: Repository) -> bool:
    """Tell whether history ends early in this clone."""
    return repo.git("rev-parse", "--is-shallow-repository").strip() == b"true"


def changed_since(repo: Repository, rev: str, path: str, days: int, *, literal: bool = True) -> int:
    """Return how many commits of the last days changed a path, merges not counted.

    Without ``literal`` the path is a pathspec.
    """
    asked = ("rev-list", "--count", "--no-merges", f"--since={days}.days.ago", "--end-of-options")
    return int(repo.git(*asked, rev, "--", path, timeout=_TIMEOUT, literal=literal))


def patch_id(repo: Repository, commit: str) -> str | None:
    """Return the stable patch id of a commit.

    None for a merge, for a commit that changes nothing, where the patch takes too long, and where
    its files are not here: a partial clone without its remote has only the commit.
    """
    try:
        patch = repo.git("diff-tree", *PATCH, "--end-of-options", commit, timeout=_PATCH_SECONDS)
    except GitError:
        return None
    if not patch:
        return None
    return repo.git("patch-id", "--stable", stdin=patch).split(b" ")[0].decode("ascii") or None


def root_commits(repo: Repository) -> list[str]:
    """Return the sorted first commits of HEAD's history; none where it is unborn or shallow."""
    if head(repo) is None or is_shallow(repo):
        return []
    listed = repo.git("rev-list", "--max-parents=0", "HEAD", timeout=_TIMEOUT)
    return sorted(listed.decode("ascii").split())


def branch_blobs(repo: Repository, path: str) -> set[str]:
    """Return the ids of what stands at a path in any branch, local or fetched, or worktree."""
    asked = ("for-each-ref", "--format=%(objectname)", "refs/heads", "refs/remotes")
    tips = set(repo.git(*asked).decode("ascii").split()) | _worktree_heads(repo)
    lines = b"".join(os.fsencode(f"{tip}:{path}\n") for tip in tips)
    found = repo.git("cat-file", "--batch-check=%(objectname)", stdin=lines, timeout=_TIMEOUT)
    return {line for line in os.fsdecode(found).splitlines() if not line.endswith(" missing")}


def head(repo: Repository) -> str | None:
    """Return the commit HEAD points at, None on an unborn branch."""
    return refs.read(repo, (refs.HEAD,))[refs.HEAD]


def branch(repo: Repository) -> str | None:
    """Return the short name of the branch, unborn or not; None when HEAD is detached."""
    out = repo.git("symbolic-ref", "--quiet", "--short", "HEAD", ok=(0, 1))
    return os.fsdecode(out).strip() or None


def _worktree_heads(repo: Repository) -> set[str]:
    """Return what is checked out in each worktree; a detached HEAD is on no branch."""
    listed = os.fsdecode(repo.git("worktree", "list", "--porcelain")).split("\n")
    return {line.removeprefix(_HEAD_LINE) for line in listed if line.startswith(_HEAD_LINE)}


def _newest(
    repo: Repository, rev: str, path: str, *options: str, literal: bool = True
) -> Commit | None:
    asked = (*_LOG, *options, "--end-of-options", rev, "--", path)
    out = repo.git(*asked, config=_CONFIG, timeout=_TIMEOUT, literal=literal)
    if not out:
        return None
    first = out.partition(b"\n")[0]  # a merge is shown once for each parent
    oid, author, email, stamp, subject = first.decode("utf-8", "replace").split("\0")
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(stamp)))
    return Commit(oid, author, email, at, subject)
