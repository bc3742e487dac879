"""Entries that rest on files of a test repository, and what becomes of them."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from git_knowl.anchors import freshness, kinds
from git_knowl.anchors.base import Stamp
from git_knowl.anchors.evaluate import judge_entries
from git_knowl.anchors.freshness_write import refreshed
from git_knowl.anchors.worlds import default_world
from git_knowl.model.anchor import FileAnchor
from git_knowl.model.entry import Entry
from git_knowl.model.ids import make_id

if TYPE_CHECKING:
    from git_knowl.anchors.base import World
    from git_knowl.anchors.freshness_write import Judged
    from git_knowl.model.anchor import Anchor
    from git_knowl.model.verdict import AnchorVerdict, Verdict
    from tests.support.builders import RepoBuilder

NOW = "2026-11-29T10:00:00Z"
KIM = "Kim <kim@example.org>"


def entry_with(*anchors: Anchor, number: int = 1) -> Entry:
    """Return an entry of those anchors; nothing is accepted unless they bring it along."""
    return Entry(
        name=f"entry-{number}",
        id=make_id(number, b"0123456789"),
        description="Read before changing the cart",
        type="project",
        created=NOW,
        updated=NOW,
        rev=1,
        body="The price doubles above three.",
        anchors=anchors,
    )


def entry_on(repo: RepoBuilder, *paths: str, number: int = 1, world: World | None = None) -> Entry:
    """Return an entry on files, accepted as they are now in the work tree or the world given."""
    return verified(entry_with(*map(FileAnchor, paths), number=number), world or world_of(repo))


def verified(entry: Entry, world: World, at: str = NOW) -> Entry:
    """Return the entry with what stands in the world now added to what was accepted."""
    stamp = Stamp(text=entry.digest, at=at, by=KIM, how="terminal")
    seen = [kinds.observe(anchor, world, stamp) for anchor in entry.anchors]
    pairs = zip(entry.anchors, seen, strict=True)
    return replace(entry, anchors=tuple(_with_both(old, new) for old, new in pairs))


def world_of(repo: RepoBuilder) -> World:
    """Return the world of somebody who asks in this work tree now."""
    return default_world(repo.open(), NOW)


def verdict(repo: RepoBuilder, entry: Entry, world: World | None = None) -> AnchorVerdict:
    """Return what the first anchor of an entry says in the work tree or the world given."""
    return judge_entries([entry], world or world_of(repo))[entry.id].anchors[0]


def _with_both(old: Anchor, new: Anchor) -> Anchor:
    if isinstance(old, FileAnchor) and isinstance(new, FileAnchor):
        return replace(old, accepted=(*old.accepted, *new.accepted))
    return new


def settle() -> None:
    """Wait until what was written a moment ago is old enough to be told from what comes."""
    time.sleep(2 * freshness.FINE_TICK_NS / 1e9)


class Shelf:
    """Entries as a store would hold them, and somebody in one worktree who asks about them.

    ``loaded`` collects the ids of the entries that had to be judged again.
    """

    def __init__(self, repo: RepoBuilder, *entries: Entry) -> None:
        self.repo = repo
        self.now = NOW
        self.entries = {entry.id: entry for entry in entries}
        self.loaded: list[str] = []
        self.writes = 0

    @property
    def tips(self) -> dict[str, str | None]:
        """The commits of the entries refs; every write makes another."""
        return {"refs/knowl/entries": f"{self.writes:040x}", "refs/knowl-local/entries": None}

    @property
    def path(self) -> str:
        """Where the verdicts of this worktree are stored."""
        return self.repo.open().worktree_path(freshness.FILE)

    def put(self, entry: Entry) -> Entry:
        """Add an entry, or replace the one with its id."""
        self.entries[entry.id] = entry
        self.writes += 1
        return entry

    def retire(self, entry: Entry) -> None:
        """Take an entry out."""
        del self.entries[entry.id]
        self.writes += 1

    def ask(self) -> Judged:
        """Return the verdicts by way of what is stored."""
        self.loaded.clear()
        world = default_world(self.repo.open(), self.now)
        return refreshed(world, self.tips, self._versions, self._load)

    def warm(self) -> dict[str, str] | None:
        """Return what the short path says."""
        world = default_world(self.repo.open(), self.now)
        return freshness.warm_statuses(world.repo, self.tips, world.head, self.now)

    def cold(self) -> dict[str, Verdict]:
        """Return the verdicts without anything stored."""
        return judge_entries(self.entries.values(), default_world(self.repo.open(), self.now))

    def check(self) -> None:
        """Ask in every way and compare: nothing stored may change an answer."""
        cold = self.cold()
        expected = {key: found.status for key, found in cold.items() if not found.is_active}
        assert self.warm() in (None, expected)
        judged = self.ask()
        assert {key: judged.of(entry) for key, entry in self.entries.items()} == cold
        assert judged.statuses == expected
        assert self.warm() in (None, expected)

    def _versions(self) -> dict[str, str]:
        return {key: str(hash(entry)) for key, entry in self.entries.items()}

    def _load(self, ids: list[str]) -> list[Entry]:
        self.loaded += ids
        return [self.entries[key] for key in ids if key in self.entries]
