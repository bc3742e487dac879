"""What stands at each event in each worktree: whether we are run there, and if not, why."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

from git_knowl.plumbing import config, hooks
from git_knowl.plumbing.hooks import EVENTS
from git_knowl.plumbing.repository import Repository
from git_knowl.services.hooks import block as hooks_block
from git_knowl.services.hooks import managers as hooks_managers
from git_knowl.services.hooks import program as hooks_program
from git_knowl.services.hooks.managers import Manager

#: Names of our hooks in git's configuration begin with this.
PREFIX = "knowl-"

#: We are run: from the configuration, by our block, or by somebody else's line.
FIRES = "fires"
#: A place for our block; an older block of ours that does not do as it should; a manager's place.
FREE, STALE, MANAGED = "free", "stale", "managed"
#: Nothing of ours can be put there.
BLOCKED = "blocked"
INSTALL = "git knowl hooks install"
#: Said of a manager that has to be told.
PRINTS = f"'{INSTALL}' prints the lines for it"
#: Where pre-commit and prek keep, and run, a hook that was there before them.
LEGACY = ".legacy"


@dataclass(frozen=True, slots=True)
class Spot:
    """One event in one worktree: the file git looks for, and what is to be said of it.

    ``reason`` tells why we are not run, or by what we are, ``way`` the way out; ``line`` is what
    our block would say; ``manager`` could run us there but need not, unless the state says so.
    ``is_outside`` tells that the file is run for other repositories too.
    """

    worktree: str
    event: str
    file: str
    state: str
    reason: str
    way: str
    line: str
    manager: Manager | None = None
    is_outside: bool = False


def look(repo: Repository, *, outside: bool = False) -> list[Spot]:
    """Return every event of every worktree, those of this one first.

    ``outside`` allows a hooks folder that lies outside of the repository.
    """
    by_config = configured(repo)
    seats = hooks.worktrees(repo)
    tops = [one.require_work_tree() for one in seats]
    found = []
    for seat in seats:
        folder = hooks.folder(seat)
        beyond = _is_outside(repo, folder, tops)
        place = _Place(seat, folder, hooks_managers.of_folder(folder), by_config, beyond)
        found += [place.spot(event, is_open=outside or beyond is None) for event in EVENTS]
    return found


def has_config_hooks(repo: Repository) -> bool:
    """Tell whether git runs hooks that its configuration names."""
    return config.git_version(repo) >= hooks.CONFIG_HOOKS


def configured(repo: Repository) -> frozenset[str]:
    """Return the events at which git itself runs us; none before it had hooks in its settings."""
    if not has_config_hooks(repo):
        return frozenset()
    found = hooks.configured(repo, PREFIX)
    return frozenset(
        event
        for event in EVENTS
        if found.get(f"hook.{PREFIX}{event}.event") == event
        and found.get(f"hook.{PREFIX}{event}.command") == command(repo, event)
        and found.get(f"hook.{PREFIX}{event}.enabled", "true") != "false"
    )


def command(repo: Repository, event: str) -> str:
    """Return what git is told to run; it adds the arguments of the hook by itself."""
    path = shlex.quote(hooks_program.place(repo))
    return f"[ ! -f {path} ] || sh {path} {event}"


def _is_outside(repo: Repository, folder: str, tops: list[str]) -> str | None:
    inside = (repo.common_dir, *tops)
    if any(f"{folder}/".startswith(f"{top.rstrip('/')}/") for top in inside):
        return None
    return f"core.hooksPath leads out of this repository, to {folder}"


@dataclass(frozen=True, slots=True)
class _Place:
    """The hooks folder of a worktree, and who manages it; ``beyond`` says how it is another's."""

    seat: Repository
    folder: str
    manager: Manager | None
    by_config: frozenset[str]
    beyond: str | None

    def spot(self, event: str, *, is_open: bool) -> Spot:
        """Return what stands at an event; ``is_open`` tells whether the folder is ours to touch."""
        file = os.path.join(self.folder, event)
        line = self.line(event)
        closed = None if is_open else self.beyond
        state, reason, way, manager = self._judge(event, file, line, closed)
        if state == FIRES and not os.path.isfile(hooks_program.place(self.seat)):
            state, reason, way = self._hollow(event, reason)
        top = self.seat.require_work_tree()
        is_outside = self.beyond is not None
        return Spot(top, event, file, state, reason, way, line, manager, is_outside)

    def _hollow(self, event: str, runs: str) -> tuple[str, str, str]:
        """Return what is to be said where something would run the shims, and there are none.

        Only what this clone keeps for itself tells that somebody installed hooks here.
        """
        is_own = event in self.by_config or f"{self.folder}/".startswith(f"{self.seat.common_dir}/")
        if is_own:
            return STALE, f"{runs}, but the shims of this repository are gone", INSTALL
        return FREE, f"{runs}, but nothing is installed in this repository", INSTALL

    def line(self, event: str) -> str:
        """Return the line that runs the shim from a file of this folder.

        From git's own place it moves with the repository; a folder that is part of a project asks
        git, for what lies there may be run in another clone.
        """
        own = os.path.join(self.seat.common_dir, "hooks")
        if self.folder == own and not os.path.islink(own):
            path = '"${0%/*}/../common/' + hooks_program.CALL + '"'
        elif f"{self.folder}/".startswith(f"{self.seat.common_dir}/"):
            path = shlex.quote(hooks_program.place(self.seat))
        else:
            return hooks_managers.call(event)
        return f'[ ! -f {path} ] || sh {path} {event} "$@" || :'

    def _judge(
        self, event: str, file: str, line: str, closed: str | None
    ) -> tuple[str, str, str, Manager | None]:
        if event in self.by_config:
            return FIRES, "by git's configuration", "", None
        data = hooks_managers.read(file)
        block = hooks_block.find(data)
        if block is not None:
            return *_of_block(file, is_same=block.line == line), self.manager
        manager = hooks_managers.of_file(data) or self._owner()
        if manager is not None:
            return self._of_manager(manager, event, file)
        if hooks_program.CALL in os.fsdecode(data) and os.access(file, os.X_OK):
            return FIRES, f"by a line of its own in {file}", "", None
        return *_of_file(file, self.folder, data, closed), self.manager

    def _owner(self) -> Manager | None:
        is_sole = self.manager is not None and not self.manager.is_tolerant
        return self.manager if is_sole else None

    def _of_manager(
        self, manager: Manager, event: str, file: str
    ) -> tuple[str, str, str, Manager | None]:
        runs = os.access(file, os.X_OK)
        if runs and hooks_block.find(hooks_managers.read(file + LEGACY)) is not None:
            return FIRES, f"by {manager.name}, which kept our hook in {file}{LEGACY}", "", None
        if not hooks_managers.calls_us(manager, self.seat.require_work_tree(), event):
            told = f"{manager.name} manages this hook and does not run us"
            return MANAGED, told, PRINTS, manager
        if not runs:
            told = f"{manager.name} is told to run us, but has not installed its hook"
            return MANAGED, told, f"have {manager.name} install its hooks", manager
        return FIRES, f"by {manager.name}", "", None


