"""A process that writes to the store as fast as it can, or reads while others do.

``python -m tests.support.store_writer write WORKER COUNT``, ``read TIMES``, or ``die STEP``, which
is a write that kills its own process after a step.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import TYPE_CHECKING

from git_knowl.model.entry import LOCAL, SHARED
from git_knowl.plumbing.objects import open_objects
from git_knowl.plumbing.repository import discover
from git_knowl.store.flags import read_flag
from git_knowl.store.inbox import read_inbox
from git_knowl.store.operations import Accept, PutEntry, PutFlag
from git_knowl.store.snapshot import Snapshot
from git_knowl.store.store import Store
from git_knowl.store.transaction import publish
from git_knowl.store.view import LANES
from tests.support.stores import entry, flag, record, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from git_knowl.store.operations import Change
    from git_knowl.store.view import View

MOST = 1_000


def number_of(worker: int, turn: int) -> int:
    """Return the number that all of one worker's turn is made from."""
    return worker * MOST + turn


def kind_of(turn: int) -> str:
    """Return what a worker writes in its turn."""
    return ("flag", "flag", "flag", "review", "local", "flag")[turn % 6]


def write_turns(store: Store, worker: int, count: int) -> None:
    """Write a flag, a review of it, or a local entry, in turns."""
    for turn in range(count):
        number = number_of(worker, turn)
        kind = kind_of(turn)
        if kind == "flag":
            write(store, PutFlag(flag(f"note {number}", number)), record=record("flag"))
        elif kind == "local":
            written = PutEntry(LOCAL, entry(f"mine-{number}", number))
            write(store, written, record=record("add"))
        else:
            review(store, number)


def review(store: Store, number: int) -> None:
    """Settle the flag of the turn before and make its entry live, in one transaction."""
    found = entry(f"shared-{number}", number)
    settled = flag("", number - 1).id

    def operation(view: View) -> list[Change]:
        noted = read_flag(view, settled)
        assert noted is not None
        assert noted.is_pending
        done = flag(noted.summary, number - 1, outcome=f"captured as {found.name}")
        return [PutEntry(SHARED, found), PutFlag(done), Accept(found.id, found.digest)]

    publish(store, operation, record("review", f"capture {found.name}"))


def read_often(store: Store, times: int) -> None:
    """Read all of the store over and over; nothing may be torn, and nothing disappears."""
    seen = 0
    for _ in range(times):
        view = store.view()
        inbox = read_inbox(view)
        snapshots = [Snapshot(view, lane) for lane in LANES]
        assert inbox.damaged == ()
        assert all(snapshot.damaged() == [] for snapshot in snapshots)
        assert len(inbox.flags) >= seen
        seen = len(inbox.flags)


def die(store: Store, step: str) -> None:
    """Write a review on all refs and be killed right after a step of it, none for ``""``."""

    def stop(done: str) -> None:
        if done == step:
            os.kill(os.getpid(), signal.SIGKILL)

    store.on_step = stop
    found = entry("shared-1", 1)
    noted = flag("note", 0, outcome="captured as shared-1")
    changes: list[Change] = [
        PutEntry(SHARED, found),
        PutEntry(LOCAL, entry("mine-2", 2)),
        PutFlag(noted),
        Accept(found.id, found.digest),
    ]
    publish(store, lambda _: changes, record("review"), fsync=True)


VERBS: dict[str, Callable[..., None]] = {"write": write_turns, "read": read_often}


def main(verb: str, *arguments: str) -> None:
    """Run one of the verbs in the repository of the current folder."""
    repo = discover(os.getcwd(), os.environ)
    store = Store(repo, open_objects(repo))
    if verb == "die":
        die(store, *arguments)
    else:
        VERBS[verb](store, *map(int, arguments))


if __name__ == "__main__":
    main(*sys.argv[1:])
