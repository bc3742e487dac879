"""What was judged last in this worktree: the half that judges again and stores.

Only entries that something speaks against are loaded and judged: new or changed ones, those on a
path that moved, those whose verdict leans on HEAD or the index when these moved, and urls that came
of age. Storing is a favour to the next caller: where it fails, the answer is the same.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from git_knowl.anchors import freshness
from git_knowl.anchors.base import active
from git_knowl.anchors.freshness import Look
from git_knowl.anchors.freshness_file import Known, Outdated, Start, known
from git_knowl.anchors.worlds import DefaultWorld, WorkTreeWorld
from git_knowl.model.entry import Entry
from git_knowl.model.verdict import AnchorVerdict, Verdict

if TYPE_CHECKING:
    from git_knowl.anchors.entry import Gone

Tips = Mapping[str, str | None]
Load = Callable[[list[str]], Iterable[Entry]]
Versions = Callable[[], Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Judged:
    """Verdicts of all entries of the tips; spelled out are those that say something."""

    verdicts: Mapping[str, Verdict]

    @property
    def statuses(self) -> dict[str, str]:
        """The status by id of every entry that is not active."""
        return {key: found.status for key, found in self.verdicts.items() if not found.is_active}

    def of(self, entry: Entry) -> Verdict:
        """Return the verdict of an entry of the tips."""
        return self.verdicts.get(entry.id) or _holding(entry)


def refreshed(
    world: DefaultWorld,
    tips: Tips,
    versions: Versions,
    load: Load,
    gone: "Callable[[], Iterable[Gone]]" = tuple,
    file: str = freshness.FILE,
) -> Judged:
    """Return the verdicts of all entries of the tips, and store them for the next caller.

    ``versions`` gives id -> version of the live entries (any text that changes with the document,
    as its blob id) and is asked only when the tips moved; ``load`` gives the entries with these
    ids, those that can be read, ``gone`` those that were retired. Each store has a ``file`` of its
    own in this worktree.
    """
    start = Start.now(world.repo, file)
    outdated, verdicts = _outdated(world, tips, versions, file)
    if outdated is None:
        return Judged(verdicts)
    entries = [entry for entry in load(sorted(outdated.stale)) if entry.id in outdated.stale]
    # The kinds and their parsers cost as much as a bare start, and mostly nothing is to be judged.
    from git_knowl.anchors.freshness_judge import Task, judge_again  # noqa: PLC0415
    from git_knowl.anchors.needs import Others  # noqa: PLC0415

    task = Task(tips, start, outdated, Others(load, gone))
    return Judged({**verdicts, **judge_again(world, task, entries)})


def _outdated(
    world: DefaultWorld, tips: Tips, versions: Versions, file: str
) -> tuple[Outdated | None, dict[str, Verdict]]:
    """Return what must be judged again, None for nothing, and the verdicts that still hold."""
    look = freshness.examine(world.repo, world.head, world.now, file)
    if look:
        path = world.repo.worktree_path(file)
        with suppress(sqlite3.Error, ValueError, TypeError), known(path, look.generation) as stored:
            if stored:
                verdicts = {key: _read(detail) for key, detail in stored.details().items()}
                if look.warm(tips) is not None:
                    return None, verdicts
                found = _compare(world, look, stored, tips, versions)
                gone = found.dropped | found.stale.keys()
                return found, {key: v for key, v in verdicts.items() if key not in gone}
    return Outdated(None, None, versions()), {}


def _compare(
    world: DefaultWorld, look: Look, stored: Known, tips: Tips, versions: Versions
) -> Outdated:
    changed = frozenset(look.changed)
    if look.unsure and isinstance(world, WorkTreeWorld):
        changed |= _marked_anew(world, stored)
    touched = stored.resting_on(changed)
    touched |= stored.leaning() if look.moved else set()
    touched |= stored.expired(world.now) if look.expired else set()
    touched |= stored.on_sets() if look.stirred else set()
    if look.tips == freshness.tips_text(tips):
        stale = stored.versions_of(stored.with_dependants(touched))
        return Outdated(look.generation, look.base, stale, changed, unclean=look.unclean)
    old, new = stored.versions(), versions()
    dropped = frozenset(key for key, version in old.items() if new.get(key) != version)
    other = {key for key, version in new.items() if old.get(key) != version}
    touched = stored.with_dependants(touched | dropped | other | stored.lacking(new))
    stale = {key: version for key, version in new.items() if key in touched}
    return Outdated(look.generation, look.base, stale, changed, dropped, look.unclean)


def _marked_anew(world: WorkTreeWorld, stored: Known) -> set[bytes]:
    """Return the paths of which the index speaks otherwise than it did."""
    old = {os.fsdecode(path): mark for path, mark in stored.marks().items()}
    new = world.marks(list(old))
    return {os.fsencode(path) for path, mark in old.items() if new[path] != mark}


def _holding(entry: Entry) -> Verdict:
    return Verdict(tuple(active(anchor) for anchor in entry.evidence))


def _read(text: str) -> Verdict:
    return Verdict(tuple(AnchorVerdict(**told) for told in json.loads(text)))
