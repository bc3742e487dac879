"""Where notes go when the commit they stand on was written anew: to the commit with its patch."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from git_knowl.plumbing import between, patches, refs
from git_knowl.plumbing.repository import Repository

#: So many of the newest commits that touched the same files are compared by their patch.
CANDIDATES = 2_000
#: Git compares paths for longer than it takes to look at all commits when these are many.
PATHSPECS = 100
TIMEOUT = 300.0


def heirs(
    repo: Repository, noted: Collection[str], told: Mapping[str, str]
) -> dict[str, list[str]]:
    """Return for each noted commit the others on any branch that have its patch.

    ``told`` are patch ids of commits that may not be in this clone. Of several commits that were
    squashed into one none has an heir.
    """
    here = between.present(repo, noted)
    wanted = {
        **{key: told[key] for key in told if key not in here},
        **patches.patch_ids(repo, here),
    }
    if not wanted:
        return {}
    paths = (
        set().union(*between.touched_by(repo, here).values()) if wanted.keys() <= here else set()
    )
    found: dict[str, list[str]] = {}
    for commit, patch in patches.patch_ids(repo, candidates(repo, paths)).items():
        found.setdefault(patch, []).append(commit)
    return {
        key: [commit for commit in found.get(patch, ()) if commit != key]
        for key, patch in wanted.items()
    }


def lost(repo: Repository, noted: Collection[str]) -> set[str]:
    """Return the noted commits that no branch holds, or that are not in this clone."""
    here = between.present(repo, noted)
    if not here:
        return set(noted)
    asked = "".join(f"{line}\n" for line in (*here, *(f"^{tip}" for tip in tips(repo))))
    listed = repo.git("rev-list", "--stdin", stdin=asked.encode("ascii"), timeout=TIMEOUT)
    return (set(noted) - here) | (set(listed.decode("ascii").split()) & here)


def candidates(repo: Repository, paths: Collection[str]) -> list[str]:
    """Return the newest commits on any branch, those that touched one of the paths if any."""
    few = sorted(paths) if len(paths) <= PATHSPECS else []
    found = "".join(f"{tip}\n" for tip in tips(repo)).encode("ascii")
    asked = ("rev-list", "--stdin", "--no-merges", f"-{CANDIDATES}", "--full-history")
    out = repo.git(*asked, "--", *few, stdin=found, timeout=TIMEOUT) if found else b""
    return out.decode("ascii").split()


def tips(repo: Repository) -> set[str]:
    """Return the commits of HEAD and of all branches, local or fetched."""
    asked = ("for-each-ref", "--format=%(objectname)", "refs/heads", "refs/remotes")
    found = set(repo.git(*asked).decode("ascii").split())
    head, _ = refs.checked_out(repo)
    return found | {head} if head else found
