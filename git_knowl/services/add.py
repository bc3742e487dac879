"""A person writes an entry by hand; without a person it becomes a draft."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from git_knowl.errors import MovedError
from git_knowl.model import ids
from git_knowl.model.entry import SHARED, Entry, Source
from git_knowl.model.faults import name_faults
from git_knowl.model.flag import Flag
from git_knowl.plumbing.worktree import anchor_obstacle
from git_knowl.services.change import let_in, refuse_taken
from git_knowl.services.compose import Origin, Text, compose, parse, refuse, scrub
from git_knowl.services.context import Context
from git_knowl.services.filters import secrets
from git_knowl.services.filters.counts import Counts, summed
from git_knowl.services.gate import authorise, check_person, may_write_live
from git_knowl.services.items import Desk, default_lane, provenance
from git_knowl.services.prechecks import likely_duplicates
from git_knowl.services.project import put_project
from git_knowl.services.propose import fate, put, take
from git_knowl.services.recording import record
from git_knowl.services.supersede import resolve, still_live
from git_knowl.store.flags import read_flags
from git_knowl.store.inbox import CAPTURED, read_inbox
from git_knowl.store.operations import Change, PutEntry, PutFlag
from git_knowl.store.transaction import publish
from git_knowl.store.view import View


@dataclass(frozen=True, slots=True)
class Plan:
    """What somebody wants to add; paths of its anchors count from the top with ``from_top``.

    ``flag`` is the flag it settles, ``notes`` what that could not lend.
    """

    text: Text
    lane: str | None = None
    reviewer: str | None = None
    flag: Flag | None = None
    from_top: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Added:
    """The id of what came of it: a live entry, or a draft that waits for a person.

    ``known`` tells that the same was proposed before: nothing was written, and ``note`` says what
    became of it. ``older`` names the live entries that it took the place of.
    """

    id: str
    live: bool
    known: bool = False
    note: str = ""
    warnings: tuple[str, ...] = ()
    redacted: Counts = ()
    older: tuple[str, ...] = ()


def lend(ctx: Context, plan: Plan, flag: Flag) -> Plan:
    """Return the plan with the paths and the quote of a flag where it names none itself.

    A path that no file anchor can rest on is left out, with a note.
    """
    text, obstacles = plan.text, {}
    if not text.anchors:
        obstacles = {item.path: obstacle(ctx, item.path) for item in flag.paths}
        paths = tuple(f"file:{path}" for path, fault in obstacles.items() if fault is None)
        plan = replace(plan, text=replace(text, anchors=paths), from_top=True)
    if text.source is None and flag.quote:
        plan = replace(plan, text=replace(plan.text, source=Source("quote", quote=flag.quote)))
    notes = [f"left out as an anchor: {fault}" for fault in obstacles.values() if fault]
    if flag.draft:
        notes.append(f"the draft {flag.draft} is made of this flag too")
    return replace(plan, flag=flag, notes=tuple(notes))


def with_body(plan: Plan, body: str) -> Plan:
    """Return the plan with a body that was written meanwhile."""
    return replace(plan, text=replace(plan.text, body=body))


def with_older(ctx: Context, plan: Plan) -> Plan:
    """Return the plan with the ids of the live entries that it names to take their place.

    Raises EntryRefusedError naming the field.
    """
    return replace(plan, text=replace(plan.text, supersedes=resolve(ctx, plan.text.supersedes)))


def obstacle(ctx: Context, path: str) -> str | None:
    """Return why a path from the top cannot be an anchor here, or None."""
    if ctx.world.blobs([path])[path].state == "absent":
        return f"'{path}' is not here"
    return anchor_obstacle(ctx.repo, path)


def find_flag(ctx: Context, text: str) -> Flag:
    """Return the flag that waits or expired and is named by an id or part of it; raises IdError."""
    flags = [one for one in read_flags(ctx.store.view()) if isinstance(one, Flag)]
    by_id = {flag.id: flag for flag in flags if flag.is_usable}
    return by_id[ids.resolve(text, list(by_id), "pending flag")]


def check_name(ctx: Context, name: str) -> None:
    """Raise for a name that no new entry can have, before anybody writes a text for it."""
    secrets.refuse("entry.name", name)
    refuse(name_faults("name", name))
    refuse_taken(ctx, name)


def add(ctx: Context, plan: Plan) -> Added:
    """Store an entry, live where a person stands behind it, else as a draft.

    Raises EntryRefusedError or SecretError naming the field, NameTakenError for a name that got
    taken meanwhile, MovedError for a flag that was settled; then nothing is stored.
    """
    refuse_taken(ctx, plan.text.name)
    plan = with_older(ctx, plan)
    if may_write_live(ctx, plan.reviewer):
        return add_live(ctx, plan)
    return add_draft(ctx, plan)


def add_live(ctx: Context, plan: Plan) -> Added:
    """Publish the entry, vouched for by a person."""
    reviewed = authorise(ctx, "add", plan.reviewer)
    origin = Origin(ctx.caller.new_id(), ctx.caller.now(), provenance=provenance(plan.text))
    made = compose(ctx, plan.text, origin, how=reviewed.how, by=reviewed.by, from_top=plan.from_top)
    entry = replace(made.entry, reviewed=reviewed)
    lane = plan.lane or default_lane(ctx, entry.type)
    warnings = (*made.warnings, *likely_duplicates(ctx, entry))

    def operation(view: View) -> Iterable[Change]:
        yield PutEntry(lane, entry)
        yield let_in(entry)
        yield from put_project(ctx, view) if lane == SHARED else ()
        yield from settle(view, plan.flag, entry) if plan.flag else ()

    publish(ctx.store, operation, record(ctx, "add", f"capture {entry.name}", reviewed), fsync=True)
    ctx.refresh()
    older = tuple(still_live(ctx, entry.supersedes))
    return Added(entry.id, live=True, warnings=warnings, redacted=made.redacted, older=older)


def settle(view: View, flag: Flag, entry: Entry) -> Iterable[Change]:
    """Yield the change that settles a flag; raises MovedError when something else did meanwhile."""
    now = next(
        (one for one in read_flags(view) if isinstance(one, Flag) and one.id == flag.id), flag
    )
    if not now.is_usable:
        raise MovedError(
            f"the flag {flag.id} was settled meanwhile: {now.outcome}",
            "look at what it became, then repeat without --from-flag if it is still worth an entry",
        )
    yield PutFlag(replace(now, outcome=f"{CAPTURED}{entry.name}", draft=entry.id))


def add_draft(ctx: Context, plan: Plan) -> Added:
    """Leave the entry as a draft, as if it had been handed in by `capture --submit`."""
    if plan.reviewer:
        check_person(plan.reviewer)
    scrub(plan.text)  # what names a thing and holds a secret is refused before a message repeats it
    view = ctx.store.view()
    desk = Desk(ctx, view, read_inbox(view))
    take(desk, 0, item(ctx, plan))
    drafts = [replace(one, lane=plan.lane or one.lane) for one in desk.drafts]
    known = [*desk.known.values(), *(put(ctx, drafts).values() if drafts else ())]
    if known:
        return Added(known[0], live=False, known=True, note=fate(view, known[0]))
    warnings = drafts[0].warnings
    return Added(drafts[0].id, live=False, warnings=warnings, redacted=summed(desk.redacted))


def item(ctx: Context, plan: Plan) -> dict[str, object]:
    """Return the plan as an item of a payload, its paths counted from the top."""
    text = plan.text
    anchors = [anchor.target for anchor in parse(ctx, text, from_top=plan.from_top)]
    source = text.source and {"kind": text.source.kind, "quote": text.source.quote}
    entry = {
        "name": text.name,
        "description": text.description,
        "type": text.type,
        "body": text.body,
        "anchors": anchors,
        "source": source,
        "tags": list(text.tags),
        **({"supersedes": list(text.supersedes)} if text.supersedes else {}),
    }
    return {"kind": "capture", "flags": [plan.flag.id] if plan.flag else [], "entry": entry}
