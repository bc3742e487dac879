"""Where the store is shared: the remote, the ref it has there, and the copy kept here."""

from __future__ import annotations

from dataclasses import dataclass

from git_knowl.errors import KnowlError
from git_knowl.plumbing import refs, remote
from git_knowl.plumbing.repository import Repository
from git_knowl.services.context import Context

BRANCHES = "refs/heads/"
#: What a message ends with where a sync stopped before anything moved.
NOTHING = "nothing was taken over and nothing sent"


class WhichRemoteError(KnowlError):
    """No remote was named, and there is not exactly one."""


class NoStoreError(KnowlError):
    """A ref of a remote that holds something else than a store this program can read."""


@dataclass(frozen=True, slots=True)
class Place:
    """A remote, the ref that holds the shared lane there, and where its copy is kept here."""

    remote: str
    ref: str
    copy: str

    @property
    def is_branch(self) -> bool:
        """Tell whether the store is a branch there, because the host takes nothing else."""
        return self.ref.startswith(BRANCHES)


@dataclass(frozen=True, slots=True)
class Pace:
    """How long to wait for a remote, in seconds a call, and how often to try when it moves on."""

    look: float = remote.LOOK_SECONDS
    move: float = remote.MOVE_SECONDS
    tries: int = 40


PATIENT = Pace()
#: For what nobody asked for: a sync after a write, and the look of `init`.
HURRIED = Pace(look=8.0, move=20.0, tries=3)


def choose(ctx: Context, given: str | None = None) -> Place:
    """Return the remote that was named, else ``knowl.remote``, else the only one.

    Raises NoSuchRemote for what is no configured name and WhichRemoteError without any.
    """
    name = given or ctx.settings.remote
    return _place(ctx, remote.known(ctx.repo, name) if name else _only(ctx.repo))


def find(ctx: Context) -> Place | None:
    """Return the place that a sync without a name chooses, None where there are none or several."""
    try:
        return choose(ctx)
    except WhichRemoteError:
        return None


def no_store(place: Place, why: str, hint: str | None = None) -> NoStoreError:
    """Return what is raised for what no program here can take for a store."""
    return NoStoreError(
        f"'{place.remote}' has no store at {place.ref} that can be read here: {why}",
        hint or f"{NOTHING}; whoever keeps that remote can say what belongs there",
    )


def _place(ctx: Context, name: str) -> Place:
    return Place(name, ctx.settings.remote_ref, refs.tracking_ref(name, refs.ENTRIES))


def _only(repo: Repository) -> str:
    found = remote.names(repo)
    if len(found) == 1:
        return found[0]
    told = f"there are {', '.join(found)}" if found else "there is none"
    raise WhichRemoteError(
        f"expected the name of a remote, {told}",
        "'git knowl sync NAME', or name the one to share with once and for all: 'git config"
        " knowl.remote NAME'" if found else "'git remote add' makes one",
    )  # fmt: skip
