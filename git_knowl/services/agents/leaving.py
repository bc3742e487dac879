"""What a clone holds of us for the hosts of agents: all of it, in all its worktrees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from git_knowl.errors import KnowlError
from git_knowl.model.text import for_terminal
from git_knowl.plumbing import process
from git_knowl.plumbing.hooks import worktrees
from git_knowl.plumbing.repository import Repository
from git_knowl.services.agents import installing, working
from git_knowl.services.agents.hosts.table import HOSTS
from git_knowl.services.agents.installing import Where
from git_knowl.services.agents.plans import Places, Step

#: The command must answer in this time, as it must where a host calls it.
_SECONDS = 10.0
_LEFT = "left what this user has for {} in all repositories ('git knowl agent uninstall {} --user')"


@dataclass(frozen=True)
class Spot:
    """Where a host calls us: in a worktree, or for a user in all repositories ('')."""

    host: str
    worktree: str
    files: tuple[str, ...]


def everywhere(repo: Repository, homes: Mapping[str, str]) -> list[Where]:
    """Return every worktree to look at; ``homes`` has the folders of the user by host."""
    return [installing.seat(tree, homes) for tree in worktrees(repo)]


def of_user(homes: Mapping[str, str]) -> Where:
    """Return what a user has in all repositories."""
    return Where(Places("", "", homes), None)


def spots(repo: Repository | None, homes: Mapping[str, str]) -> list[Spot]:
    """Return where any host calls us, those of the user last; what cannot be read calls nobody."""
    seats = everywhere(repo, homes) if repo else []
    found = [_spot(where, host) for where in seats for host in HOSTS]
    found += [_spot(of_user(homes), host) for host in homes]
    return [one for one in found if one is not None]


def _spot(where: Where, host: str) -> Spot | None:
    try:
        if not working.works(where, host):
            return None
        files = tuple(one.path for one in installing.status(where, host) if one.is_in)
    except KnowlError:
        return None
    return Spot(host, where.places.here, files)


def unread(repo: Repository | None, homes: Mapping[str, str], host: str) -> list[str]:
    """Return what is wrong with settings of a host that it does not read, wherever they are."""
    seats = [*(everywhere(repo, homes) if repo else []), of_user(homes)]
    return list(dict.fromkeys(line for where in seats for line in working.unread(where, host)))


def program(env: dict[str, str]) -> str:
    """Run what every host runs, as `git knowl`, and return what it says it is; '' where it fails.

    ``env`` is the environment of this process: a host that was started elsewhere may have another.
    """
    try:
        found = process.run(["git", "knowl", "--version"], env, timeout=_SECONDS)
    except KnowlError:
        return ""
    return "" if found.code else for_terminal(found.out.decode("utf-8", "replace").strip())


def leave(repo: Repository, homes: Mapping[str, str]) -> list[str]:
    """Take our part out of the settings of all hosts, and say of each file what became of it.

    What is committed stays, for others have it too, and so does what the user has everywhere.
    """
    seats = everywhere(repo, homes)
    trees = {where.places.here: where.repo for where in seats if where.repo}
    done = [line for where in seats for host in HOSTS for line in _without(where, host, trees)]
    left = [host for host in homes if installing.may_call(of_user(homes), host)]
    return done + [_LEFT.format(HOSTS[host], host) for host in left]


def _without(where: Where, host: str, trees: Mapping[str, Repository]) -> list[str]:
    done: list[str] = []
    try:
        done.extend(_parted(where, host, trees))
    except KnowlError as error:
        done.append(f"left what {HOSTS[host]} has in '{where.places.here}': {error.message}")
    return done


def _parted(where: Where, host: str, trees: Mapping[str, Repository]) -> Iterator[str]:
    for step in list(installing.removable(where, host)):
        tree = trees.get(step.top)
        if tree is not None and is_committed(tree, step):
            yield f"left '{installing.full(step)}', which is committed"
        else:
            yield installing.take_out(where, step)


def is_committed(tree: Repository, step: Step) -> bool:
    """Tell whether our part of a file is in the index of its worktree, for others to get."""
    found = tree.run("cat-file", "blob", f":{step.path}")
    return found.code == 0 and step.part.is_in(found.out)
