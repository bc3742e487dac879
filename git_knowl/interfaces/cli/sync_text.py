"""What a sync did, for people and as the JSON object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from git_knowl.interfaces.cli.output import columns, counted
from git_knowl.model import stored
from git_knowl.services.sync import result
from git_knowl.services.sync.result import summary
from git_knowl.store.merge import outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from git_knowl.services.sync.result import Synced
    from git_knowl.store.merge.join import Outcome

LISTED = 50
NAMED = 5
#: Columns for a word or a name; what is longer pushes the rest of its own line alone.
WIDEST = 40
_ENTRIES = ("entry", "entries")
_FILES = ("file", "files")
#: What a person must do about outcomes: what they are, and the words for one and for several.
_TO_DO = {
    outcome.CONFLICT: (_ENTRIES, *("to decide on (git knowl review)",) * 2),
    outcome.REFUSED: (
        _ENTRIES,
        "not taken over: whoever wrote it can mend it",
        "not taken over: whoever wrote them can mend them",
    ),
    outcome.INVALID: (
        _FILES,
        "kept as it is: no reader understands it (git knowl doctor)",
        "kept as they are: no reader understands them (git knowl doctor)",
    ),
    outcome.LEFT_OUT: (
        _FILES,
        "left out: it is no part of a store",
        "left out: they are no part of a store",
    ),
}


def lines(done: Synced) -> list[str]:
    """Return a line for every entry that went one way or the other, the first of many."""
    rows = [
        *((_way("received", done), *_told(one)) for one in done.received),
        *((_way("sent", done), *_told(one)) for one in done.sent),
    ]
    shown = columns(rows[:LISTED], WIDEST)
    more = len(rows) - LISTED
    return [*shown, f"and {more} more"] if more > 0 else shown


def talk(done: Synced) -> Iterator[str]:
    """Yield what a person should know: what others did, what went out, what is left to do."""
    if done.received:
        yield f"from '{done.remote}': {summary(done)}"
    if done.sent:
        told = counted(len(done.sent), "entry", "entries")
        yield f"to '{done.remote}': {told}" + (" to be sent" if done.dry_run else "")
    if done.state == result.IN_STEP:
        same = f"'{done.remote}' and this clone have the same"
        yield f"'{done.remote}' has nothing new" if done.owed else same
    if done.state == result.NOTHING:
        neither = f"neither '{done.remote}' nor this clone has any entry"
        yield f"'{done.remote}' has no entry yet" if done.owed else neither
    yield from edited(done)
    yield from left(done)


def edited(done: Synced) -> Iterator[str]:
    """Yield who wrote on an entry that is retired, where no line of an entry tells it."""
    told = {one.name for one in done.received if one.kind == outcome.RETIRED}
    found = [one for one in done.proposals if one.name not in told]
    for one in found[:NAMED]:
        who = one.by.partition(" <")[0] or "somebody"
        yield f"{who} edited '{one.name}', which is retired: the text is a draft now"
    if len(found) > NAMED:
        yield f"and {counted(len(found) - NAMED, 'text')} more of retired entries"


def left(done: Synced) -> Iterator[str]:
    """Yield what is left to do after a sync."""
    for kind, (nouns, one, several) in _TO_DO.items():
        if number := done.count(kind):
            yield f"{counted(number, *nouns)} {one if number == 1 else several}"
    if done.drafts:
        yield f"{counted(done.drafts, 'draft')} waiting for a person (git knowl review)"
    if done.pull and done.owed:
        told = f"{counted(done.owed, 'operation')} of this clone not sent"
        yield f"{told} (git knowl sync {done.remote})"


def sync_object(done: Synced) -> dict[str, Any]:
    """Return the object of `sync --json`."""
    return {
        "format": 1,
        "ok": done.failed is None,
        "remote": done.remote,
        "state": done.state,
        "dry_run": done.dry_run,
        "pull": done.pull,
        "commit": done.commit,
        "received": [_object(one) for one in done.received],
        "sent": [_object(one) for one in done.sent],
        "by": list(done.by),
        "drafts": done.drafts,
        "owed": done.owed,
    }


def _way(word: str, done: Synced) -> str:
    return f"would be {word}" if done.dry_run else word


def _told(one: Outcome) -> tuple[str, str, str]:
    tail = f"({stored.named(one.by)})" if one.by else ""
    return one.kind, one.name, f"{tail} {one.note}".strip()


def _object(one: Outcome) -> dict[str, Any]:
    return {"id": one.id, "name": one.name, "kind": one.kind, "by": one.by, "note": one.note}
