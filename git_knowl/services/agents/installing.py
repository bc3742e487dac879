"""Put the hooks of a host in, take them out again, say where they are.

Settings that others wrote are kept: edited at one spot, copied before, replaced whole. What was not
touched since is given back byte by byte.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from git_knowl.errors import KnowlError
from git_knowl.model.hashing import sha256
from git_knowl.plumbing.hooks import worktrees
from git_knowl.plumbing.repository import Repository, linked_parent
from git_knowl.services.agents import folders, plans
from git_knowl.services.agents.hosts.table import HOSTS
from git_knowl.services.agents.jsonc import SettingsError
from git_knowl.services.agents.parts import Block, Listed
from git_knowl.services.agents.plans import Places, Step

COPIES = "agent-backups"
#: Beside a file of the user, what it was before.
BESIDE = ".before-knowl"
#: The list of the folders that were there, and empty.
FOLDERS = ".folders-before-knowl"
#: The list of what git is not to see in any worktree.
EXCLUDE = "info/exclude"
STAYS = "all of ours stays, and what the host reads of it works on; correct the file, then repeat"
_NAME = 24


class UnsafePathError(KnowlError):
    """A file of a project that leads out of it."""


@dataclass(frozen=True)
class Where:
    """For whom: everybody in this repository, or one user in all of them (no repository)."""

    places: Places
    repo: Repository | None


@dataclass(frozen=True)
class Spot:
    """A file with something of ours, and whether it is there now."""

    host: str
    path: str
    is_in: bool


def main_checkout(repo: Repository) -> str:
    """Return the top of the first worktree, whose settings some hosts read in all of them.

    It is '' where that one is bare, and has none.
    """
    listed = os.fsdecode(repo.git("worktree", "list", "--porcelain", "-z")).split("\0\0")[0]
    lines = listed.split("\0")
    return "" if "bare" in lines else lines[0].removeprefix("worktree ")


def seats(where: Where) -> list[Where]:
    """Return the same for every worktree of the repository, the asking one first."""
    if where.repo is None:
        return [where]
    return [seat(tree, where.places.user) for tree in worktrees(where.repo)]


def seat(repo: Repository, user: Mapping[str, str]) -> Where:
    """Return for whom something is installed in a worktree; ``user`` has the folders by host."""
    here = repo.require_work_tree()
    return Where(Places(main_checkout(repo) or here, here, user), repo)


def install(where: Where, host: str, *, block: bool = True) -> list[str]:
    """Put everything in for a host, and return what was done in sentences; none when it was there.

    Raises SettingsError for settings that cannot be edited; nothing is written then.
    """
    steps = steps_of(where, host, block=block)
    if where.repo is not None:
        for step in steps:
            refuse_links(step)
    planned = [(step, read(step), filled(step)) for step in steps]
    return [
        f"wrote '{full(step)}'"
        for step, old, new in planned
        if old != new and write(where, step, new)
    ]


def filled(step: Step) -> bytes:
    """Return the file of a step with our part; raises SettingsError, which names the file."""
    try:
        return step.part.put(read(step))
    except SettingsError as error:
        raise error.of(full(step)) from None


def uninstall(where: Where, host: str) -> list[str]:
    """Take everything of a host out, and return what was done in sentences.

    Raises SettingsError for settings that cannot be edited; all of ours stays then.
    """
    try:
        steps = list(removable(where, host))
    except SettingsError as error:
        raise SettingsError(error.message, STAYS) from None
    done = [take_out(where, step) for step in steps]
    return done + [
        f"left '{path}' in another worktree: 'git knowl agent uninstall {host}' there takes it out"
        for path in (stranded(where, host) if done else ())
    ]


def removable(where: Where, host: str) -> Iterator[Step]:
    """Yield the steps of a host that are there, and that nobody else needs by then.

    Raises UnsafePathError for a file in a project that is behind a link, and SettingsError for
    settings of which nobody can tell what is in them.
    """
    for step in own_steps(where, host):
        if where.repo is not None:
            refuse_links(step)
        if is_there(step) and not is_shared(where, host, step):
            yield step


def stranded(where: Where, host: str) -> Iterator[str]:
    """Yield what a host that calls us no more still has of ours in other worktrees."""
    for one in seats(where):
        if one.places != where.places and not may_call(one, host):
            yield from (full(step) for step in removable(one, host))


def take_out(where: Where, step: Step) -> str:
    """Take our part out of the file of a step, and say so."""
    data = read(step)
    if data is not None:
        put_back(where, step, original(where, step, data))
    drop_copy(where, step)
    return f"took our part out of '{full(step)}'"


def status(where: Where, host: str) -> list[Spot]:
    """Return the files of a host, with whether our part is in them."""
    return [Spot(host, full(step), is_there(step)) for step in own_steps(where, host)]


def is_installed(where: Where, host: str) -> bool:
    """Tell whether a host calls us."""
    return any(is_there(step) for step in chosen(where, host) if step.decides)


def may_call(where: Where, host: str) -> bool:
    """Tell whether a host calls us, or has settings of which nobody can tell."""
    try:
        return is_installed(where, host)
    except SettingsError:
        return True


def chosen(where: Where, host: str) -> Iterator[Step]:
    """Yield the steps of a host without the block."""
    return (plans.user if where.repo is None else plans.project)(host, where.places)


def steps_of(where: Where, host: str, *, block: bool) -> list[Step]:
    """Return all steps of a host, in the order in which they are done."""
    steps = list(chosen(where, host))
    if where.repo is None:
        return steps
    hidden = [step.path for step in steps if step.hidden and not is_tracked(where.repo, step)]
    if hidden:
        text = "".join(f"/{path}\n" for path in hidden)
        exclude = Block(text, (f"# {host} ", ""))
        steps.append(Step(where.repo.common_dir, EXCLUDE, exclude))
    if block:
        steps.append(plans.instructions(host, where.places))
    return steps


def own_steps(where: Where, host: str) -> list[Step]:
    """Return the steps of a host that may have left something of ours.

    In a project we write through no link, so what is behind one is not ours; but where a host calls
    us from there all the same, it is not passed over.
    """
    steps = steps_of(where, host, block=True)
    if where.repo is None:
        return steps
    return [step for step in steps if not link_on(step) or (step.decides and is_there(step))]


def is_there(step: Step) -> bool:
    """Tell whether our part is in the file of a step."""
    data = read(step)
    try:
        return data is not None and step.part.is_in(data)
    except SettingsError as error:
        raise error.of(full(step)) from None


def is_tracked(repo: Repository, step: Step) -> bool:
    """Tell whether git tracks the file of a step here; then hiding it would do nothing."""
    return bool(repo.git("ls-files", "-z", "--", step.path))


def is_shared(where: Where, host: str, step: Step) -> bool:
    """Tell whether a file is needed by another host that is installed, or in another worktree."""
    if step.path == EXCLUDE:
        beside = [one for one in seats(where) if one.places != where.places]
        kept = (step for one in beside for step in chosen(one, host) if step.hidden)
        return any(is_there(step) for step in kept)
    others = [one for one in HOSTS if one != host and may_call(where, one)]
    shared = (path for one in others for path in paths_of(where, one))
    return not step.decides and full(step) in shared


def paths_of(where: Where, host: str) -> list[str]:
    """Return the files of a host."""
    return [full(step) for step in steps_of(where, host, block=True)]


def refuse_links(step: Step) -> None:
    """Raise UnsafePathError where a file of a project is reached through a link, or is one."""
    if link := link_on(step):
        way = ", or leave it alone with --no-block" if isinstance(step.part, Block) else ""
        raise UnsafePathError(
            f"'{link}' in '{step.top}' is a symbolic link",
            f"put a plain file or folder in its place{way}",
        )


def link_on(step: Step) -> str:
    """Return the link by which the file of a step is reached, or that it is; '' without one."""
    return linked_parent(step.top, step.path) or (step.path if os.path.islink(full(step)) else "")


def full(step: Step) -> str:
    """Return the path of a step's file."""
    return os.path.join(step.top, step.path)


