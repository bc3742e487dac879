"""Turn a folder of entries into drafts; what is live already is passed over."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from git_knowl.errors import KnowlError
from git_knowl.model import rules, schema
from git_knowl.model.anchor import ForeignAnchor, UrlAnchor, fingerprints
from git_knowl.model.document import render
from git_knowl.model.draft import Draft
from git_knowl.model.entry import Entry
from git_knowl.services import compose
from git_knowl.services.context import Context
from git_knowl.services.edit import text_of
from git_knowl.services.exchange.import_files import Found, Plain, Unreadable, Whole, read_all
from git_knowl.services.filters import secrets
from git_knowl.services.filters.counts import Counts, summed
from git_knowl.services.items import (
    PENDING_HOW,
    Desk,
    blank,
    default_lane,
    refuse_taken,
    targeted,
)
from git_knowl.services.prechecks import likely_duplicates
from git_knowl.services.propose import (
    draft_id,
    fate,
    item_digest,
    put,
    submitted_before,
    take,
)
from git_knowl.store.decided import DISCARDED, find_decided, find_decision
from git_knowl.store.inbox import read_inbox

#: How checks of a payload call the place of a document's fields.
PREFIXES = ("items.0.entry.", "entry.")


class RefusedError(KnowlError):
    """A document that cannot become a draft."""


@dataclass(slots=True)
class Imported:
    """What came of the documents.

    ``drafts`` are ids, ``unchanged`` the documents that are live or were handed in before,
    ``failed`` and ``notes`` sentences; ``redacted`` counts what was scrubbed.
    """

    drafts: tuple[str, ...] = ()
    unchanged: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    redacted: Counts = ()


def import_path(ctx: Context, path: str, form: str | None = None) -> Imported:
    """Make a draft of every document below a folder, or of one file, and store them together.

    A document as `export` writes it keeps its id; one with name, description and type alone gets a
    new one. One that cannot be read or taken is told and hides no other. Raises ImportPathError for
    a path that holds nothing of the form.
    """
    view = ctx.store.view()
    desk = Desk(ctx, view, read_inbox(view))
    done = Imported()
    for found in read_all(ctx.caller.cwd, path, form):
        receive(desk, found, done)
    if desk.drafts:
        put(ctx, desk.drafts)
    done.drafts = tuple(draft.id for draft in desk.drafts)
    done.redacted = summed(desk.redacted)
    return done


def receive(desk: Desk, found: Found, done: Imported) -> None:
    """Take one document, or note why not."""
    count = len(desk.drafts)
    try:
        match found:
            case Whole():
                done.notes += take_whole(desk, found)
            case Plain():
                done.notes += take_plain(desk, found)
            case Unreadable():
                raise RefusedError(found.error)
    except KnowlError as error:
        faults = getattr(error, "faults", (error.message,))
        done.failed.append(f"{found.shown}: {'; '.join(map(own_field, faults))}")
    else:
        done.unchanged += [found.shown] if len(desk.drafts) == count else []


def own_field(fault: str) -> str:
    """Return a message with the field named as the document has it."""
    prefix = next((one for one in PREFIXES if fault.startswith(one)), "")
    return fault.removeprefix(prefix)


def take_plain(desk: Desk, found: Plain) -> list[str]:
    """Make a draft of what somebody wrote without this program; return what has no place here."""
    known = schema.schema("capture")["$defs"]["NewEntry"]["properties"]
    given = {key: told for key, told in found.fields.items() if key in known}
    given.setdefault("source", {"kind": "session", "ref": f"import of {found.shown}"})
    item = {"kind": "capture", "flags": [], "entry": given}
    faults = schema.check("capture", {"items": [item]})
    if faults:
        raise RefusedError("; ".join(map(own_field, faults)))
    take(desk, len(desk.drafts), item)
    known = desk.known.get(item_digest(item))
    left_out = sorted(found.fields.keys() - given.keys())
    notes = [f"{found.shown}: left out {', '.join(left_out)}"] if left_out else []
    return [*notes, *(came_to_nothing(desk, found.shown, known) if known else ())]


def take_whole(desk: Desk, found: Whole) -> list[str]:
    """Propose an exported entry: as a new one, or as an update of the live one of its id.

    Returns what became of it where that came to nothing before.
    """
    live = next(iter(desk.ctx.cache.entries([found.entry.id])), None)
    entry, redacted = cleaned(found.entry)
    item = item_digest({"kind": "import", "id": entry.id, "digest": entry.digest})
    if is_here(desk, entry, live, item):
        return came_to_nothing(desk, found.shown, submitted_before(desk, item) or entry.id)
    if live is None or live.name != entry.name:
        refuse_taken(desk, entry.name)
    draft = new(desk, found, entry, item) if live is None else changed(desk, live, entry, item)
    desk.redacted.extend(redacted)
    desk.drafts.append(draft)
    return []


def came_to_nothing(desk: Desk, shown: str, identifier: str) -> list[str]:
    """Return what became of a document that was discarded or retired before; else nothing."""
    if desk.view.is_live(identifier):
        return []
    decided = find_decision(desk.view, identifier)
    is_discarded = decided is not None and decided.outcome == DISCARDED
    gone = is_discarded or desk.view.is_known(identifier)
    return [f"{shown}: {fate(desk.view, identifier)}"] if gone else []


def cleaned(entry: Entry) -> tuple[Entry, Counts]:
    """Return an entry as it may be stored, its secrets masked, and what they were.

    Raises SecretError for a secret in a field that cannot be masked, EntryRefusedError for any
    other field that is not as it must be.
    """
    text, redacted = compose.scrub(text_of(entry))
    clean = replace(
        entry, description=text.description, body=text.body, source=text.source, reviewed=None
    )
    compose.refuse(rules.validate(clean))
    secrets.refuse("frontmatter", render(clean).decode())
    return clean, redacted


def is_here(desk: Desk, entry: Entry, live: Entry | None, item: str) -> bool:
    """Tell whether a text is live, waits as a draft, or was decided on before."""
    if live is not None:
        return live.digest == entry.digest or submitted_before(desk, item) is not None
    waiting = {draft.id for draft in (*desk.inbox.drafts, *desk.drafts)}
    decided = find_decided(desk.view, entry.id)
    return entry.id in waiting or decided is not None or desk.view.is_known(entry.id)


def new(desk: Desk, found: Whole, entry: Entry, item: str) -> Draft:
    """Return the draft of an entry that is not live here; its id is that of the entry."""
    return replace(
        blank(desk, {"kind": "capture"}, entry.id, item),
        name=entry.name,
        entry=vouched(desk.ctx, entry),
        lane=found.lane or default_lane(desk.ctx, entry.type),
        warnings=(*rules.warnings(entry), *likely_duplicates(desk.ctx, entry)),
    )


def changed(desk: Desk, live: Entry, entry: Entry, item: str) -> Draft:
    """Return the draft that gives a live entry the text of an exported one."""
    ctx = desk.ctx
    newer = vouched(ctx, replace(entry, created=live.created, rev=live.rev + 1))
    draft = blank(desk, {"kind": "update"}, draft_id(ctx, item, len(desk.drafts)), item)
    lane = next(row.lane for row in ctx.cache.by_ids([live.id]))
    return replace(targeted(draft, lane, live), entry=newer, warnings=tuple(rules.warnings(newer)))


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
