"""Where git looks for hooks in each worktree, and the hooks it takes from its configuration."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_knowl.plumbing.repository import Repository

#: What git can tell us of; each is only a reason to look.
EVENTS = ("post-commit", "post-checkout", "post-merge", "post-rewrite")
#: From here on git runs the commands of `hook.<name>.command`, beside any hook file.
CONFIG_HOOKS = (2, 54)
_NOTHING_FOUND = 1


def worktrees(repo: Repository) -> list[Repository]:
    """Return the repository as each of its worktrees sees it, this one first.

    Those whose folder is gone or leads elsewhere by now, and a bare main one, are left out.
    """
    asked = os.fsdecode(repo.git("worktree", "list", "--porcelain"))
    tops = [
        record.partition("\n")[0].removeprefix("worktree ")
        for record in asked.split("\n\n")
        if record and "bare" not in record.splitlines()[1:]
    ]
    seats = [(_git_dir(repo, top), top) for top in tops if os.path.isdir(top)]
    found = [repo.seen_from(own, top) for own, top in seats if os.path.isdir(own)]
    return sorted(found, key=lambda one: one.git_dir != repo.git_dir)


def _git_dir(repo: Repository, top: str) -> str:
    """Return the git directory of a worktree: named in the file `.git`, else the common one."""
    try:
        with open(os.path.join(top, ".git"), encoding="utf-8", errors="surrogateescape") as file:
            named = file.read().strip().removeprefix("gitdir: ")
    except OSError:
        return repo.common_dir
    return os.path.realpath(os.path.join(top, named))


def folder(repo: Repository) -> str:
    """Return the folder in which git looks for the hooks of this worktree; it need not exist."""
    asked = ("rev-parse", "--path-format=absolute", "--git-path", "hooks")
    return os.path.normpath(os.fsdecode(repo.git(*asked)).removesuffix("\n"))


def configured(repo: Repository, prefix: str) -> dict[str, str]:
    """Return the settings `hook.<prefix>…` of this repository; the last value of each counts."""
    pattern = rf"^hook\.{prefix}"
    listed = repo.git("config", "-z", "--get-regexp", pattern, ok=(0, _NOTHING_FOUND))
    pairs = (item.partition("\n") for item in os.fsdecode(listed).split("\0")[:-1])
    return {name: value for name, _, value in pairs}


def configure(repo: Repository, name: str, event: str, command: str) -> None:
    """Have git run a command at an event, in every worktree of this clone."""
    for key, value in (("event", event), ("command", command)):
        repo.git("config", "--local", "--replace-all", f"hook.{name}.{key}", value)


def forget(repo: Repository, name: str) -> None:
    """Take a hook out of the configuration of this clone."""
    repo.git("config", "--local", "--remove-section", f"hook.{name}", ok=(0, 128))


def push_settings(repo: Repository) -> Mapping[str, list[str]]:
    """Return, by remote, what of its settings makes a push or fetch take every ref along."""
    pattern = r"^remote\..*\.(mirror|push|fetch)$"
    listed = repo.git("config", "-z", "--get-regexp", pattern, ok=(0, _NOTHING_FOUND))
    found: dict[str, list[str]] = {}
    for item in os.fsdecode(listed).split("\0")[:-1]:
        key, _, value = item.partition("\n")
        remote, _, kind = key.removeprefix("remote.").rpartition(".")
        if _takes_all(kind, value):
            found.setdefault(remote, []).append(f"{kind} = {value or 'true'}")
    return found


def _takes_all(kind: str, value: str) -> bool:
    if kind == "mirror":
        return value.lower() not in ("false", "no", "off", "0")
    source = value.lstrip("+^").partition(":")[0]
    return source in ("refs/*", "*", "refs/knowl-local/*", "refs/knowl*")
