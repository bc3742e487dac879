"""Take an entry out with a reason, and bring one back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from git_knowl.errors import MovedError
from git_knowl.model.entry import Entry
from git_knowl.services.change import change, let_in, refuse_held
from git_knowl.services.context import Context
from git_knowl.services.damaged import DamagedFile, find_damaged, retire_damaged
from git_knowl.services.filters.counts import Counts
from git_knowl.services.find import find_entry
from git_knowl.services.gate import authorise
from git_knowl.services.recording import record
from git_knowl.services.retired import RestoreError, full_name, matching, retired
from git_knowl.services.review import check_reason, retirement
from git_knowl.store import history, layout
from git_knowl.store.cache import AmbiguousNameError, NoSuchEntryError, Retired
from git_knowl.store.operations import Change, PutEntry, RemoveTombstone
from git_knowl.store.rules import NameTakenError
from git_knowl.store.snapshot import DamagedEntryError, Snapshot, read_snapshot
from git_knowl.store.transaction import publish
from git_knowl.store.view import View


@dataclass(frozen=True, slots=True)
class Done:
    """What went or came back: its id, the name it has, its lane.

    ``redacted`` counts what was scrubbed from the reason.
    """

    id: str
    name: str
    lane: str
    redacted: Counts = ()


def retire(ctx: Context, name: str, reason: str, reviewer: str | None = None) -> Done:
    """Take an entry out; a tombstone keeps a sync from bringing it back.

    One whose file is damaged is named by the name or id in its path, or by the path. Raises
    GateError where only a person may do this, DraftError for a missing reason.
    """
    damaged = find_unreadable(ctx, name)
    if damaged is not None:
        return retire_unreadable(ctx, damaged, reason, reviewer)
    row, old = find_entry(ctx, name)
    clean = check_reason(reason)
    reviewed = authorise(ctx, "retire", reviewer, entry=old)

    def step(view: View, lane: str, live: Entry) -> list[Change]:
        del view
        return retirement(lane, live, clean.text, reviewed, row.heir)

    change(ctx, old, step, record(ctx, "retire", f"retire {old.name}", reviewed))
    return Done(old.id, old.name, row.lane, clean.found)


def find_unreadable(ctx: Context, text: str) -> DamagedFile | None:
    """Return the damaged file a text names, unless a live entry has the name or id."""
    one = find_damaged(ctx, text)
    if one is None or text == one.path:
        return one
    try:
        ctx.cache.by_name(text)
    except NoSuchEntryError:
        return one
    except AmbiguousNameError:
        return None
    return None


def retire_unreadable(ctx: Context, one: DamagedFile, reason: str, reviewer: str | None) -> Done:
    """Take out a file that nobody can read; it may have been feedback, so a person does it."""
    clean = check_reason(reason)
    reviewed = authorise(ctx, "retire", reviewer)
    retire_damaged(ctx, one, clean.text, reviewed)
    return Done(one.id or one.path, one.title, one.lane, clean.found)


def restore(ctx: Context, name: str, reviewer: str | None = None) -> Done:
    """Bring a retired entry back as it last was; its higher rev wins over the tombstone.

    Raises RestoreError when nothing retired has that name, NameTakenError when another entry has
    it by now.
    """
    stone = find_retired(ctx, name)
    reviewed = authorise(ctx, "restore", reviewer)
    last = last_state(ctx, stone)
    entry = replace(last, rev=last.rev + 1, updated=reviewed.at, reviewed=reviewed)
    refuse_held(ctx, entry.name)

    def operation(view: View) -> Iterable[Change]:
        if not view.lane(stone.lane).find(layout.record_path(layout.RETIRED, stone.id)):
            raise MovedError(f"'{stone.name}' is not retired any more", "look at it and repeat")
        yield RemoveTombstone(stone.lane, stone.id)
        yield PutEntry(stone.lane, entry)
        yield let_in(entry)

    told = record(ctx, "restore", f"restore {entry.name}", reviewed)
    try:
        publish(ctx.store, operation, told, fsync=True)
    except NameTakenError as error:
        hint = "give the entry that has it another name with 'git knowl rename', then repeat"
        raise NameTakenError(error.message, hint) from error
    ctx.refresh()
    return Done(entry.id, entry.name, stone.lane)


def find_retired(ctx: Context, text: str) -> Retired:
    """Return the one retired entry of a name, ``name~suffix``, or id or unique part of it.

    What is live in the other lane only moved, and is none. Raises RestoreError when there is none,
    AmbiguousNameError that lists what the text may mean.
    """
    found = matching(retired(ctx), text)
    if not found:
        from git_knowl.services.missing import told_not_retired  # noqa: PLC0415 - 30 ms, at a miss

        raise told_not_retired(ctx, text)
    if len(found) > 1:
        ordered = sorted(found, key=lambda one: one.id)
        told = ", ".join(f"{full_name(one)} ({one.reason})" for one in ordered)
        raise AmbiguousNameError(f"'{text}' is ambiguous: {told}", "give the name with its suffix")
    return found[0]


def last_state(ctx: Context, stone: Retired) -> Entry:
    """Return an entry as it was before it was retired, the last time it could be read.

    Its rev is the highest that any of its texts had, so that one more is above them all: those too
    that others wrote beside the retirement, whose commits only a merge came after.
    """
    view = ctx.store.view()
    operations = [
        operation
        for operation in history.log(ctx.store, view, identifier=stone.id)
        if operation.lane == stone.lane
    ]
    parents = [one for told in operations for one in told.parents]
    commits = dict.fromkeys((*parents, *(told.commit for told in operations)))
    found = last_of(view, stone, commits)
    if found is None:
        is_cut = any(history.is_cut(ctx.store, operation) for operation in operations)
        raise RestoreError(
            f"the history of '{stone.name}' in this clone does not hold its text",
            history.UNSHALLOW if is_cut else "write it again with 'git knowl add'",
        )
    return found


def last_of(view: View, stone: Retired, commits: Iterable[str]) -> Entry | None:
    """Return the text that was retired; where no commit holds it, the first that one of them does.

    Where histories met, an update that came to nothing may be nearer.
    """
    tombstone = Snapshot(view, stone.lane).tombstone(stone.id)
    retired_text = tombstone.digest if tombstone else ""
    states = [*filter(None, (state_at(view, stone, commit) for commit in commits))]
    if not states:
        return None
    found = next((state for state in states if state.digest == retired_text), states[0])
    return replace(found, rev=max(state.rev for state in states))


def state_at(view: View, stone: Retired, commit: str) -> Entry | None:
    """Return a retired entry as it was at a commit, None where it was not live or damaged."""
    try:
        return read_snapshot(view, stone.lane, commit).entry(stone.id)
    except DamagedEntryError:
        return None
