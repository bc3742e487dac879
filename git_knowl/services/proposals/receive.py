"""Take in what others sent to a remote: their flags and drafts wait in the inbox of this clone.

Nothing of it becomes live, and nothing it says of itself counts: who it is from is the name of the
ref it stood on, its lane is decided here, its warnings are made anew and theirs marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from git_knowl.errors import KnowlError
from git_knowl.model import rules
from git_knowl.model.document import render
from git_knowl.model.draft import Draft
from git_knowl.model.entry import Entry
from git_knowl.model.flag import Flag
from git_knowl.plumbing import refs, remote
from git_knowl.plumbing.remote import AuthFailed, RemoteError
from git_knowl.services import guideline
from git_knowl.services.context import Context
from git_knowl.services.items import default_lane
from git_knowl.services.prechecks import likely_duplicates
from git_knowl.services.proposals.fit import fit_draft, fit_flag
from git_knowl.services.proposals.place import copy_of, is_who, own_or_none, prefix
from git_knowl.services.proposals.reading import listing, read_records
from git_knowl.services.recording import record
from git_knowl.services.sync.place import Place, choose
from git_knowl.store.decided import find_decision
from git_knowl.store.drafts import draft_path
from git_knowl.store.flags import flag_path
from git_knowl.store.inbox import Inbox, is_settled, leftovers, read_inbox
from git_knowl.store.operations import Change, PutDraft, PutFlag
from git_knowl.store.purged import is_purged, read_purged
from git_knowl.store.snapshot import DamagedEntryError, find_entry
from git_knowl.store.transaction import publish
from git_knowl.store.view import LANES, View

#: So many senders are fetched from one remote.
MOST_SENDERS = 200
WAITS = "it is in the inbox here"
_AGAIN = "it came from another sender too"


@dataclass(frozen=True, slots=True)
class Received:
    """What was taken in by sender, by id why other things were passed over, and what was refused.

    ``refused`` are sentences, about records one by one and about refs that hold no proposals.
    """

    remote: str
    senders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    passed: Mapping[str, str] = field(default_factory=dict)
    refused: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Everything that was taken in."""
        return tuple(one for taken in self.senders.values() for one in taken)


@dataclass(slots=True)
class Sorted:
    """What came from the senders, sorted against one state of the store."""

    flags: dict[str, Flag] = field(default_factory=dict)
    drafts: list[Draft] = field(default_factory=list)
    passed: dict[str, str] = field(default_factory=dict)


def receive(ctx: Context, given: str | None = None) -> Received:
    """Add what others sent to a remote to the inbox; what is known here is passed over.

    Raises RemoteError for what keeps us from reaching it. Doing it again changes nothing.
    """
    place = choose(ctx, given)
    hall = Hall(ctx, ctx.store.view())
    for name, commit in fetched(ctx, place, hall.refused):
        hall.take_all(f"{place.remote}/{name}", commit)
    done = store(ctx, hall.found) if hall.found else Sorted()
    passed = {**hall.passed, **done.passed}
    return Received(place.remote, by_sender(done), passed, tuple(hall.refused))


def fetched(ctx: Context, place: Place, refused: list[str]) -> Iterator[tuple[str, str]]:
    """Yield name and commit of every other sender, after bringing here what is new."""
    shown = remote.ls(ctx.repo, place.remote, [f"{prefix(place)}*"])
    told = {name: shown[f"{prefix(place)}{name}"] for name in senders(ctx, place, shown, refused)}
    copies = {name: copy_of(place, name) for name in told}
    before = refs.read(ctx.repo, tuple(copies.values())) if copies else {}
    stale = {name: oid for name, oid in told.items() if before[copies[name]] != oid}
    here = bring(ctx, place, stale, refused)
    moves = [refs.Update(copies[name], stale[name], before[copies[name]]) for name in here]
    if moves:
        refs.update(ctx.repo, moves, f"receive from {place.remote}")
    yield from ((name, told[name]) for name in told if name in here or name not in stale)


def senders(ctx: Context, place: Place, shown: Iterable[str], refused: list[str]) -> list[str]:
    """Return the names of the other senders; this clone is none of them."""
    own = own_or_none(ctx)
    every = [ref.removeprefix(prefix(place)) for ref in shown]
    refused += [f"{name}: it is no name of a sender" for name in every if not is_who(name)]
    names = sorted(name for name in every if is_who(name) and name != own)
    if len(names) > MOST_SENDERS:
        refused.append(f"there are {len(names)} senders: {MOST_SENDERS} are looked at")
    return names[:MOST_SENDERS]