def read(step: Step) -> bytes | None:
    """Return the file of a step, None without one; raises SettingsError where there is no file."""
    try:
        with open(full(step), "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except IsADirectoryError:
        raise SettingsError(
            f"'{full(step)}' is a folder", "put a file in its place, or remove it"
        ) from None


def write(where: Where, step: Step, data: bytes) -> bool:
    """Write the file of a step; what it was before is kept until it is put back."""
    old = read(step)
    if old is not None and isinstance(step.part, Listed) and not step.part.is_in(old):
        replace(copy_path(where, step), old)
    if old is None:
        folders.note_empty(folder_list(where, step), step.top, step.path)
    replace(full(step), data)
    return True


def replace(path: str, data: bytes) -> None:
    """Replace a file whole, with the rights it had; a link of the user's stays one."""
    path = os.path.realpath(path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    beside = f"{path}.{os.getpid()}"
    with open(beside, "wb") as file:
        file.write(data)
    with suppress(FileNotFoundError):
        shutil.copymode(path, beside)
    os.replace(beside, path)


def original(where: Where, step: Step, data: bytes) -> bytes | None:
    """Return the file as it was: the copy where nobody changed the file since, else without us."""
    try:
        with open(copy_path(where, step), "rb") as file:
            before = file.read()
    except OSError:  # a block tells by itself what was before
        return step.part.take(data)
    return before if step.part.put(before) == data else step.part.take(data)


def put_back(where: Where, step: Step, data: bytes | None) -> None:
    """Write a file, or remove it and the folders that were there for it alone."""
    if data is not None:
        replace(full(step), data)
        return
    os.unlink(full(step))
    has_own_top = where.repo is None
    folders.remove_empty(folder_list(where, step), step.top, step.path, with_top=has_own_top)


def folder_list(where: Where, step: Step) -> str:
    """Return where it is kept which folders were there, and empty, before us."""
    if where.repo is None:
        return os.path.join(step.top, FOLDERS)
    name = sha256(os.fsencode(step.top)).hexdigest()[:_NAME]
    return where.repo.shared_path(COPIES, name + FOLDERS)


def copy_path(where: Where, step: Step) -> str:
    """Return where the copy of a file is kept."""
    if where.repo is None:
        return full(step) + BESIDE
    name = sha256(os.fsencode(full(step))).hexdigest()[:_NAME]
    return where.repo.shared_path(COPIES, name)


def drop_copy(where: Where, step: Step) -> None:
    """Remove the copy of a file."""
    with suppress(OSError):
        os.unlink(copy_path(where, step))
