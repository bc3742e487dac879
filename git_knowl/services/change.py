"""What the verbs on one live entry share: unchanged since it was seen, published as one commit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from git_knowl.errors import MovedError
from git_knowl.model.entry import Entry
from git_knowl.services.compose import EntryRefusedError
from git_knowl.services.context import Context
from git_knowl.services.damaged import holder_of, told_holder
from git_knowl.services.gate import UNATTENDED
from git_knowl.store.operations import Accept, Change, PutEntry
from git_knowl.store.snapshot import find_entry
from git_knowl.store.state import read_door
from git_knowl.store.transaction import Record, publish
from git_knowl.store.view import View

#: What a verb changes, given the entry as it is live now and the lane it is in. The text is the
#: one that was seen; evidence may have joined it meanwhile.
Step = Callable[[View, str, Entry], Iterable[Change]]


@dataclass(frozen=True, slots=True)
class Changed:
    """The entry as it was and as it is now, and the lane it is in."""

    old: Entry
    new: Entry
    lane: str


def change(ctx: Context, seen: Entry, step: Step, told: Record) -> None:
    """Publish what a verb does to an entry, provided it says what the caller saw it say.

    Raises MovedError when somebody changed the text or took the entry out; then nothing is stored.
    """

    def operation(view: View) -> list[Change]:
        return list(step(view, *find_unchanged(view, seen)))

    publish(ctx.store, operation, told, fsync=True)
    ctx.refresh()


def rewrite(ctx: Context, seen: Entry, make: Callable[[Entry], Entry], told: Record) -> Changed:
    """Publish a new state of an entry, made of what is live now, and return both."""
    made: list[Changed] = []

    def step(view: View, lane: str, live: Entry) -> list[Change]:
        made[:] = [Changed(live, make(live), lane)]
        return replaced(view, lane, live, made[0].new)

    change(ctx, seen, step, told)
    return made[0]


def find_unchanged(view: View, seen: Entry) -> tuple[str, Entry]:
    """Return lane and live state of an entry that still says what it said; raises MovedError."""
    found = find_entry(view, seen.id)
    if found is None:
        raise MovedError(
            f"'{seen.name}' is not live any more", f"'git knowl log {seen.id}' says what happened"
        )
    if found[1].digest != seen.digest:
        raise MovedError(f"'{seen.name}' was changed meanwhile", "look at it again and repeat")
    return found


def refuse_taken(ctx: Context, name: str) -> None:
    """Raise EntryRefusedError for a name that a live entry has, be its file damaged or not.

    The store refuses it too; this is for saying so before a text is written or thrown away.
    """
    for lane, identifier in ctx.cache.names(name):
        fault = f"entry.name: '{name}' is taken by the entry {identifier} in lane {lane}"
        raise EntryRefusedError([fault], "choose another name, or 'git knowl edit' that entry")
    refuse_held(ctx, name)


def refuse_held(ctx: Context, name: str) -> None:
    """Raise EntryRefusedError for a name that an entry has whose file is damaged."""
    damaged = holder_of(ctx, name)
    if damaged is not None:
        fault, hint = told_holder(damaged)
        raise EntryRefusedError([f"entry.name: {fault}"], hint)


def replaced(view: View, lane: str, old: Entry, new: Entry) -> list[Change]:
    """Return the changes that put a new state of an entry in its place.

    What was reviewed in this clone stays so, and what nobody confirmed stays unconfirmed: only name
    and evidence are changed in this way.
    """
    door = read_door(view, old.id, old.digest)
    if door is None:
        return [PutEntry(lane, new)]
    made = let_in(new)
    return [PutEntry(lane, new), made if made.how == UNATTENDED else replace(made, how=door)]


def let_in(entry: Entry) -> Accept:
    """Return what remembers in this clone that a text was let in, and by which door."""
    return Accept(entry.id, entry.digest, entry.reviewed.how if entry.reviewed else "")
