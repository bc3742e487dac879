"""What lies between two commits: the paths that differ, and who changed them.

Two trees are compared, whatever history joins them: so a merge, a rebase, a reset or a shallow end
between them makes no difference.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from git_knowl.plumbing.repository import Repository

_TIMEOUT = 120.0
_DIFF = ("diff-tree", "-r", "-z", "--no-renames", "--ignore-submodules=none")
#: A merge is compared with each of its parents, the first commit with nothing.
_LISTING = ("diff-tree", "--stdin", "-r", "-z", "-m", "--root", "--name-only", "--no-renames")
_LAST = ("log", "-1", "--format=%H", "--no-show-signature", "--no-patch")


def changed(repo: Repository, old: str, new: str) -> dict[str, str | None] | None:
    """Return every path that differs between two commits with what the newer one holds there.

    None stands for a path that is gone, and for the whole when one of the commits is.
    """
    done = repo.run(*_DIFF, "--end-of-options", old, new, timeout=_TIMEOUT)
    if done.code:
        return None
    fields = os.fsdecode(done.out).split("\0")
    heads = (head.split(" ") for head in fields[:-1:2])
    found = zip(fields[1::2], heads, strict=True)
    return {path: None if head[4] == "D" else head[3] for path, head in found}


def held(repo: Repository, commit: str) -> dict[str, str | None]:
    """Return every path of a commit with what it holds there, as if all of it had changed."""
    listed = repo.git("ls-tree", "-r", "-z", "--full-tree", commit, timeout=_TIMEOUT)
    records = (record.partition("\t") for record in os.fsdecode(listed).split("\0")[:-1])
    return {path: head.split(" ")[2] for head, _, path in records}


def touched_by(repo: Repository, commits: Collection[str]) -> dict[str, set[str]]:
    """Return the paths that each of the commits changed; none of a commit that is not here."""
    found: dict[str, set[str]] = {commit: set() for commit in commits}
    known = present(repo, commits)
    asked = "".join(f"{commit}\n" for commit in commits if commit in known).encode("ascii")
    out = repo.git(*_LISTING, stdin=asked, timeout=_TIMEOUT) if known else b""
    commit = ""
    for name in os.fsdecode(out).split("\0")[:-1]:
        if name in found:
            commit = name
        else:
            found[commit].add(name)
    return found


def last_changed_by(repo: Repository, path: str) -> str | None:
    """Return the newest commit in the history of HEAD that changed a path."""
    out = repo.git(*_LAST, "HEAD", "--", path, config=("log.follow=false",), timeout=_TIMEOUT)
    return out.decode("ascii").strip() or None


def common_ancestor(repo: Repository, one: str, other: str) -> str | None:
    """Return the best common ancestor of two commits, None where this clone shows none."""
    done = repo.run("merge-base", "--end-of-options", one, other, timeout=_TIMEOUT)
    return done.out.decode("ascii").strip() or None if done.code == 0 else None


def present(repo: Repository, oids: Iterable[str]) -> set[str]:
    """Return those ids that are commits in this clone."""
    asked = "".join(f"{oid}\n" for oid in oids).encode("utf-8", "replace")
    if not asked:
        return set()
    told = repo.git("cat-file", "--batch-check=%(objecttype) %(objectname)", stdin=asked)
    pairs = (line.split(" ") for line in told.decode("utf-8", "replace").splitlines())
    return {pair[1] for pair in pairs if pair[0] == "commit"}
