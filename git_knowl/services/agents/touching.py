"""Just in time: the entries on a file that an agent is about to read or edit."""

from __future__ import annotations

import os

from git_knowl.model.status import ACTIVE
from git_knowl.model.tiers import needs_signatures
from git_knowl.plumbing.repository import PathError
from git_knowl.services.agents.bodies import body_of
from git_knowl.services.agents.cards import card, whole
from git_knowl.services.agents.standing import statuses_of
from git_knowl.services.index import urgency
from git_knowl.store import touched
from git_knowl.store.cache_tiers import Admitted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from git_knowl.services.agents.memory import Memory
    from git_knowl.services.context import Context
    from git_knowl.store.cache import CacheReader, EntryRow

HEADING = "What earlier sessions found out about this file:\n"
#: So many files of one call are looked up, and so many entries told.
MOST_PATHS = 20
MOST_ENTRIES = 20
#: Fewer characters of a digest tell one text of an entry from another.
_DIGEST = 12


class Asked:
    """The store as one event sees it: who asks, the cache, the tiers that reach agents.

    ``settings`` are those of git config, by their names in lower case.
    """

    __slots__ = ("_known", "cache", "ctx", "settings", "trusted")

    def __init__(
        self,
        ctx: Context,
        cache: CacheReader,
        trusted: tuple[str, ...],
        settings: Mapping[str, str],
    ) -> None:
        self.ctx = ctx
        self.cache = cache
        self.trusted = trusted
        self.settings = settings
        self._known: dict[str, str] = {}

    @property
    def has_personal(self) -> bool:
        """Tell whether the person has a store beside that of the repository."""
        return bool(self.settings.get("knowl.personal"))

    def admitted(self, ids: Iterable[str]) -> list[EntryRow]:
        """Return those of the entries whose text may reach agents."""
        if needs_signatures(self.trusted):
            from git_knowl.services.trust.signatures import know_signatures  # noqa: PLC0415 - few

            know_signatures(self.ctx)
            self.cache = self.ctx.cache
        return Admitted(self.cache, self.trusted).by_ids(ids)

    def statuses(self, ids: Iterable[str]) -> dict[str, str]:
        """Return the status of entries by id; of each it is found out once."""
        asked = list(ids)
        new = [one for one in asked if one not in self._known]
        if new:
            self._known |= statuses_of(self.ctx, self.cache, new)
        return {one: self._known[one] for one in asked}

    def judge(self, ids: Iterable[str]) -> dict[str, str]:
        """Return the status of those of the entries that are not active, by id."""
        return {one: status for one, status in self.statuses(ids).items() if status != ACTIVE}


def touching(asked: Asked, memory: Memory, paths: Sequence[str]) -> str:
    """Return the entries on the files that the agent has not seen in this state, urgent first."""
    ids = {found for path in paths[:MOST_PATHS] for found in on_file(asked, path)}
    rows = asked.admitted(ids) if ids else []
    if not rows:
        return ""
    statuses = asked.statuses(row.id for row in rows)
    news = [row for row in rows if not memory.knows(row.id, version(row, statuses[row.id]))]
    news.sort(key=lambda row: (urgency(row, statuses[row.id]), row.name))
    return card(HEADING, told(asked.cache, news[:MOST_ENTRIES], statuses))


def on_file(asked: Asked, path: str) -> Iterator[str]:
    """Yield the ids of the entries on a file; none for what is no file of this worktree."""
    ctx = asked.ctx
    try:
        relative = ctx.repo.relative(path, ctx.caller.cwd)
    except (PathError, ValueError):
        return
    top = ctx.repo.work_tree or ""
    if not relative or os.path.isdir(os.path.join(top, relative)):
        return
    yield from (row.id for row in asked.cache.by_path(relative, below=False))
    yield from on_sets(asked, relative)


def on_sets(asked: Asked, path: str) -> Iterator[str]:
    """Yield the entries on a folder that holds a file; git is asked only about patterns."""
    patterns = False
    for one in touched.of_kind(asked.cache, touched.TREE):
        pathspec = one.path or touched.TOP
        reach = touched.reach(pathspec)
        if touched.is_within([path], reach):
            patterns = patterns or pathspec != reach
            if pathspec == reach:
                yield one.id
    if patterns:
        from git_knowl.services.resting import on_sets as by_git  # noqa: PLC0415 - there are some

        yield from by_git(asked.ctx, path)


def version(row: EntryRow, status: str) -> str:
    """Return what tells this state of an entry from every other that matters to a reader."""
    return f"{row.digest[:_DIGEST]}:{'conflict' if row.conflict else status}"


def told(cache: CacheReader, rows: Sequence[EntryRow], statuses: dict[str, str]) -> Iterator[str]:
    """Yield the entries with their bodies."""
    documents = dict(cache.documents([row.id for row in rows]))
    for row in rows:
        yield whole(row, statuses[row.id], body_of(documents.get(row.id, b"")))
