"""Entries and tombstones whose file cannot be read: found by their path, and taken out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from git_knowl.errors import MovedError
from git_knowl.model.entry import Reviewed
from git_knowl.plumbing import refs
from git_knowl.services.context import Context
from git_knowl.services.recording import record
from git_knowl.store import history, layout
from git_knowl.store.operations import Change, PutFile, PutTombstone
from git_knowl.store.snapshot import DamagedEntryError
from git_knowl.store.tombstones import Tombstone
from git_knowl.store.transaction import publish
from git_knowl.store.view import View

#: Where `retire` takes files out; what else is odd in the store is no entry.
FOLDERS = (f"{layout.ENTRIES}/", f"{layout.RETIRED}/")


@dataclass(frozen=True, slots=True)
class DamagedFile:
    """A file that cannot be read; ``id`` and ``name`` are what its path says, if anything."""

    lane: str
    path: str
    error: str
    id: str | None = None
    name: str | None = None

    @property
    def title(self) -> str:
        """What messages call it."""
        return self.name or self.id or self.path


def damaged_files(ctx: Context) -> list[DamagedFile]:
    """Return the entries and tombstones of both lanes that cannot be read."""
    found = ctx.cache.damaged()
    return [read_path(*one) for one in found if one[1].startswith(FOLDERS)]


def read_path(lane: str, path: str, error: str) -> DamagedFile:
    """Return a damaged file with what its path tells of it."""
    identifier, name = layout.parse_entry_path(path) or (None, None)
    return DamagedFile(
        lane, path, error, identifier or layout.parse_record_path(layout.RETIRED, path), name
    )


def find_damaged(ctx: Context, text: str) -> DamagedFile | None:
    """Return the first damaged file a text names: by name, id, or path as `ls` warns of it."""
    found = damaged_files(ctx)
    return next((one for one in found if text in (one.name, one.id, one.path)), None)


def refuse_damaged(ctx: Context, text: str) -> None:
    """Raise DamagedEntryError when a text names an entry that cannot be read."""
    one = find_damaged(ctx, text)
    if one is None:
        return
    newer = newer_format(ctx, one.lane)
    if newer:
        raise DamagedEntryError(
            f"the entry '{text}' in lane {one.lane} cannot be read: {one.error}; {newer}",
            "upgrade git-knowl",
        )
    place = f"{refs.entries_ref(one.lane)}:{one.path}"
    raise DamagedEntryError(
        f"the entry '{text}' in lane {one.lane} is damaged: {one.error}",
        f"'git show {place}' prints what is stored, 'git knowl undo' takes the last operation"
        f" back, 'git knowl retire {one.path}' takes the file out",
    )


def newer_format(ctx: Context, lane: str) -> str | None:
    """Return in words that a newer program wrote a lane, where one did."""
    told = (
        error
        for where, path, error in ctx.cache.damaged()
        if where == lane and path == layout.FORMAT_FILE
    )
    return next(told, None)


def holder_of(ctx: Context, name: str) -> DamagedFile | None:
    """Return the damaged entry that holds a name: it may be repaired, so nothing else has it."""
    return next((one for one in damaged_files(ctx) if one.name == name), None)


def told_holder(one: DamagedFile) -> tuple[str, str]:
    """Return in words that a damaged entry holds a name, and the ways out."""
    return (
        f"'{one.name}' is taken by the damaged entry {one.id} in lane {one.lane}: {one.error}",
        f"choose another name, or 'git knowl retire {one.path}' takes that file out",
    )


def retire_damaged(ctx: Context, one: DamagedFile, reason: str, reviewed: Reviewed) -> None:
    """Take a file out that nobody can read, and leave what is known of it as a tombstone.

    A damaged tombstone is written anew. Another file that holds the same id stays, and then there
    is no tombstone. Raises MovedError when the file was written meanwhile.
    """
    view = ctx.store.view()
    seen = view.lane(one.lane).find(one.path)
    name = one.name or former_name(ctx, view, one)

    def operation(view: View) -> Iterable[Change]:
        if view.lane(one.lane).find(one.path) != seen or seen is None:
            raise MovedError(f"'{one.path}' was changed meanwhile", "look at it again and repeat")
        yield PutFile(refs.entries_ref(one.lane), one.path, None)
        if one.id and not shares_id(view, one):
            stone = Tombstone(one.id, name or one.id, reason, reviewed.by, reviewed.at, digest="")
            yield PutTombstone(one.lane, stone)

    told = record(ctx, "retire", f"retire {name or one.title}", reviewed)
    publish(ctx.store, operation, told, fsync=True)
    ctx.refresh()


def shares_id(view: View, one: DamagedFile) -> bool:
    """Tell whether another file of the lane has the id in the path of a damaged one."""
    return any(path != one.path for path, _ in view.entry_files(one.lane, one.id or ""))


def former_name(ctx: Context, view: View, one: DamagedFile) -> str | None:
    """Return the last name that history has for the id of a damaged tombstone."""
    if one.id is None:
        return None
    operations = history.log(ctx.store, view, identifier=one.id)
    names = (name for told in operations for key, name in told.entries if key == one.id and name)
    return next(names, None)
