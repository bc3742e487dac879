"""Just in time: the entries on a file that an agent is about to read or edit."""

from __future__ import annotations

import os

from git_knowl.model.status import ACTIVE
from git_knowl.model.tiers import needs_signatures
from git_knowl.plumbing.repository import PathError
from git_knowl.services.agents.bodies import body_of
from git_knowl.services.agents.cards import card, fitting, whole
from git_knowl.services.agents.journal import once
from git_knowl.services.agents.standing import statuses_of
from git_knowl.services.index import plain_label, urgency
from git_knowl.store import touched
from git_knowl.store.cache_tiers import Admitted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from git_knowl.services.agents.memory import Memory
    from git_knowl.services.context import Context
    from git_knowl.store.cache import CacheReader, EntryRow

HEADINGS = (
    "What earlier sessions found out about this file:\n",
    "What earlier sessions found out about these files:\n",
)
LEFT = "{} more, when one of these files is touched again; `git knowl why PATH` lists them now.\n"
UNSEEN = "Files named that were not looked up: {}; `git knowl why PATH` asks about one.\n"
#: So many files of one call are looked up, so many entries told, each with so many of its files.
MOST_PATHS = 200
MOST_ENTRIES = 20
MOST_NAMED = 3
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
    """Return the entries on the files that the agent has not seen in this state, urgent first.

    What finds no room is counted, and comes when one of the files is touched again.
    """
    files = by_entry(asked, memory, paths[:MOST_PATHS])
    rows = asked.admitted(files) if files else []
    if not rows:
        return ""
    statuses = asked.statuses(row.id for row in rows)
    versions = {row.id: version(row, statuses[row.id]) for row in rows}
    news = [row for row in rows if not memory.has(row.id, versions[row.id])]
    news.sort(key=lambda row: (urgency(row, statuses[row.id]), row.name))
    where = files if len({one for row in news for one in files[row.id]}) > 1 else {}
    heading = HEADINGS[bool(where)]
    parts = list(told(asked.cache, news[:MOST_ENTRIES], statuses, where))
    kept = len(fitting(heading, parts))
    for row in news[:kept]:
        memory.knows(row.id, versions[row.id])
    return card(heading, parts, left_out(len(news) - kept, len(paths) - MOST_PATHS))


def by_entry(asked: Asked, memory: Memory, paths: Sequence[str]) -> dict[str, list[str]]:
    """Return the ids of the entries on files, each with those of the files it rests on."""
    found: dict[str, list[str]] = {}
    for path in dict.fromkeys(relative(asked.ctx, memory, path) for path in paths):
        for one in dict.fromkeys(on_file(asked, path)) if path else ():
            found.setdefault(one, []).append(path)
    return found


def relative(ctx: Context, memory: Memory, path: str) -> str:
    """Return a file from the top of this worktree, '' for what is none; the log tells it once."""
    try:
        found = ctx.repo.relative(path, ctx.caller.cwd)
    except (PathError, ValueError):
        once(ctx, memory, "a path outside the work tree")
        return ""
    is_folder = os.path.isdir(os.path.join(ctx.repo.work_tree or "", found))
    return "" if is_folder else found


def left_out(entries: int, files: int) -> str:
    """Return the line that counts what was not told, and files nobody looked at; '' of none."""
    told = LEFT.format(entries) if entries > 0 else ""
    return told + (UNSEEN.format(files) if files > 0 else "")


def on_file(asked: Asked, path: str) -> Iterator[str]:
    """Yield the ids of the entries on a file, given from the top of this worktree."""
    yield from (row.id for row in asked.cache.by_path(path, below=False))
    yield from on_sets(asked, path)


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


def told(
    cache: CacheReader,
    rows: Sequence[EntryRow],
    statuses: Mapping[str, str],
    where: Mapping[str, Sequence[str]],
) -> Iterator[str]:
    """Yield the entries with their bodies, and below the files that each rests on where told."""
    documents = dict(cache.documents([row.id for row in rows]))
    for row in rows:
        text = whole(row, statuses[row.id], body_of(documents.get(row.id, b"")))
        yield f"on {listed(where[row.id])}:\n{text}" if where else text


def listed(paths: Sequence[str]) -> str:
    """Return some paths as words of one line that nothing in them can end."""
    shown = ", ".join(plain_label(path) for path in paths[:MOST_NAMED])
    return shown + (f" and {len(paths) - MOST_NAMED} more" if len(paths) > MOST_NAMED else "")
