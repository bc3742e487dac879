"""Commits known by their patch: which a history holds, and what came after them on their files."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass

from git_knowl.plumbing.history import PATCH, Commit
from git_knowl.plumbing.process import GitTimeout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from git_knowl.plumbing.repository import Repository

#: So many commits are looked at before the answer is "not found".
MOST_COMMITS = 1000
# Beyond this git compares paths for longer than it would take to show the commits.
_PATHSPECS = 100
_TIMEOUT = 300.0
_PATCH_SECONDS = 60.0
_LOG = (
    "log",
    "--format=%x01%H%x00%an%x00%ae%x00%at%x00%s%x00%b%x00",
    "--encoding=UTF-8",
    "--no-show-signature",
    "--no-patch",
    "--no-color",
    "--full-history",
    "--topo-order",
    "--reverse",
)
_CONFIG = ("log.follow=false", "log.showRoot=true")


@dataclass(frozen=True, slots=True)
class Told:
    """A commit with the rest of its message."""

    commit: Commit
    body: str


def outside(repo: Repository, head: str, oids: Collection[str]) -> set[str]:
    """Return those commits that the history of ``head`` does not hold; all must be present."""
    if not oids:
        return set()
    asked = "".join(f"{line}\n" for line in (*oids, f"^{head}")).encode("ascii")
    listed = repo.git("rev-list", "--stdin", stdin=asked, timeout=_TIMEOUT)
    return set(listed.decode("ascii").split()) & set(oids)


def is_within(repo: Repository, oid: str, head: str) -> bool:
    """Tell whether a commit is in the history of another one."""
    return repo.run("merge-base", "--is-ancestor", oid, head).code == 0


def first_parent(repo: Repository, oid: str) -> str | None:
    """Return the first parent of a merge; None for any other commit, or one that is not here."""
    done = repo.run("rev-list", "--parents", "-1", "--end-of-options", oid)
    parents = done.out.decode("ascii").split()[1:]
    return parents[0] if len(parents) > 1 else None


def touched_paths(repo: Repository, oid: str) -> list[str]:
    """Return the files that a commit changed; of a merge, what it brought to its first parent."""
    asked = ("diff-tree", "-r", "-z", "--root", "--name-only", "--no-renames", "--no-commit-id")
    out = repo.git(*asked, "-m", "--first-parent", oid, timeout=_TIMEOUT)
    return list(dict.fromkeys(os.fsdecode(out).split("\0")[:-1]))


def without_merges(repo: Repository, head: str, not_in: str | None, paths: list[str]) -> list[str]:
    """Return the newest commits of a history that touched one of the paths, where few are named."""
    few = ("--", *paths) if 0 < len(paths) <= _PATHSPECS else ("--",)
    bounds = (head,) if not_in is None else (head, f"^{not_in}")
    asked = ("rev-list", "--no-merges", f"-{MOST_COMMITS}", "--full-history")
    return repo.git(*asked, *bounds, *few, timeout=_TIMEOUT).decode("ascii").split()


def told_after(repo: Repository, oid: str, head: str, paths: Sequence[str]) -> list[Told]:
    """Return the commits after one that touched its paths, the oldest first, merges left out."""
    few = ("--", *paths) if 0 < len(paths) <= _PATHSPECS else ("--",)
    asked = (*_LOG, "--no-merges", f"-{MOST_COMMITS}", f"{oid}..{head}")
    out = repo.git(*asked, *few, config=_CONFIG, timeout=_TIMEOUT).decode("utf-8", "replace")
    return [_told(record) for record in out.split("\x01")[1:]]


def commit_named(repo: Repository, oid: str) -> Commit:
    """Return a commit in the words people know it by."""
    out = repo.git(*_LOG, "-1", oid, config=_CONFIG).decode("utf-8", "replace")
    return _told(out.partition("\x01")[2]).commit


def patch_ids(repo: Repository, oids: Iterable[str], *, reverse: bool = False) -> dict[str, str]:
    """Return the stable patch-id of those commits that change something and are no merges.

    ``reverse`` gives that of the patch which takes the commit back. Nothing comes of patches that
    take too long.
    """
    asked = "".join(f"{oid}\n" for oid in oids).encode("ascii")
    # Git turns the prefixes around as well, and they are part of what a patch-id is made of.
    turned = ("-R", "--src-prefix=b/", "--dst-prefix=a/") if reverse else ()
    try:
        shown = repo.git(
            "diff-tree", "--stdin", *PATCH, *turned, stdin=asked, timeout=_PATCH_SECONDS
        )
        found = repo.git("patch-id", "--stable", stdin=shown, timeout=_PATCH_SECONDS)
    except GitTimeout:
        return {}
    pairs = (line.split(" ") for line in found.decode("ascii").splitlines())
    return {oid: patch_id for patch_id, oid in pairs}


def _told(record: str) -> Told:
    oid, author, email, stamp, subject, body, *_ = record.split("\0")
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(stamp)))
    return Told(Commit(oid, author, email, at, subject), body)
