"""Hooks put in, taken out and looked at; whatever others have there stays as it is.

The hooks only trigger what anybody can ask for at any time: verdicts never depend on them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from git_knowl.errors import KnowlError
from git_knowl.plumbing import hooks
from git_knowl.plumbing.hooks import EVENTS
from git_knowl.plumbing.repository import Repository
from git_knowl.services.files import replace_file
from git_knowl.services.hooks import block as hooks_block
from git_knowl.services.hooks import managers as hooks_managers
from git_knowl.services.hooks import program as hooks_program
from git_knowl.services.hooks.block import Block
from git_knowl.services.hooks.look import (
    FIRES,
    FREE,
    LEGACY,
    MANAGED,
    PREFIX,
    STALE,
    Spot,
    command,
    configured,
    has_config_hooks,
    look,
)
from git_knowl.services.hooks.program import Program

#: Where a hook of ours may have been moved to by a manager that came later.
ASIDE = ("", LEGACY, ".old")


@dataclass(frozen=True, slots=True)
class Advice:
    """What to add to the files of a manager, and whether we are run without it too."""

    manager: str
    text: str
    is_needed: bool


@dataclass(frozen=True, slots=True)
class Installed:
    """What was done, in sentences; what stands where now; what only the user can do."""

    done: tuple[str, ...]
    spots: tuple[Spot, ...]
    advice: tuple[Advice, ...]

    @property
    def silent(self) -> tuple[Spot, ...]:
        """The events at which we are not run."""
        return tuple(spot for spot in self.spots if spot.state != FIRES)


def install(repo: Repository, program: Program, *, outside: bool = False) -> Installed:
    """Have git run us at every event and in every worktree where that is possible.

    Repeating it changes nothing. Raises NeedsWorkTree in a bare repository; what cannot be written
    is told among the spots.
    """
    repo.require_work_tree()
    done = ["put the shims into this repository"] if hooks_program.copy(repo, program) else []
    if has_config_hooks(repo):
        done += by_configuration(repo, outside=outside)
    else:
        done += by_files(repo, outside=outside)
    spots = tuple(look(repo, outside=outside))
    return Installed(tuple(done), spots, tuple(advise(spots)))


def by_configuration(repo: Repository, *, outside: bool) -> list[str]:
    """Name the hooks in git's configuration, and take out the blocks of an older git."""
    missing = [event for event in EVENTS if event not in configured(repo)]
    for event in missing:
        hooks.configure(repo, PREFIX + event, event, command(repo, event))
    done = [f"told git to run us at {', '.join(missing)}"] if missing else []
    return done + take_out_blocks(repo, outside=outside)


def by_files(repo: Repository, *, outside: bool) -> list[str]:
    """Put the block into every hook file that can take it."""
    wanted = {
        spot.file: spot for spot in look(repo, outside=outside) if spot.state in (FREE, STALE)
    }
    done = in_words((put_in(one), one.file) for one in wanted.values())
    return [*take_out_settings(repo), *done, *untracked(repo, wanted)]


def untracked(repo: Repository, files: Iterable[str]) -> list[str]:
    """Say which hooks folders lie in a work tree where nothing tracks or ignores them."""
    folders = {os.path.dirname(file) for file in files}
    return [
        f"{os.path.relpath(folder, top)} in {top} is untracked: commit it, or have git ignore it"
        for seat in hooks.worktrees(repo)
        for folder in sorted(folders)
        if f"{folder}/".startswith(f"{(top := seat.require_work_tree())}/")
        and seat.git("ls-files", "-o", "--exclude-standard", "--directory", "--", folder)
    ]


def put_in(spot: Spot) -> str:
    """Write the block into one hook file, and say so; a file that refuses is no failure."""
    folder = os.path.dirname(spot.file)
    made = "" if os.path.exists(spot.file) else hooks_block.MADE
    if not os.path.isdir(folder):
        made = hooks_block.MADE_FOLDER
    data = hooks_managers.read(spot.file) if not made else None
    try:
        replace_file(spot.file, hooks_block.insert(data, Block(spot.line, made)))
        if made:
            os.chmod(spot.file, 0o777 & ~current_umask())
    except (KnowlError, OSError) as error:
        return f"could not write ({error})"
    return "wrote" if made else "put our block into"