def bring(ctx: Context, place: Place, wanted: Mapping[str, str], refused: list[str]) -> list[str]:
    """Fetch what senders show, and return who shows a commit; the others are told.

    All together; where that fails, one by one, so that none holds up the others. No ref is made of
    what was not looked at: one that is no commit would keep every ref of ours from being read.
    """
    if not wanted:
        return []
    try:
        remote.fetch(ctx.repo, place.remote, list(dict.fromkeys(wanted.values())))
    except AuthFailed:
        raise
    except RemoteError as error:
        if len(wanted) > 1:
            alone = ({name: oid} for name, oid in wanted.items())
            return [name for one in alone for name in bring(ctx, place, one, refused)]
        refused.append(f"{next(iter(wanted))}: {error.message}")
        return []
    return sound(ctx, wanted, refused)


def sound(ctx: Context, wanted: Mapping[str, str], refused: list[str]) -> list[str]:
    """Return whose object is a commit; the others are told."""
    good = {oid for oid in wanted.values() if is_commit(ctx, oid)}
    refused += [f"{name}: it is no commit" for name, oid in wanted.items() if oid not in good]
    return [name for name, oid in wanted.items() if oid in good]


def is_commit(ctx: Context, oid: str) -> bool:
    """Tell whether an object is here and a commit."""
    return ctx.repo.run("cat-file", "-t", oid).out.strip() == b"commit"


@dataclass(slots=True)
class Hall:
    """Where what arrives is looked at, one by one, before anything of it is stored.

    What is known already is not looked at any closer.
    """

    ctx: Context
    view: View
    found: list[Flag | Draft] = field(default_factory=list)
    passed: dict[str, str] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)

    def take_all(self, sender: str, commit: str) -> None:
        """Take what one sender sent, as it may stand here; what may not is told."""
        try:
            found = listing(self.ctx, commit)
        except KnowlError as error:
            self.refused.append(f"{sender}: {error.message}")
            return
        self.refused += [f"{sender}: {fault}" for fault in found.faults]
        for one in read_records(self.ctx, found):
            if isinstance(one, str):
                self.refused.append(f"{sender}: {one}")
            else:
                self.take(sender, one)

    def take(self, sender: str, one: Flag | Draft) -> None:
        """Take one flag or draft, unless it is known, or may not stand here."""
        told = known(self.view, one)
        if told is not None:
            self.passed[one.id] = told
            return
        try:
            self.found.append(fitted(self.ctx, one, sender))
        except KnowlError as error:
            self.refused.append(f"{sender}: {one.id}: {error.message}")


def fitted(ctx: Context, one: Flag | Draft, sender: str) -> Flag | Draft:
    """Return a flag or draft as it may stand here; raises an error naming what is wrong."""
    now = ctx.caller.now()
    if isinstance(one, Flag):
        clean = fit_flag(one)
        return replace(clean, at=min(clean.at, now), sender=sender)
    draft = fit_draft(one)
    if draft.kind == "guideline":
        guideline.check(ctx, draft.guideline)
    entry = placed(ctx, draft.entry) if draft.entry is not None else None
    at = min(draft.at, now)
    return replace(draft, entry=entry, at=at, sender=sender, lane=lane_of(ctx, draft))


def placed(ctx: Context, entry: Entry) -> Entry:
    """Return a proposed entry with what no writer decides as it is here."""
    live = next(iter(ctx.cache.entries([entry.id])), None)
    if live is None:
        return replace(entry, rev=1)
    return replace(entry, rev=live.rev + 1, created=live.created, promoted=live.promoted)


def lane_of(ctx: Context, draft: Draft) -> str:
    """Return the lane a draft is for, as it would be for one that was made here."""
    if draft.target is not None:
        return next((row.lane for row in ctx.cache.by_ids([draft.target])), ctx.settings.lane)
    return default_lane(ctx, draft.entry.type) if draft.entry else ctx.settings.lane


def store(ctx: Context, found: list[Flag | Draft]) -> Sorted:
    """Put what is new into the inbox, in one write."""
    warned = {one.id: warnings(ctx, one) for one in found if isinstance(one, Draft)}
    made: list[Sorted] = []

    def operation(view: View) -> list[Change]:
        inbox = read_inbox(view)
        done = sort(view, inbox, found)
        made[:] = [done]
        return [*leftovers(inbox), *changes(inbox, done, warned)]

    publish(ctx.store, operation, record(ctx, "receive", "receive proposals"))
    return made[0]


