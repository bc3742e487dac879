"""Settle what was changed in two ways at once: a person chooses one of the texts, or writes one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from git_knowl.errors import KnowlError, MovedError
from git_knowl.model.document import parse
from git_knowl.model.entry import Entry, Reviewed
from git_knowl.services.change import let_in
from git_knowl.services.context import Context
from git_knowl.services.edit import compose_edit, told
from git_knowl.services.filters.counts import Counts
from git_knowl.services.recording import record
from git_knowl.services.sift import carry_out
from git_knowl.store.conflicts import Conflict, read_conflict, read_conflicts
from git_knowl.store.operations import Change, PutEntry, RemoveConflict
from git_knowl.store.rules import check as check_names
from git_knowl.store.snapshot import find_entry
from git_knowl.store.transaction import publish
from git_knowl.store.view import View


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person made of a conflict they saw: the text that stands from now on."""

    seen: Conflict
    chosen: Entry


@dataclass(frozen=True, slots=True)
class Written:
    """A text that a person wrote to settle a conflict, and what to say of it."""

    choice: Choice
    warnings: tuple[str, ...] = ()
    redacted: Counts = ()


@dataclass(frozen=True, slots=True)
class Settled:
    """Ids of the entries whose text was decided on, and why others were left as they are."""

    ids: tuple[str, ...] = ()
    left: tuple[KnowlError, ...] = ()


def conflicts(ctx: Context) -> list[Conflict]:
    """Return every entry that has more than one text, by id."""
    return list(read_conflicts(ctx.store.view()))


def write_choice(ctx: Context, seen: Conflict, text: str, reviewed: Reviewed) -> Written:
    """Return the choice of a text that a person wrote, as a document that begins with the live one.

    Its evidence is what stands here now. Raises DocumentError, or what composing an entry raises.
    """
    new = parse(text.encode())
    same = next((side for side in seen.sides if told(side) == told(new)), None)
    if same is not None:
        return Written(Choice(seen, same))
    made = compose_edit(ctx, seen.live, replace(new, id=seen.live.id), reviewed)
    return Written(Choice(seen, made.entry), made.warnings, made.redacted)


def settle(ctx: Context, choices: Sequence[Choice], reviewed: Reviewed) -> Settled:
    """Make the chosen texts live, all of them in one commit; the others stay in history.

    What was settled alike meanwhile counts as done. What was settled otherwise, or has other texts
    by now, is left and named; raises the error of the first one when that is all of them.
    """

    def rehearse(some: Sequence[Choice]) -> None:
        view = ctx.store.view()
        for change in planned(view, some, reviewed):
            change.apply(view)
        check_names(view)

    def store(held: Sequence[Choice]) -> tuple[str, ...]:
        told_by = record(ctx, "resolve", subject(held), reviewed)
        publish(ctx.store, lambda view: planned(view, held, reviewed), told_by, fsync=True)
        ctx.refresh()
        return tuple(one.chosen.id for one in held)

    ids, left = carry_out(choices, rehearse, store)
    return Settled(ids, tuple(error for _, error in left))


def subject(choices: Sequence[Choice]) -> str:
    """Return what history says of the decisions."""
    if len(choices) == 1:
        return f"resolve {choices[0].chosen.name}"
    return f"resolve {len(choices)} conflicts"


def planned(view: View, choices: Iterable[Choice], reviewed: Reviewed) -> list[Change]:
    """Return what the choices change; raises MovedError for an entry that has other texts now."""
    return [change for one in choices for change in changes(view, one, reviewed)]


def changes(view: View, one: Choice, reviewed: Reviewed) -> list[Change]:
    """Return what one choice changes: nothing where the same was chosen meanwhile."""
    identifier, lane = one.chosen.id, one.seen.lane
    now = read_conflict(view, lane, identifier)
    if now is None:
        check_settled_alike(view, one)
        return []
    if digests(now) != digests(one.seen):
        raise moved(one)
    made = replace(one.chosen, rev=now.rev + 1, updated=reviewed.at, reviewed=reviewed)
    return [PutEntry(lane, made), RemoveConflict(lane, identifier), let_in(made)]


def check_settled_alike(view: View, one: Choice) -> None:
    """Raise MovedError unless the chosen text is live by now."""
    found = find_entry(view, one.chosen.id)
    if found is None or found[1].digest != one.chosen.digest:
        raise moved(one)


def moved(one: Choice) -> MovedError:
    """Return the error for a conflict that is not what it was."""
    return MovedError(
        f"'{one.seen.live.name}' was changed meanwhile", "'git knowl review' shows it as it is now"
    )


def digests(conflict: Conflict) -> set[str]:
    """Return what tells the texts of a conflict apart."""
    return {side.digest for side in conflict.sides}
