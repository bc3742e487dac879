"""Every entry judged in one world, and what changed since a time before.

That is the last audit of this worktree, or the merge base with another branch. What a worktree
remembers are the verdicts of its last audit in a terminal, ``audit.json``, apart from what its
hooks told (`cursor`): an audit says everything, so it moves both.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from git_knowl.anchors.base import World
from git_knowl.anchors.worlds import CommitWorld, StagedWorld
from git_knowl.errors import KnowlError
from git_knowl.model.entry import SHARED
from git_knowl.model.flag import Flag
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from git_knowl.plumbing import between, history
from git_knowl.services.catchup import cursor
from git_knowl.services.catchup.turned import turned_by
from git_knowl.services.context import Context
from git_knowl.services.expiry import expire
from git_knowl.services.files import FileError, replace_file
from git_knowl.services.judging import list_all_in
from git_knowl.services.listing import Listed, Listing, list_all
from git_knowl.services.notes.records import note_suspects
from git_knowl.store.state import read_snoozes

CURSOR = "audit.json"


class NoBaseError(KnowlError):
    """Two commits between which this clone shows no common ancestor."""


@dataclass(frozen=True, slots=True)
class Change:
    """An entry whose verdict is another one than at the last audit here.

    ``old`` is None for an entry that audit did not know.
    """

    name: str
    old: str | None
    new: str
    commit: str | None


@dataclass(frozen=True, slots=True)
class Audit:
    """Verdicts of all entries, what changed, and until when entries sleep, by id.

    ``is_first`` tells that this worktree was never audited before, ``base`` is the commit the
    verdicts were compared with in place of the last audit, ``expired`` are flags nobody used.
    ``personal`` are the entries of the personal store: told behind the others, and never findings,
    as they are no part of this repository.
    """

    found: Listing
    changed: tuple[Change, ...] = ()
    snoozed: Mapping[str, str] = field(default_factory=dict)
    is_first: bool = False
    base: str | None = None
    expired: tuple[Flag, ...] = ()
    personal: Listing | None = None

    def counted(self) -> list[Listed]:
        """Return the entries that count as findings when they are not active.

        Those that sleep never do; with a base, only what became worse since.
        """
        changed = {one.name for one in self.changed}
        return [
            one
            for one in self.found.entries
            if one.row.id not in self.snoozed and (self.base is None or one.row.name in changed)
        ]

    def findings(self, *, strict: bool) -> int:
        """Return how many of them are suspect; ``strict`` counts unknown and damaged too."""
        wanted = (SUSPECT, UNKNOWN) if strict else (SUSPECT,)
        judged = sum(one.verdict.status in wanted for one in self.counted())
        return judged + (len(self.found.damaged) if strict else 0)


def pick_world(ctx: Context, commit: str | None, *, staged: bool) -> World:
    """Return the files to judge against: the index, a commit, or those of the caller.

    Raises NeedsWorkTree for the index of a bare repository, RevisionError for no commit.
    """
    if commit is not None:
        return CommitWorld(ctx.repo, commit, ctx.caller.now())
    if staged:
        ctx.repo.require_work_tree()
        return StagedWorld(ctx.repo, ctx.caller.now())
    return ctx.world


def audit(ctx: Context, world: World, *, move: bool) -> Audit:
    """Judge all entries; with ``move`` the next audit of this worktree compares with this one.

    Only the caller's own files have a cursor: what is staged or committed is compared with it, and
    never moves it.
    """
    found = judged_in(ctx, world)
    before = read_cursor(ctx)
    expired: tuple[Flag, ...] = ()
    if move and world is ctx.world:
        write_cursor(ctx, found)
        expired = expire(ctx)
    changed = tuple(changes(found, before or {}))
    return Audit(found, changed, asleep(ctx), is_first=before is None, expired=expired)


def audit_against(ctx: Context, world: World, rev: str) -> Audit:
    """Judge all entries, and compare with the merge base of these files and a revision.

    Raises RevisionError for a revision that names no commit, NoBaseError where none is in common.
    """
    other = history.resolve(ctx.repo, rev)
    base = between.common_ancestor(ctx.repo, world.head, other) if world.head else None
    if base is None:
        raise NoBaseError(
            f"no common ancestor with '{rev}' is in this clone",
            "fetch more of the history: a shallow clone may end before it",
        )
    before = list_all_in(ctx, CommitWorld(ctx.repo, base, ctx.caller.now()))
    found = judged_in(ctx, world)
    statuses = {one.row.id: one.verdict.status for one in before.entries}
    return Audit(found, tuple(changes(found, statuses)), asleep(ctx), base=base)


def beside(ctx: Context, world: World, done: Audit) -> Audit:
    """Return an audit with the entries of the personal store, where one is set."""
    if not ctx.settings.personal:
        return done
    from git_knowl.services.personal import list_personal  # noqa: PLC0415 - for few

    return replace(done, personal=list_personal(ctx, world))


def judged_in(ctx: Context, world: World) -> Listing:
    """Return all entries judged in a world; in the caller's own most verdicts are remembered."""
    return list_all(ctx) if world is ctx.world else list_all_in(ctx, world)


def changes(found: Listing, before: Mapping[str, str]) -> list[Change]:
    """Return what is judged otherwise than before; of new entries, those that are not active."""
    pairs = [(one, before.get(one.row.id)) for one in found.entries]
    return [
        Change(one.row.name, old, one.verdict.status, blamed(one))
        for one, old in pairs
        if one.verdict.status != (old or ACTIVE)
    ]


def blamed(one: Listed) -> str | None:
    """Return the commit that made an entry what it is, when one did."""
    return next((anchor.commit for anchor in one.verdict.anchors if anchor.commit), None)


def asleep(ctx: Context) -> dict[str, str]:
    """Return until when the snoozed entries sleep, by id."""
    today = ctx.caller.now()[:10]
    return {key: day for key, day in read_snoozes(ctx.store.view()).items() if day > today}


def read_cursor(ctx: Context) -> dict[str, str] | None:
    """Return the verdicts of the last audit here by id; None when there was none."""
    try:
        with open(ctx.repo.worktree_path(CURSOR), encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return None
    if not isinstance(found, dict):
        return None
    return {key: str(status) for key, status in found.items()}


def write_cursor(ctx: Context, found: Listing) -> None:
    """Remember these verdicts for the next audit; a read-only repository is no failure."""
    statuses = {one.row.id: one.verdict.status for one in found.entries}
    try:
        replace_file(ctx.repo.worktree_path(CURSOR), json.dumps(statuses, sort_keys=True))
    except FileError:
        ctx.repo.notices.append("the next audit cannot compare with this one")
        return
    told = turned_by(ctx.cache, {one.row.id: one.verdict for one in found.entries})
    marks = {one.mark for one in told}
    cursor.write_told(ctx.repo, cursor.read_told(ctx.repo), marks, statuses)
    cursor.move_cursor(ctx.repo, ctx.world.head)
    note_suspects(
        ctx, [(one.commit, one.name, one.path) for one in told if one.commit and one.lane == SHARED]
    )
