"""Another name for an entry, or another lane: what it says and rests on stays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from git_knowl.model.entry import SHARED, Entry, Reviewed
from git_knowl.model.faults import name_faults
from git_knowl.services.change import Changed, change, refuse_held, replaced, rewrite
from git_knowl.services.compose import refuse
from git_knowl.services.context import Context
from git_knowl.services.evidence import carry
from git_knowl.services.filters import secrets
from git_knowl.services.find import find_entry, refuse_conflicted
from git_knowl.services.gate import UNATTENDED, authorise
from git_knowl.services.project import put_project
from git_knowl.services.recording import record
from git_knowl.store import layout
from git_knowl.store.operations import Change, PutTombstone, RemoveEntry, RemoveTombstone
from git_knowl.store.tombstones import Tombstone
from git_knowl.store.view import View

LEFT = "moved to the local lane of a clone"


def rename(ctx: Context, old_name: str, new_name: str, reviewer: str | None = None) -> Changed:
    """Give an entry another name; its evidence counts on, links go by id and stay right.

    Raises NameTakenError for a name that is in use. The name it has is no change.
    """
    row, old = find_entry(ctx, old_name)
    secrets.refuse("name", new_name)
    refuse(name_faults("name", new_name))
    refuse_conflicted(ctx, old.id)
    reviewed = authorise(ctx, "rename", reviewer)
    if new_name == old.name:
        return Changed(old, old, row.lane)
    refuse_held(ctx, new_name)
    told = record(ctx, "rename", f"rename {old.name} to {new_name}", reviewed)
    return rewrite(ctx, old, lambda live: renamed(live, new_name, reviewed), told)


def renamed(live: Entry, name: str, reviewed: Reviewed) -> Entry:
    """Return the entry under another name; a name that nobody saw makes the text unattended."""
    vouched = reviewed if reviewed.how == UNATTENDED else live.reviewed
    new = replace(live, name=name, rev=live.rev + 1, updated=reviewed.at, reviewed=vouched)
    return carry(live, new)


def move(ctx: Context, name: str, lane: str, reviewer: str | None = None) -> Changed:
    """Move an entry to a lane; in the shared one a tombstone tells others that it left.

    Raises ConflictedError for one of which a person must choose the text first.
    """
    _, old = find_entry(ctx, name)
    refuse_conflicted(ctx, old.id)
    reviewed = authorise(ctx, "move", reviewer)
    made: list[Changed] = []

    def step(view: View, source: str, live: Entry) -> Iterable[Change]:
        is_there = source == lane
        new = live if is_there else replace(live, rev=live.rev + 1, updated=reviewed.at)
        made[:] = [Changed(live, new, lane)]
        if is_there:
            return
        yield RemoveEntry(source, live.id)
        yield from arrival(ctx, view, live) if lane == SHARED else departure(live, reviewed)
        yield from replaced(view, lane, live, new)

    change(ctx, old, step, record(ctx, "move", f"move {old.name} to lane {lane}", reviewed))
    return made[0]


def departure(live: Entry, reviewed: Reviewed) -> Iterable[Change]:
    """Yield what the shared lane keeps of an entry that leaves it."""
    stone = Tombstone(live.id, live.name, LEFT, reviewed.by, reviewed.at, live.digest)
    yield PutTombstone(SHARED, stone)


def arrival(ctx: Context, view: View, live: Entry) -> Iterable[Change]:
    """Yield what makes room in the shared lane for an entry, which may have been there before."""
    yield from put_project(ctx, view)
    if view.lane(SHARED).find(layout.record_path(layout.RETIRED, live.id)):
        yield RemoveTombstone(SHARED, live.id)
