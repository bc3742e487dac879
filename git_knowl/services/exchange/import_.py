"""Turn a folder of texts into drafts; what is live already is passed over."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from git_knowl.errors import KnowlError
from git_knowl.model import rules, schema
from git_knowl.model.anchor import ForeignAnchor, UrlAnchor, fingerprints
from git_knowl.model.draft import Draft
from git_knowl.model.entry import Entry
from git_knowl.services import compose
from git_knowl.services.context import Context
from git_knowl.services.edit import text_of
from git_knowl.services.exchange.desk import ImportDesk, RefusedError, own_field
from git_knowl.services.exchange.found import Foreign, Found, LeftOut, Plain, Unreadable, Whole
from git_knowl.services.exchange.recognise import recognise
from git_knowl.services.exchange.take_foreign import make_foreign
from git_knowl.services.filters.counts import Counts, summed
from git_knowl.services.filters.screen import screen_entry
from git_knowl.services.items import PENDING_HOW, blank, default_lane, make_draft, targeted
from git_knowl.services.prechecks import likely_duplicates
from git_knowl.services.propose import draft_id, fate, item_digest, put
from git_knowl.services.supersede import resolve
from git_knowl.store.decided import DISCARDED, find_decided, find_decision


@dataclass(slots=True)
class Imported:
    """What came of the documents; ``form`` is what they were read as.

    ``drafts`` were stored, or would be; ``unchanged`` are the documents that are live or were
    handed in before, ``failed``, ``left_out`` and ``notes`` sentences; ``redacted`` counts what was
    scrubbed.
    """

    form: str
    drafts: tuple[Draft, ...] = ()
    unchanged: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    redacted: Counts = ()


def import_path(
    ctx: Context, path: str, form: str | None = None, *, dry_run: bool = False
) -> Imported:
    """Make a draft of every text below a folder, or of one file, and store them together.

    A document as `export` writes it keeps its id; any other gets a new one. One that cannot be read
    or taken is told and hides no other. With ``dry_run`` nothing is stored. Raises ImportPathError
    for a path that holds nothing of the form.
    """
    source = recognise(ctx.caller.cwd, path, ctx.repo.work_tree, form)
    view = ctx.store.view()
    desk = ImportDesk(ctx, view)
    done = Imported(source.form)
    for found in source.read():
        receive(desk, found, done)
    if desk.made and not dry_run:
        put(ctx, desk.made)
    done.drafts = tuple(desk.made)
    done.redacted = summed((*source.place.redacted, *desk.redacted))
    return done


def receive(desk: ImportDesk, found: Found, done: Imported) -> None:
    """Take one document, or note why not."""
    count = len(desk.made)
    try:
        match found:
            case LeftOut():
                done.left_out.append(f"{found.shown}: {found.reason}")
                return
            case Unreadable():
                raise RefusedError(found.error)
            case Whole():
                done.notes += take_whole(desk, found)
            case Plain():
                done.notes += take_plain(desk, found)
            case Foreign():
                done.notes += take_foreign(desk, found)
    except KnowlError as error:
        faults = getattr(error, "faults", (error.message,))
        done.failed.append(f"{found.shown}: {'; '.join(map(own_field, faults))}")
    else:
        done.unchanged += [found.shown] if len(desk.made) == count else []


def take_plain(desk: ImportDesk, found: Plain) -> list[str]:
    """Make a draft of what somebody wrote without this program; return what has no place here."""
    known = schema.schema("capture")["$defs"]["NewEntry"]["properties"]
    given = {key: told for key, told in found.fields.items() if key in known}
    if not names_live(desk.ctx, given.get("supersedes", ())):
        del given["supersedes"]
    given.setdefault("source", {"kind": "session", "ref": f"import of {found.origin}"})
    item = {"kind": "capture", "flags": [], "entry": given}
    desk.check(item)
    left_out = sorted(found.fields.keys() - given.keys())
    notes = [f"{found.shown}: left out {', '.join(left_out)}"] if left_out else []
    digest = item_digest(item)
    before = desk.before(digest)
    if before is not None:
        return [*notes, *came_to_nothing(desk, found.shown, before)]
    refuse_proposed(desk, given["name"])
    desk.add(make_draft(desk, item, draft_id(desk.ctx, digest, len(desk.made)), digest))
    return notes


def names_live(ctx: Context, told: object) -> bool:
    """Tell whether something is a list of live entries, as others write of documents of theirs."""
    try:
        return isinstance(told, list | tuple) and bool(resolve(ctx, map(str, told)) or not told)
    except KnowlError:
        return False


def take_foreign(desk: ImportDesk, found: Foreign) -> list[str]:
    """Make a draft of a text of another system, unless it was one before."""
    digest = item_digest(found.identity)
    before = desk.before(digest)
    if before is not None:
        return came_to_nothing(desk, found.shown, before)
    desk.add(make_foreign(desk, found, digest))
    return []


def take_whole(desk: ImportDesk, found: Whole) -> list[str]:
    """Propose an exported entry: as a new one, or as an update of the live one of its id.

    Returns what became of it where that came to nothing before.
    """
    live = next(iter(desk.ctx.cache.entries([found.entry.id])), None)
    if is_here(desk, found.entry, live):
        return came_to_nothing(desk, found.shown, found.entry.id)
    entry, redacted = cleaned(found.entry)
    item = item_digest(item_of(entry, live))
    before = desk.before(item) if live is not None else None
    if before is not None:
        return came_to_nothing(desk, found.shown, before)
    if live is None or live.name != entry.name:
        refuse_proposed(desk, entry.name)
        refuse_taken(desk, entry.name)
    draft = new(desk, found, entry, item) if live is None else changed(desk, live, entry, item)
    desk.redacted.extend(redacted)
    desk.add(draft)
    return []


def item_of(entry: Entry, live: Entry | None) -> dict[str, Any]:
    """Return what an import is known again by: the text, or where that is live what it replaces."""
    item: dict[str, Any] = {"kind": "import", "id": entry.id, "digest": entry.digest}
    is_text = live is None or live.digest != entry.digest
    return item if is_text else {**item, "supersedes": sorted(entry.supersedes)}


def came_to_nothing(desk: ImportDesk, shown: str, identifier: str) -> list[str]:
    """Return what became of a document that was discarded or retired before; else nothing."""
    if desk.view.is_live(identifier):
        return []
    decided = find_decision(desk.view, identifier)
    is_discarded = decided is not None and decided.outcome == DISCARDED
    gone = is_discarded or desk.view.is_known(identifier)
    return [f"{shown}: {fate(desk.view, identifier)}"] if gone else []


def cleaned(entry: Entry) -> tuple[Entry, Counts]:
    """Return an entry as it may be stored, its secrets masked, and what they were.

    Nothing but a secret and the reviewer goes. Raises EntryRefusedError for a secret that cannot be
    masked, and for a field that is not as it must be.
    """
    bare = replace(entry, reviewed=None)
    compose.refuse(rules.validate(bare))
    screened = screen_entry(bare)
    if screened.refused:
        raise compose.EntryRefusedError(screened.refused)
    return screened.entry, screened.found


def is_here(desk: ImportDesk, entry: Entry, live: Entry | None) -> bool:
    """Tell whether a text is live, or its entry waits as a draft or was decided on before."""
    if live is not None:
        return live.digest == entry.digest and {*entry.supersedes} <= {*live.supersedes}
    decided = find_decided(desk.view, entry.id)
    return entry.id in desk.lookup.ids or decided is not None or desk.view.is_known(entry.id)


def refuse_proposed(desk: ImportDesk, name: str) -> None:
    """Raise when a waiting draft has a name."""
    if name in desk.lookup.names:
        raise compose.EntryRefusedError(
            [f"entry.name: '{name}' is taken by the draft {desk.lookup.names[name]}"],
            "choose another name, or have that draft reviewed first",
        )


def refuse_taken(desk: ImportDesk, name: str) -> None:
    """Raise when a live entry has a name."""
    for lane, identifier in desk.ctx.cache.names(name):
        raise compose.EntryRefusedError(
            [f"entry.name: '{name}' is taken by the entry {identifier} in lane {lane}"],
            "choose another name, or submit an update of that entry",
        )


def new(desk: ImportDesk, found: Whole, entry: Entry, item: str) -> Draft:
    """Return the draft of an entry that is not live here; its id is that of the entry."""
    return replace(
        blank(desk, {"kind": "capture"}, entry.id, item),
        name=entry.name,
        entry=vouched(desk.ctx, entry),
        lane=found.lane or default_lane(desk.ctx, entry.type),
        warnings=(*told_of(entry), *likely_duplicates(desk.ctx, entry)),
    )


def changed(desk: ImportDesk, live: Entry, entry: Entry, item: str) -> Draft:
    """Return the draft that gives a live entry the text of an exported one."""
    ctx = desk.ctx
    older = tuple(dict.fromkeys((*live.supersedes, *entry.supersedes)))
    made = replace(entry, created=live.created, rev=live.rev + 1, supersedes=older)
    newer = vouched(ctx, made)
    draft = blank(desk, {"kind": "update"}, draft_id(ctx, item, len(desk.made)), item)
    lane = next(row.lane for row in ctx.cache.by_ids([live.id]))
    return replace(targeted(draft, lane, live), entry=newer, warnings=told_of(newer))


def told_of(entry: Entry) -> tuple[str, ...]:
    """Return what a reviewer should know of an entry that was made elsewhere."""
    kinds = sorted({one.kind for one in entry.anchors if isinstance(one, ForeignAnchor)})
    newer = [f"anchors: this version cannot look at the kind '{kind}'" for kind in kinds]
    return (*rules.warnings(entry), *newer)


def vouched(ctx: Context, entry: Entry) -> Entry:
    """Return the entry with evidence for its text: its own, or what stands here where it has none.

    A text that somebody edited after the export has none. Raises EntryRefusedError where what it
    rests on is not here.
    """
    checked = [one for one in entry.anchors if not isinstance(one, UrlAnchor | ForeignAnchor)]
    if all(entry.digest in {item.text for item in fingerprints(one)} for one in checked):
        return entry
    origin = compose.Origin(entry.id, entry.created, entry.rev, entry.provenance, kept=entry)
    return compose.compose(ctx, text_of(entry), origin, how=PENDING_HOW, from_top=True).entry