def sort(view: View, inbox: Inbox, found: Iterable[Flag | Draft]) -> Sorted:
    """Tell what is new from what is known, of each id the first; flags come before drafts.

    A draft speaks for flags of its own sender alone.
    """
    done = Sorted()
    purged = frozenset(one for lane in LANES for one in read_purged(view.lane(lane)))
    senders = {one.id: one.sender for one in (*inbox.flags, *found) if isinstance(one, Flag)}
    seen: set[str] = set()
    for one in sorted(found, key=lambda item: isinstance(item, Draft)):
        told = _AGAIN if one.id in seen else known(view, one) or unwanted(one, purged)
        seen.add(one.id)
        if told is not None:
            done.passed.setdefault(one.id, told)
        elif isinstance(one, Flag):
            done.flags[one.id] = one
        else:
            own = tuple(flag for flag in one.flags if senders.get(flag) == one.sender)
            done.drafts.append(replace(one, flags=own))
    return done


def unwanted(one: Flag | Draft, purged: frozenset[str]) -> str | None:
    """Return why something new is not taken, None to take it."""
    if isinstance(one, Flag) or one.entry is None:
        return None
    return "its text was purged" if is_purged(render(one.entry), purged) else None


def known(view: View, one: Flag | Draft) -> str | None:
    """Return why something is passed over, None for what is new."""
    if isinstance(one, Flag):
        return WAITS if view.tree(refs.INBOX).find(flag_path(one.id)) else None
    if view.tree(refs.INBOX).find(draft_path(one.id)):
        return WAITS
    if one.kind == "capture" and view.is_known(one.id):
        return "it is an entry" if view.is_live(one.id) else "it was an entry, and is retired"
    decided = find_decision(view, one.id)
    if decided is not None:
        return f"it was {decided.outcome} here"
    return about_nothing(view, one)


def about_nothing(view: View, draft: Draft) -> str | None:
    """Return why a draft about an entry has nothing to be about, None where it has."""
    if draft.target is None:
        return None
    if live(view, draft.target) is None:
        return f"the entry '{draft.name}' is not live here: sync, then receive again"
    return "it is done already" if is_settled(view, draft) else None


def live(view: View, identifier: str) -> Entry | None:
    """Return a live entry, None where it is not live or cannot be read."""
    try:
        found = find_entry(view, identifier)
    except DamagedEntryError:
        return None
    return found[1] if found else None


def warnings(ctx: Context, draft: Draft) -> tuple[str, ...]:
    """Return what a reviewer should know of a draft that somebody else made.

    What that one's clone said of it is marked as theirs.
    """
    theirs = tuple(f"the sender's clone says: {told}" for told in draft.warnings)
    entry = draft.entry
    if entry is None:
        return theirs
    others = [one for _, one in ctx.cache.names(entry.name) if one not in (draft.id, draft.target)]
    taken = [f"the name '{entry.name}' is taken by the entry {one}" for one in others]
    same = likely_duplicates(ctx, entry) if draft.kind == "capture" else []
    return (*taken, *rules.warnings(entry), *same, *theirs)


def changes(inbox: Inbox, done: Sorted, warned: Mapping[str, tuple[str, ...]]) -> Iterator[Change]:
    """Yield what is put into the inbox: drafts with their warnings, flags with their draft."""
    flags = {one.id: one for one in inbox.flags} | done.flags
    used: dict[str, str] = {}
    for draft in done.drafts:
        used |= {one: draft.id for one in draft.flags if flags[one].is_pending}
        yield PutDraft(replace(draft, warnings=warned[draft.id]))
    for one in sorted({*done.flags, *used}):
        yield PutFlag(replace(flags[one], draft=used.get(one, flags[one].draft)))


def by_sender(done: Sorted) -> dict[str, tuple[str, ...]]:
    """Return the ids that were taken in by who sent them."""
    found: dict[str, list[str]] = {}
    taken: list[Flag | Draft] = [*done.flags.values(), *done.drafts]
    for one in taken:
        found.setdefault(str(one.sender), []).append(one.id)
    return {sender: tuple(ids) for sender, ids in sorted(found.items())}
