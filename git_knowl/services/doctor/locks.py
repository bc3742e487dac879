"""Checks of the locks that a killed git leaves behind."""

from __future__ import annotations

from collections.abc import Iterator

from git_knowl.plumbing import upkeep
from git_knowl.plumbing.lock import flock
from git_knowl.plumbing.upkeep import LockFile
from git_knowl.services.context import Context
from git_knowl.services.doctor.finding import Finding, Repair
from git_knowl.services.doctor.ground import user_name
from git_knowl.services.hooks.program import Program

#: A git that lives holds a lock on refs for less.
OLDEST = 60.0
#: A writer at work has the lock of the clone; nobody waits for it at a terminal for longer.
PATIENCE = 5.0


def check_locks(ctx: Context) -> Iterator[Finding]:
    """Find locks that keep the store from being written and that nobody seems to hold."""
    for seen in upkeep.lock_files(ctx.repo):
        age = ctx.caller.clock() - seen.at
        if 0 <= age <= OLDEST:
            continue
        yield Finding(told(seen, age), way(seen, age), repair_of(seen, age))


def told(seen: LockFile, age: float) -> str:
    """Return what is known of a lock."""
    when = f"{int(age)} s old" if age >= 0 else "from the future by the clock of this machine"
    return f"the lock file '{seen.path}' of {user_name(seen.user)} is there, {when}"


def way(seen: LockFile, age: float) -> str:
    """Return what becomes of a lock."""
    if seen.is_ours and age >= 0:
        return "the next write removes it when nobody uses it"
    return "once no git is at work in this repository, take it away"


def repair_of(seen: LockFile, age: float) -> Repair | None:
    """Return the removal of a lock, where its age proves that whoever made it is gone."""
    if not seen.is_ours or age < 0:
        return None

    def remove(ctx: Context, _: Program) -> str:
        with flock(ctx.repo, PATIENCE) as held:
            gone = upkeep.remove_lock(seen, held, OLDEST)
        return f"removed '{seen.path}'" if gone else f"left '{seen.path}': somebody is using it"

    return Repair("remove this lock", remove)
