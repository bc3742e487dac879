"""Which stored verdicts still hold: of a few entries, looking at what they rest on alone.

An edit speaks against the entries on that file, and against those that need one of them; what is
stored of all others is as good as before. Nothing is parsed, and no other path is looked at.
"""

from __future__ import annotations

import os

from git_knowl.anchors import freshness
from git_knowl.anchors.freshness import Look
from git_knowl.model.status import ACTIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from git_knowl.plumbing.repository import Repository
else:
    import _sqlite3 as sqlite3  # what `sqlite3` puts around it are dates, half a bare start


def held_statuses(
    repo: Repository,
    tips: Mapping[str, str | None],
    head: str | None,
    now: str,
    ids: Iterable[str],
) -> dict[str, str]:
    """Return the status of those of the entries that nothing speaks against, by id.

    None of them where nothing of use is stored, the store has moved, or the index may hide paths
    from the work tree.
    """
    path = repo.worktree_path(freshness.FILE)
    if not os.path.exists(path):
        return {}
    try:
        stored = freshness.connect(path)
        try:
            stored.execute("BEGIN")
            usable = freshness.is_usable(repo, stored)
            return _held(repo, stored, (tips, head, now), list(ids)) if usable else {}
        finally:
            stored.close()
    except (sqlite3.Error, KeyError, TypeError):
        return {}


def _held(
    repo: Repository,
    stored: sqlite3.Connection,
    at: tuple[Mapping[str, str | None], str | None, str],
    ids: list[str],
) -> dict[str, str]:
    tips, head, now = at
    needs = {one: with_needed(stored, one) for one in ids}
    uses = {one: set(_paths(stored, one)) for one in set().union(*needs.values())}
    look = Look(stored, repo, head, now, set().union(*uses.values()))
    if look.unsure or look.tips != freshness.tips_text(tips):
        return {}
    sound = {one for one, paths in uses.items() if _stands(stored, look, now, one, paths)}
    return {one: look.statuses.get(one, ACTIVE) for one in ids if needs[one] <= sound}


def with_needed(stored: sqlite3.Connection, identifier: str) -> set[str]:
    """Return an entry with what it needs, and what that needs."""
    found, waiting = {identifier}, [identifier]
    while waiting:
        asked = "SELECT needed FROM needs WHERE id = ?"
        new = set(_column(stored, asked, waiting.pop())) - found
        found |= new
        waiting += new
    return found


def _stands(
    stored: sqlite3.Connection, look: Look, now: str, identifier: str, paths: set[bytes]
) -> bool:
    """Tell whether an entry was judged, and all that its verdict leans on is as it was then."""
    asked = "SELECT leaning, sets, since, expires FROM entries WHERE id = ?"
    for leaning, sets, since, expires in stored.execute(asked, (identifier,)):
        is_of_age = (since and since > now) or (expires and expires <= now)
        moved = (leaning and look.moved) or (sets and look.stirred)
        return not (is_of_age or moved or _are_touched(look, paths))
    return False


def _are_touched(look: Look, paths: set[bytes]) -> bool:
    folders = tuple(path for path in look.changed if path.endswith(b"/"))
    return not paths.isdisjoint(look.changed) or any(path.startswith(folders) for path in paths)


def _paths(stored: sqlite3.Connection, identifier: str) -> Iterator[bytes]:
    return _column(stored, "SELECT path FROM uses WHERE id = ?", identifier)


def _column(stored: sqlite3.Connection, query: str, value: str) -> Iterator[Any]:
    return (row[0] for row in stored.execute(query, (value,)))
