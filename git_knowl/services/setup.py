"""Prepare a repository, and take back what that set up."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from git_knowl.plumbing import config, refs
from git_knowl.plumbing.lock import flock
from git_knowl.services.agents.leaving import leave
from git_knowl.services.context import Context
from git_knowl.services.files import UNFINISHED
from git_knowl.services.hooks import install as hooks
from git_knowl.services.hooks.install import Installed
from git_knowl.services.hooks.program import Program
from git_knowl.services.sync.auto import at_start

DECORATION = "log.excludeDecoration"
DEFAULT_SET = "log.initialDecorationSet"
#: From here on git shows branches, tags and little else, as long as no setting says otherwise; one
#: of ours would say so, and bring up refs of others (docs/decisions/0008).
SELECTIVE = (2, 39)
#: Folders below which all refs of the store are, where refs are files.
REF_FOLDERS = ("knowl", "knowl-local", "knowl-remotes", "notes")
HIDDEN = ("refs/knowl/*", "refs/knowl-local/*", "refs/knowl-remotes/*")


@dataclass(frozen=True, slots=True)
class Setup:
    """What was done, in sentences; nothing is left to do where it is empty.

    ``hooks`` is what became of the hooks, where they were asked for and a work tree is there.
    """

    done: tuple[str, ...]
    hooks: Installed | None = None


def init(ctx: Context, program: Program | None = None) -> Setup:
    """Prepare the repository: refs out of sight, the store of the remote here, hooks in.

    Repeating it changes nothing, but for what the remote has by then.

    Hooks are installed when the caller names the program that they start.
    """
    fetched = at_start(ctx)
    done = hide(ctx) + ([fetched] if fetched else [])
    if program is None or ctx.repo.is_bare:
        return Setup(tuple(done))
    return Setup(tuple(done), hooks.install(ctx.repo, program))


def hide(ctx: Context) -> list[str]:
    """Hide the refs of the store where `git log` would show them."""
    known = config.get_all(ctx.repo, DECORATION)
    missing = [pattern for pattern in HIDDEN if pattern not in known]
    if not missing or are_hidden(ctx, known):
        return []
    for pattern in missing:
        config.add_local(ctx.repo, DECORATION, pattern)
    return ["hid the refs of the store from 'git log --decorate'"]


def are_hidden(ctx: Context, excluded: Sequence[str]) -> bool:
    """Tell whether git leaves out refs of ours by itself, given the settings there are."""
    chosen = excluded or config.get(ctx.repo, DEFAULT_SET)
    return not chosen and config.git_version(ctx.repo) >= SELECTIVE


def uninstall(ctx: Context, homes: Mapping[str, str], *, knowledge: bool = False) -> Setup:
    """Remove hooks, settings, caches and cursors; with ``knowledge`` the refs of the store too.

    ``homes`` has the folder of the user for each host of agents, which keeps what is in it.

    What was shared stays wherever it was sent, and so do texts that a person left unfinished: they
    are stored nowhere else.
    """
    done = leave(ctx.repo, homes) + hooks.uninstall(ctx.repo) + remove_settings(ctx)
    if knowledge:
        done += delete_refs(ctx)
    done += remove_state(ctx)
    return Setup(tuple(done))


def remove_settings(ctx: Context) -> list[str]:
    """Take our patterns out of the configuration of this clone."""
    removed = [config.remove_local(ctx.repo, DECORATION, pattern) for pattern in HIDDEN]
    if not any(removed):
        return []
    config.drop_empty_section(ctx.repo, DECORATION.partition(".")[0])
    return ["removed the settings of init"]


def delete_refs(ctx: Context) -> list[str]:
    """Delete every ref of the store in this clone, each from the value it has now."""
    if not refs.ours(ctx.repo):
        return []  # before the lock, which makes a folder
    with flock(ctx.repo) as held:
        found = refs.ours(ctx.repo)
        moves = [refs.Update(ref, None, oid) for ref, oid in found.items()]
        refs.update(ctx.repo, moves, "uninstall", held=held)
    remove_empty(ctx)
    return [f"deleted {len(found)} refs of the store in this clone"]


def remove_empty(ctx: Context) -> None:
    """Remove the folders that git leaves empty behind deleted refs and their reflogs."""
    for place in ("refs", os.path.join("logs", "refs")):
        for name in REF_FOLDERS:
            with suppress(OSError):  # it holds something, or is not there
                os.rmdir(os.path.join(ctx.repo.common_dir, place, name))


def remove_state(ctx: Context) -> list[str]:
    """Remove our folders in the common directory and in those of all its worktrees.

    A folder stays with the texts that a person left unfinished in it, and they are named.
    """
    folders = [folder for folder in state_folders(ctx) if os.path.isdir(folder)]
    removed = [clear(folder) for folder in folders]
    with suppress(OSError):  # somebody else keeps something there
        os.rmdir(os.path.dirname(ctx.repo.shared_path()))
    done = ["removed caches and cursors"] if any(removed) else []
    return done + [f"kept the unfinished text {path}" for path in unfinished_texts(folders)]


def clear(folder: str) -> bool:
    """Empty one of our folders of all but unfinished texts; tell whether anything went."""
    kept = unfinished_texts([folder])
    if not kept:
        shutil.rmtree(folder)
        return True
    going = [found for found in os.scandir(folder) if found.name != UNFINISHED]
    for found in going:
        if found.is_dir(follow_symlinks=False):
            shutil.rmtree(found.path)
        else:
            os.unlink(found.path)
    return bool(going)


def unfinished_texts(folders: Iterable[str]) -> list[str]:
    """Return what a person left unfinished in some of our folders."""
    places = (os.path.join(folder, UNFINISHED) for folder in folders)
    return sorted(
        os.path.join(folder, name)
        for place in places
        for folder, _, names in os.walk(place)
        for name in names
    )


def state_folders(ctx: Context) -> list[str]:
    """Return where our folders may be: the shared one, and one in each worktree."""
    common = ctx.repo.common_dir
    worktrees = os.path.join(common, "worktrees")
    names = sorted(os.listdir(worktrees)) if os.path.isdir(worktrees) else []
    places = [common, *(os.path.join(worktrees, name) for name in names)]
    return [ctx.repo.shared_path(), *(os.path.join(place, "knowl") for place in places)]
