"""Checks of the hooks: whether they are in place, find the program, and fire."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import groupby

from git_knowl.plumbing.repository import Repository
from git_knowl.services.context import Context
from git_knowl.services.doctor.finding import Finding, Repair
from git_knowl.services.hooks import heartbeat, install
from git_knowl.services.hooks import program as hooks_program
from git_knowl.services.hooks.look import FIRES, FREE, INSTALL, STALE, Spot, look
from git_knowl.services.hooks.program import Program


def reinstall(ctx: Context, program: Program) -> str:
    """Install the hooks again, which changes what is not as it should be."""
    done = install.install(ctx.repo, program).done
    return "; ".join(done) or "nothing had to be written"


REINSTALL = Repair("install the hooks again", reinstall)


def check_hooks(ctx: Context) -> Iterator[Finding]:
    """Find hooks that cannot fire, or cannot find the program; none where none are installed."""
    repo = ctx.repo
    if repo.is_bare:
        return
    spots = look(repo, outside=True)
    if not is_installed(repo, spots):
        return
    yield from check_shims(repo)
    has_shims = hooks_program.recorded(repo) is not None
    for _, same in groupby(
        (spot for spot in spots if spot.state not in ((FIRES,) if has_shims else (FIRES, STALE))),
        key=lambda spot: spot.reason.replace(spot.event, ""),
    ):
        silent = list(same)
        events = ", ".join(spot.event for spot in silent)
        told = f"nothing fires at {events} in {silent[0].worktree}: {silent[0].reason}"
        can_take = all(spot.state in (FREE, STALE) for spot in silent)
        yield Finding(told, silent[0].way, REINSTALL if can_take else None)


def is_installed(repo: Repository, spots: Iterable[Spot]) -> bool:
    """Tell whether anybody has installed our hooks here, and be it that none of them fires."""
    has_shims = hooks_program.read(repo, hooks_program.ENTRY) is not None
    return has_shims or any(spot.state in (FIRES, STALE) for spot in spots)


def check_shims(repo: Repository) -> Iterator[Finding]:
    """Find shims that are missing, older than this version, or lead to no program."""
    found = hooks_program.recorded(repo)
    if found is None:
        yield Finding("the hooks are in place, but their shims are not", INSTALL, REINSTALL)
        return
    if not found.is_there():
        told = f"the hooks start '{found.python}' with '{found.door}', which is not there any more"
        yield Finding(
            told, f"{INSTALL} (without it they look for git-knowl on the PATH)", REINSTALL
        )
    if not hooks_program.is_current(repo):
        yield Finding("the shims of the hooks are those of another version", INSTALL, REINSTALL)


def check_heartbeat(ctx: Context) -> Iterator[Finding]:
    """Find moves of HEAD at which no hook fired, and a hook that went wrong."""
    if ctx.repo.is_bare:
        return
    count = heartbeat.missed(ctx.repo)
    if count:
        moves = "1 commit or checkout" if count == 1 else f"{count} commits or checkouts"
        yield Finding(
            f"{moves} in this worktree, and no hook fired",
            "'git knowl hooks status' says where hooks are looked for; a client that runs no hooks"
            " does no harm: 'git knowl audit' catches up",
        )
    failure = heartbeat.failure(ctx.repo)
    if failure:
        place = ctx.repo.shared_path(heartbeat.FAILURE)
        told = f"the last hook did not come to its end: {failure.splitlines()[-1]}"
        yield Finding(told, f"'{place}' says where; please attach it to a bug report")


def told_of_hooks(ctx: Context) -> str:
    """Say that there are no hooks, where that is so."""
    if ctx.repo.is_bare:
        return "none run in a bare repository"
    return "" if is_installed(ctx.repo, look(ctx.repo)) else f"none are installed ({INSTALL})"


def told_of_heartbeat(ctx: Context) -> str:
    """Return when a hook last fired here."""
    beat = None if ctx.repo.is_bare else heartbeat.last_beat(ctx.repo)
    if beat is None:
        return "no hook has fired in this worktree yet"
    moment = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(beat))
    return f"a hook last fired in this worktree on {moment}"
