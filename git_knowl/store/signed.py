"""Commits of the shared lane with a signature, where the person wants one.

Who lets a text in must sign: without the key nothing is written. What vouches for nothing (a merge,
what an agent or a hook does) goes on without a signature and says so.
"""

from __future__ import annotations

from git_knowl.plumbing.signing import SigningError, commit_signed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.plumbing.objects import ObjectDatabase
    from git_knowl.store.store import Store
    from git_knowl.store.trees import Objects

#: By which door a text was let in, and the doors that have a person behind them.
HOW = "Knowl-How"
ATTENDED = ("terminal", "web")


def vouches(trailers: tuple[tuple[str, str], ...]) -> bool:
    """Tell whether an operation says of itself that a person let something in."""
    return [value for key, value in trailers if key == HOW and value in ATTENDED] != []


def store_signed(
    store: Store, db: ObjectDatabase, commit: bytes, objects: Objects, *, must: bool
) -> str | None:
    """Write a commit with its signature, after the objects it needs; return its id.

    Where the key does not sign, None with a notice, or where it ``must`` a SigningError.
    """
    db.write(objects)
    try:
        return commit_signed(store.repo, commit, fsync=getattr(db, "fsync", False))
    except SigningError as error:
        if must:
            raise
        store.repo.notices.append(f"{error.message}; it was written without a signature")
        return None
