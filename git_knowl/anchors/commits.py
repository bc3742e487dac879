"""What became of a commit in a history: it counts there, was taken back, or nobody can tell.

A commit that was rebased, amended in its message or picked counts under another id when its patch
is the same. It is taken back by a commit that says so, or whose patch is its reverse; taking that
back again lets it count again. Answers are remembered by the commit they were given for, in a file
that may be deleted at any time.
"""

import json
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass

from git_knowl.anchors.unreadable import UNREADABLE, why
from git_knowl.model.anchor import APPLIED, REVERTED
from git_knowl.plumbing import between, patches
from git_knowl.plumbing.changes import shallow_ends
from git_knowl.plumbing.history import Commit
from git_knowl.plumbing.patches import Told
from git_knowl.plumbing.repository import Repository

FILE = "commits-v1.sqlite"
_BUSY_SECONDS = 2.0
_MOST_ANSWERS = 2000
_HURRIED_PATCHES = 20
_MOST_PATCHES = 50_000
_REVERTS = re.compile(r"This reverts commit ([0-9a-f]{7,64})")
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS patch (oid TEXT PRIMARY KEY, patch_id TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS answer (head TEXT, oid TEXT, told TEXT, PRIMARY KEY (head, oid))",
)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a commit stands in a history.

    ``state`` is None where nobody can tell, then ``reason`` says why. ``here`` is the id under
    which the commit counts, ``change`` the commit that took it back or let it count again.
    ``is_final`` is false for an answer that may be another one at the next question.
    """

    state: str | None
    here: str | None = None
    change: Commit | None = None
    reason: str | None = None
    is_final: bool = True


class _TooMuchError(Exception):
    """More patches are to be compared than somebody waits for."""


def standings(
    repo: Repository, head: str, wanted: Mapping[str, str | None], *, is_hurried: bool = False
) -> dict[str, Standing]:
    """Return where every commit stands in the history of ``head``; values are patch-ids, if any.

    A commit for which many patches would have to be compared is left open for who is hurried.
    """
    key = f"{head} {len(shallow_ends(repo))}"
    with _memory(repo) as memory:
        known = _remembered(memory, key, wanted)
        new = {oid: patch_id for oid, patch_id in wanted.items() if oid not in known}
        most = _HURRIED_PATCHES if is_hurried else patches.MOST_COMMITS
        found = _Search(repo, head, memory, most).standings(new) if new else {}
        _remember(memory, key, {oid: one for oid, one in found.items() if one.is_final})
    return {**known, **found}


_LEFT_OPEN = Standing(None, reason="history moved, commit not checked", is_final=False)


class _Search:
    """One look into a history, for several commits."""

    def __init__(
        self, repo: Repository, head: str, memory: sqlite3.Connection, most_patches: int
    ) -> None:
        self._repo = repo
        self._head = head
        self._memory = memory
        self._most_patches = most_patches

    def standings(self, wanted: Mapping[str, str | None]) -> dict[str, Standing]:
        """Return where every one of the commits stands."""
        here = between.present(self._repo, wanted)
        inside = here - patches.outside(self._repo, self._head, here)
        found = {}
        for oid, patch_id in wanted.items():
            try:
                known = oid if oid in here else None
                counts_as = oid if oid in inside else self._equal(known, patch_id)
                found[oid] = self._standing(oid, counts_as, patch_id)
            except _TooMuchError:
                found[oid] = _LEFT_OPEN
            except UNREADABLE as error:
                found[oid] = Standing(None, reason=why(self._repo, error), is_final=False)
        return found

    def _equal(self, oid: str | None, patch_id: str | None) -> str | None:
        """Return the commit of the history with the same patch, the newest one."""
        if patch_id is None:
            return None
        paths = patches.touched_paths(self._repo, oid) if oid else []
        among = patches.without_merges(self._repo, self._head, oid, paths)
        ids = self._patch_ids(among)
        return next((one for one in among if ids.get(one) == patch_id), None)

    def _nowhere(self) -> Standing:
        if shallow_ends(self._repo):
            reason = (
                "not in the part of the history that this shallow clone has:"
                " 'git fetch --unshallow' brings the rest"
            )
        else:
            reason = (
                "not in the history of this checkout, and none of its newest"
                f" {patches.MOST_COMMITS} commits makes the same change"
            )
        return Standing(None, reason=reason)

    def _standing(self, oid: str, here: str | None, patch_id: str | None) -> Standing:
        if here is None:
            return self._nowhere()
        paths = patches.touched_paths(self._repo, here)
        later = patches.told_after(self._repo, here, self._head, paths)
        ids = self._patch_ids([one.commit.oid for one in later]) if patch_id else {}
        reverse = patches.patch_ids(self._repo, [here], reverse=True).get(here) if ids else None
        story = _Story({oid, here}, patch_id, reverse)
        for one in later:
            story.take(one, ids.get(one.commit.oid), self._undoes_merge(one, here))
        return Standing(story.state, here, story.change)

    def _undoes_merge(self, one: Told, here: str) -> bool:
        """Tell whether a commit takes back the merge that brought ``here`` in."""
        for target in _REVERTS.findall(one.body):
            parent = patches.first_parent(self._repo, target)
            if parent and patches.is_within(self._repo, here, target):
                return not patches.is_within(self._repo, here, parent)
        return False

    def _patch_ids(self, oids: list[str]) -> dict[str, str]:
        """Return the patch-ids of commits, those without one as empty text."""
        query = "SELECT patch_id FROM patch WHERE oid = ?"
        rows = ((oid, self._memory.execute(query, (oid,)).fetchone()) for oid in oids)
        known = {oid: row[0] for oid, row in rows if row}
        new = [oid for oid in oids if oid not in known]
        if len(new) > self._most_patches:
            raise _TooMuchError
        made = patches.patch_ids(self._repo, new) if new else {}
        if made:
            items = [(oid, made.get(oid, "")) for oid in new]
            with suppress(sqlite3.Error):
                self._memory.executemany("INSERT OR IGNORE INTO patch VALUES (?, ?)", items)
        return known | made


class _Story:
    """What later commits make of one: ``same`` are all ids under which its change was made."""

    def __init__(self, same: set[str], patch_id: str | None, reverse: str | None) -> None:
        self.state = APPLIED
        self.change: Commit | None = None
        self._same = same
        self._undoing: set[str] = set()
        self._patch_id = patch_id
        self._reverse = reverse

    def take(self, one: Told, patch_id: str | None, undoes_merge: bool) -> None:  # noqa: FBT001
        """Add the next commit of the history."""
        targets = _REVERTS.findall(one.body)
        if undoes_merge or _any_of(self._same, targets) or self._is(patch_id, self._reverse):
            self._turn(REVERTED, one, self._undoing)
        elif _any_of(self._undoing, targets) or self._is(patch_id, self._patch_id):
            self._turn(APPLIED, one, self._same)

    def _is(self, patch_id: str | None, wanted: str | None) -> bool:
        return bool(wanted) and patch_id == wanted

    def _turn(self, state: str, one: Told, ids: set[str]) -> None:
        ids.add(one.commit.oid)
        self.state, self.change = state, one.commit


def _any_of(oids: Iterable[str], targets: list[str]) -> bool:
    return any(oid.startswith(target) for oid in oids for target in targets)


@contextmanager
def _memory(repo: Repository) -> Iterator[sqlite3.Connection]:
    """Open what is remembered; where that cannot be, something that ends with the block."""
    with closing(_file(repo.shared_path(FILE)) or _opened(":memory:")) as connection:
        yield connection
        with suppress(sqlite3.Error):
            connection.commit()


def _file(path: str) -> sqlite3.Connection | None:
    """Open the file, made anew where it is damaged."""
    with suppress(OSError, sqlite3.OperationalError):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        try:
            return _opened(path)
        except sqlite3.OperationalError:  # locked, full, read-only: the file itself may be sound
            return None
        except sqlite3.DatabaseError:
            os.unlink(path)
            return _opened(path)
    return None


def _opened(path: str) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS)
    try:
        for statement in _SCHEMA:
            connection.execute(statement)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _remembered(memory: sqlite3.Connection, key: str, wanted: Iterable[str]) -> dict[str, Standing]:
    query = "SELECT told FROM answer WHERE head = ? AND oid = ?"
    found = {}
    for oid in wanted:
        with suppress(sqlite3.Error, ValueError, TypeError, KeyError):
            row = memory.execute(query, (key, oid)).fetchone()
            if row:
                found[oid] = _read(row[0])
    return found


def _remember(memory: sqlite3.Connection, key: str, found: Mapping[str, Standing]) -> None:
    rows = [(key, oid, json.dumps(asdict(one))) for oid, one in found.items()]
    with suppress(sqlite3.Error):
        memory.executemany("INSERT OR REPLACE INTO answer VALUES (?, ?, ?)", rows)
        for table, most in (("answer", _MOST_ANSWERS), ("patch", _MOST_PATCHES)):
            oldest = f"SELECT max(rowid) - {most} FROM {table}"  # noqa: S608 - our own names
            memory.execute(f"DELETE FROM {table} WHERE rowid < ({oldest})")  # noqa: S608


def _read(told: str) -> Standing:
    fields = json.loads(told)
    change = fields.pop("change")
    return Standing(change=Commit(**change) if change else None, **fields)