def in_words(told: Iterable[tuple[str, str]]) -> list[str]:
    """Return what was done to which files, a sentence for what was done alike in one folder."""
    names: dict[tuple[str, str], list[str]] = {}
    for what, file in told:
        folder, name = os.path.split(file)
        names.setdefault((what, folder), []).append(name)
    return [f"{what} {', '.join(group)} in {folder}" for (what, folder), group in names.items()]


def current_umask() -> int:
    """Return the bits that new files of this process do without."""
    found = os.umask(0o022)
    os.umask(found)
    return found


def uninstall(repo: Repository, *, outside: bool = False) -> list[str]:
    """Take out all that `install` put in, and say what; every other byte stays as it was.

    What lies in a folder that other repositories use too stays as well, unless ``outside`` is true.
    """
    done = take_out_settings(repo) + take_out_blocks(repo, outside=outside)
    done += ["took the shims away"] if hooks_program.take_away(repo) else []
    return done + left_outside(repo)


def left_outside(repo: Repository) -> list[str]:
    """Say which folders outside of the repository still hold blocks of ours."""
    folders = dict.fromkeys(
        os.path.dirname(spot.file)
        for spot in look(repo)
        if spot.is_outside and hooks_block.find(hooks_managers.read(spot.file)) is not None
    )
    return [
        f"left the hooks in {folder}, which other repositories may run;"
        " 'git knowl hooks uninstall --outside' takes them out for all of these"
        for folder in folders
    ]


def take_out_settings(repo: Repository) -> list[str]:
    """Take our hooks out of git's configuration, whichever git is at work."""
    found = {name.split(".")[1] for name in hooks.configured(repo, PREFIX)}
    for name in sorted(found):
        hooks.forget(repo, name)
    return ["took our hooks out of git's configuration"] if found else []


def take_out_blocks(repo: Repository, *, outside: bool = False) -> list[str]:
    """Take our block out of the hook files of every worktree.

    At git's own place one may have been left behind by a core.hooksPath that came later.
    """
    own = (os.path.join(repo.common_dir, "hooks", event) for event in EVENTS)
    seen = (spot.file for spot in look(repo) if outside or not spot.is_outside)
    files = dict.fromkeys([*own, *seen])
    aside = [f"{file}{suffix}" for file in files for suffix in ASIDE]
    # The last one written goes first: with the first one written goes the folder made for it.
    told = [(take_out(file), file) for file in reversed(aside)]
    return in_words((what, file) for what, file in reversed(told) if what is not None)


def take_out(file: str) -> str | None:
    """Take our block out of one file; remove the file if we made it and nobody added to it."""
    data = hooks_managers.read(file)
    block = hooks_block.find(data)
    if block is None:
        return None
    rest = hooks_block.remove(data)
    try:
        if not (block.made and hooks_block.is_nothing(rest)):
            replace_file(file, rest)
            return "took our block out of"
        os.unlink(file)
        if block.made == hooks_block.MADE_FOLDER:
            with suppress(OSError):  # somebody else keeps something there
                os.rmdir(os.path.dirname(file))
    except (KnowlError, OSError) as error:
        return f"could not write ({error})"
    return "removed"


def advise(spots: Sequence[Spot]) -> list[Advice]:
    """Return what each manager has to be told, or may be, once for all worktrees."""
    told = []
    for manager in dict.fromkeys(spot.manager for spot in spots):
        if manager is not None:
            own = [spot for spot in spots if spot.manager is manager]
            needed = [spot for spot in own if spot.state == MANAGED]
            events = list(dict.fromkeys(spot.event for spot in needed or own))
            told.append(Advice(manager.name, manager.lines(events), is_needed=bool(needed)))
    return told
