"""A push to one place: what the remote's answer means, and what is looked at before the first."""

from __future__ import annotations

from git_knowl.errors import KnowlError
from git_knowl.plumbing import refs, remote
from git_knowl.plumbing.remote import REFUSED, PushResult
from git_knowl.plumbing.repository import Repository
from git_knowl.services.sync.place import BRANCHES, Pace, Place
from git_knowl.store.history import UNSHALLOW

#: Rounds in which a remote may show the same, and say that it moved or that it took something.
STUBBORN = 5


class PushRefusedError(KnowlError):
    """The remote does not take the ref of the store, whatever it holds."""


class FirstBranchError(KnowlError):
    """The store would be a branch of the code, or the first of a remote and so its default."""


class NotShownError(KnowlError):
    """The remote says that it took the store and does not show it."""


def push(repo: Repository, place: Place, tip: str, pace: Pace) -> PushResult:
    """Push a commit to the ref of the store, unforced, and return what became of it."""
    update = (tip, place.ref, None)
    return remote.push(repo, place.remote, [update], timeout=pace.move)[place.ref]


def is_taken(place: Place, told: PushResult, rounds: int) -> bool:
    """Tell whether the remote says that it took the push; raise where that leads nowhere.

    ``rounds`` is how often it has shown the very same.
    """
    if told.is_taken and rounds >= STUBBORN:
        raise NotShownError(
            f"'{place.remote}' says that it took {place.ref}, and does not show it",
            "whoever keeps that remote may have hidden the ref (transfer.hideRefs)",
        )
    if told.kind == REFUSED or (rounds >= STUBBORN and not told.is_taken):
        raise _refused(place, told)
    return told.is_taken


def look_at_branches(repo: Repository, place: Place, pace: Pace) -> None:
    """Refuse a branch of the code, and the first branch of a remote; else say what one brings."""
    if refs.read(repo, (place.ref,))[place.ref]:
        raise FirstBranchError(
            f"{place.ref} is a branch of the code in this clone, and no place for the store",
            "knowl.remoteRef names a branch that nobody has, such as refs/heads/knowl-store",
        )
    if not remote.ls(repo, place.remote, [f"{BRANCHES}*"], timeout=pace.look):
        raise FirstBranchError(
            f"'{place.remote}' has no branch yet, and would take {place.ref} for the one to check"
            " out",
            "push a branch of the code first",
        )
    repo.notices.append(
        f"{place.ref} is a branch at '{place.remote}': see that no CI runs on it and that it does"
        " not become the default branch"
    )


def _refused(place: Place, told: PushResult) -> PushRefusedError:
    hint = (
        "whoever keeps the remote can allow it; where a host takes branches alone, 'git config"
        " knowl.remoteRef refs/heads/knowl-store' keeps the store on one"
    )
    if place.is_branch:
        hint = "whoever keeps the remote can allow it, or name another ref with knowl.remoteRef"
    if "shallow" in told.reason:
        hint = f"this clone has only the end of {refs.ENTRIES}: {UNSHALLOW}"
    return PushRefusedError(
        f"'{place.remote}' does not take {place.ref}: {told.reason or 'it gives no reason'}", hint
    )