def _of_block(file: str, *, is_same: bool) -> tuple[str, str, str]:
    if not os.access(file, os.X_OK):
        return BLOCKED, f"{file} is not executable, so git skips it", "make it executable"
    if not is_same:
        return STALE, f"the block in {file} is an older one", INSTALL
    return FIRES, f"by {file}", ""


def _of_file(file: str, folder: str, data: bytes, closed: str | None) -> tuple[str, str, str]:
    if os.path.exists(folder) and not os.path.isdir(folder):
        told = f"core.hooksPath is {folder}, which is no folder: no hook runs here"
        return BLOCKED, told, "unset core.hooksPath, or name a folder there"
    if closed is not None:
        return BLOCKED, closed, f"'{INSTALL} --outside' writes there all the same"
    if not os.path.lexists(file):
        return FREE, "no hook is installed", INSTALL
    why = next(_obstacles(file, data), None)
    if why is None:
        return FREE, f"{file} does not run us", INSTALL
    return (
        BLOCKED,
        f"{file} {why}",
        f"have it run this: {hooks_managers.call(os.path.basename(file))}",
    )


def _obstacles(file: str, data: bytes) -> Iterator[str]:
    if os.path.islink(file):
        yield "is a symbolic link to a file of somebody else"
    if not os.path.isfile(file):
        yield "is no file"
    if not os.access(file, os.X_OK):
        yield "is not executable, so git skips it, and making it so would start it"
    why = hooks_block.obstacle(data)
    if why is not None:
        yield why
