"""Exchange the shared lane with a remote."""

from __future__ import annotations

from git_knowl.services.context import Context
from git_knowl.services.sync.exchange import Exchange
from git_knowl.services.sync.place import PATIENT, Pace, choose
from git_knowl.services.sync.result import Synced


def attempt(
    ctx: Context,
    given: str | None = None,
    *,
    dry_run: bool = False,
    pull: bool = False,
    same_project: bool = False,
    pace: Pace = PATIENT,
) -> Synced:
    """Do as `sync`, but what fails after something came in is in ``failed`` of what is returned."""
    place = choose(ctx, given)
    exchange = Exchange(ctx, place, pace, pull=pull, same_project=same_project)
    return exchange.preview() if dry_run else exchange.run()


def sync(
    ctx: Context,
    given: str | None = None,
    *,
    dry_run: bool = False,
    pull: bool = False,
    same_project: bool = False,
    pace: Pace = PATIENT,
) -> Synced:
    """Exchange the shared lane with a remote; with ``pull`` only take what it has.

    With ``dry_run`` nothing moves and nothing is kept. Raises RemoteError for what keeps us from
    reaching it, NoStoreError, ForeignProject (unless ``same_project``), SecretsError,
    PushRefusedError, BrokenRefError, and LostRaceError when others were faster every time.
    """
    done = attempt(ctx, given, dry_run=dry_run, pull=pull, same_project=same_project, pace=pace)
    if done.failed:
        raise done.failed
    return done
