"""A push to one place: what the remote's answer means, and what is looked at before the first."""

from __future__ import annotations

from git_knowl.errors import KnowlError
from git_knowl.plumbing import refs, remote
from git_knowl.plumbing.remote import REFUSED, AuthFailed, PushResult, RemoteMoved
from git_knowl.plumbing.repository import Repository
from git_knowl.services.sync.place import BRANCHES, Pace, Place
from git_knowl.store.history import UNSHALLOW

_KEEPER = "whoever keeps the remote can"
#: What is wrong where a remote takes no push, by git's words; the first that fits.
_HINTS = (
    (("shallow",), f"this clone has only the end of {refs.ENTRIES}: {UNSHALLOW}"),
    (
        ("cannot create",),
        f"another ref stands in its way there: {_KEEPER} take that one away or rename it",
    ),
    (
        ("File exists", "Unable to create", "unable to create"),
        f"a program that died there may have left a lock, or one is at work: {_KEEPER} see to it",
    ),
    (
        ("fetch first", "non-fast-forward"),
        f"it holds more on that ref than it shows (transfer.hideRefs): {_KEEPER} show it",
    ),
    (
        ("missing necessary objects", "bad object", "unpacker error", "unresolved reference"),
        f"the repository there may be damaged or full: {_KEEPER} run 'git fsck' in it",
    ),
)
_NOT_ALLOWED = (
    f"{_KEEPER} allow it; where a host takes branches alone, 'git config knowl.remoteRef"
    " refs/heads/knowl-store' keeps the store on one"
)
_NOT_ALLOWED_BRANCH = f"{_KEEPER} allow it, or name another ref with knowl.remoteRef"


class PushRefusedError(KnowlError):
    """The remote does not take the ref of the store, whatever it holds."""


class FirstBranchError(KnowlError):
    """The store would be a branch of the code, or the first of a remote and so its default."""


class BrokenRefError(KnowlError):
    """A ref of the store at the remote that leads to nothing there."""


class NotShownError(KnowlError):
    """The remote says that it took the store and does not show it."""


def push(repo: Repository, place: Place, tip: str, pace: Pace) -> PushResult:
    """Push a commit to the ref of the store, unforced, and return what became of it."""
    update = (tip, place.ref, None)
    try:
        return remote.push(repo, place.remote, [update], timeout=pace.move)[place.ref]
    except AuthFailed as error:
        error.hint = f"'git knowl sync {place.remote} --pull' takes what it has; {error.hint}"
        raise


def is_taken(place: Place, told: PushResult, *, is_still: bool) -> bool:
    """Tell whether the remote says that it took the push; raise where that leads nowhere.

    ``is_still`` tells that nobody moves what it shows.
    """
    if told.is_taken and is_still:
        raise NotShownError(
            f"'{place.remote}' says that it took {place.ref}, and does not show it",
            "whoever keeps that remote may have hidden the ref (transfer.hideRefs)",
        )
    if told.kind == REFUSED or (is_still and not told.is_taken):
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


def broken(place: Place, theirs: str, error: RemoteMoved) -> BrokenRefError:
    """Return what is raised for a ref that goes on showing a commit which the remote lacks."""
    what = f"shows {place.ref} at {theirs[:10]} and does not have that commit"
    if not theirs.strip("0"):
        what = f"has a broken {place.ref}, which leads to no commit"
    return BrokenRefError(
        f"'{place.remote}' {what}: {error.told}",
        f"whoever keeps '{place.remote}' can mend that ref or take it away ('git fsck' there names"
        " it): then the next sync sends the store again",
    )


def _refused(place: Place, told: PushResult) -> PushRefusedError:
    reason = told.reason or "it gives no reason"
    known = (hint for words, hint in _HINTS if any(word in reason for word in words))
    hint = next(known, _NOT_ALLOWED_BRANCH if place.is_branch else _NOT_ALLOWED)
    return PushRefusedError(f"'{place.remote}' does not take {place.ref}: {reason}", hint)
