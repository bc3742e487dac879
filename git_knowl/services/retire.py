"""Take an entry out with a reason, and bring one back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from git_knowl.errors import KnowlError, MovedError
from git_knowl.model.entry import LOCAL, Entry
from git_knowl.model.ids import ALPHABET, SHORT
from git_knowl.services.change import change
from git_knowl.services.context import Context
from git_knowl.services.filters.counts import Counts
from git_knowl.services.find import find_entry
from git_knowl.services.gate import authorise
from git_knowl.services.recording import record
from git_knowl.services.review import check_reason, retirement
from git_knowl.store import history, layout
from git_knowl.store.cache import AmbiguousNameError, Retired
from git_knowl.store.operations import Accept, Change, PutEntry, RemoveTombstone
from git_knowl.store.rules import NameTakenError
from git_knowl.store.snapshot import read_snapshot
from git_knowl.store.transaction import publish
from git_knowl.store.view import View


class RestoreError(KnowlError):
    """An entry that cannot be brought back."""


@dataclass(frozen=True, slots=True)
class Done:
    """The entry that went or came back, its lane, and what was scrubbed from the reason."""

    entry: Entry
    lane: str
    redacted: Counts = ()


def retire(ctx: Context, name: str, reason: str, reviewer: str | None = None) -> Done:
    """Take an entry out; a tombstone keeps a sync from bringing it back.

    Raises GateError where only a person may do this, DraftError for a missing reason.
    """
    row, old = find_entry(ctx, name)
    clean = check_reason(reason)
    reviewed = authorise(ctx, "retire", reviewer, entry=old)

    def step(view: View, lane: str, live: Entry) -> list[Change]:
        del view
        return retirement(lane, live, clean.text, reviewed)

    change(ctx, old, step, record(ctx, "retire", f"retire {old.name}", reviewed))
    return Done(old, row.lane, clean.found)


def restore(ctx: Context, name: str, reviewer: str | None = None) -> Done:
    """Bring a retired entry back as it last was; its higher rev wins over the tombstone.

    Raises RestoreError when nothing retired has that name, NameTakenError when another entry has
    it by now.
    """
    stone = find_retired(ctx, name)
    reviewed = authorise(ctx, "restore", reviewer)
    last = last_state(ctx, stone)
    entry = replace(last, rev=last.rev + 1, updated=reviewed.at, reviewed=reviewed)

    def operation(view: View) -> Iterable[Change]:
        if not view.lane(stone.lane).find(layout.record_path(layout.RETIRED, stone.id)):
            raise MovedError(f"'{stone.name}' is not retired any more", "look at it and repeat")
        yield RemoveTombstone(stone.lane, stone.id)
        yield PutEntry(stone.lane, entry)
        yield Accept(entry.id, entry.digest)

    told = record(ctx, "restore", f"restore {entry.name}", reviewed)
    try:
        publish(ctx.store, operation, told, fsync=True)
    except NameTakenError as error:
        hint = "give the entry that has it another name with 'git knowl rename', then repeat"
        raise NameTakenError(error.message, hint) from error
    ctx.refresh()
    return Done(entry, stone.lane)


def find_retired(ctx: Context, text: str) -> Retired:
    """Return the one retired entry of a name, ``name~suffix``, or id or unique part of it.

    What is live in the other lane only moved, and is none. Raises RestoreError when there is none,
    AmbiguousNameError that lists what the text may mean.
    """
    stones = retired(ctx)
    name, _, suffix = text.partition("~")
    found = [one for one in stones if one.name == name and one.id.endswith(suffix)]
    if not found and is_part_of_id(text):
        found = [one for one in stones if one.id.startswith(text) or one.id.endswith(text)]
    if not found:
        raise RestoreError(
            f"no retired entry has the name '{text}'", "'git knowl log' shows what was retired"
        )
    if len(found) > 1:
        ordered = sorted(found, key=lambda one: one.id)
        told = ", ".join(f"{one.name}~{one.id[-SHORT:]} ({one.reason})" for one in ordered)
        raise AmbiguousNameError(f"'{text}' is ambiguous: {told}", "give the name with its suffix")
    return found[0]


def retired(ctx: Context) -> list[Retired]:
    """Return what is retired and in no lane any more, the latest first, each once.

    An entry that left the shared lane before it was retired has a tombstone in both lanes; that of
    the local lane stands for where it was last.
    """
    found: dict[str, Retired] = {}
    for one in ctx.cache.retired():
        if one.id not in found or one.lane == LOCAL:
            found[one.id] = one
    live = {row.id for row in ctx.cache.by_ids(found)}
    return [one for one in found.values() if one.id not in live]


def is_part_of_id(text: str) -> bool:
    """Tell whether a text is long enough and made of the right letters for a part of an id."""
    return len(text) >= SHORT and not text.strip(ALPHABET)


def last_state(ctx: Context, stone: Retired) -> Entry:
    """Return an entry as it was before it was retired."""
    view = ctx.store.view()
    states = (
        read_snapshot(view, stone.lane, parent).entry(stone.id)
        for operation in history.log(ctx.store, view, identifier=stone.id)
        if operation.lane == stone.lane
        for parent in operation.parents
    )
    found = next(filter(None, states), None)
    if found is None:
        raise RestoreError(
            f"the history of '{stone.name}' does not hold its text any more",
            "write it again with 'git knowl add'",
        )
    return found
