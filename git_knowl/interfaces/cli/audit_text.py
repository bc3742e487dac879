"""The audit as a person reads it: what is not active and why, the counts, and what changed."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from git_knowl.interfaces.cli.entry_text import anchor_lines, says_something
from git_knowl.interfaces.cli.views import listing_object
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from git_knowl.services.personal import joined
from git_knowl.services.personal_store import PERSONAL

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from git_knowl.services.audit.audit import Audit
    from git_knowl.services.listing import Listed

SHORT = 10
ORDER = (ACTIVE, SUSPECT, UNKNOWN)


def audit_object(done: Audit) -> dict[str, Any]:
    """Return the shape of `audit --json`."""
    shape = listing_object(joined(done.found, done.personal) if done.personal else done.found)
    for entry in shape["entries"]:
        entry["snoozed"] = done.snoozed.get(entry["id"])
    changed = [
        {"name": one.name, "from": one.old, "to": one.new, "commit": one.commit}
        for one in done.changed
    ]
    base = {"base": done.base} if done.base else {}
    return {**shape, "changed": changed, **base}


def audit_lines(done: Audit) -> Iterator[str]:
    """Yield every entry that has something to tell, then the counts and what changed.

    Of one that sleeps a line is all.
    """
    personal = done.personal.entries if done.personal else ()
    for one in (*done.found.entries, *personal):
        if says_something(one):
            yield from lines_of(one, done.snoozed.get(one.row.id))
    damaged = [f"{len(done.found.damaged)} damaged"] if done.found.damaged else []
    yield ", ".join((*judged(done.found.entries, done.snoozed), *damaged))
    if personal:
        yield f"personal: {', '.join(judged(personal))}"
    if not done.is_first:
        yield from changed_lines(done)


def judged(entries: Sequence[Listed], snoozed: Container[str] = ()) -> list[str]:
    """Return how many entries there are of each verdict, and how many of those sleep."""
    counts = Counter(one.verdict.status for one in entries)
    asleep = Counter(one.verdict.status for one in entries if one.row.id in snoozed)
    return [
        f"{counts[status]} {status}{f' ({asleep[status]} snoozed)' if asleep[status] else ''}"
        for status in ORDER
    ]


def changed_lines(done: Audit) -> Iterator[str]:
    """Yield what is judged otherwise than before."""
    since = f"since {done.base[:SHORT]}" if done.base else "since the last audit"
    for change in done.changed:
        commit = f" by {change.commit[:SHORT]}" if change.commit else ""
        yield f"{since}: {change.name} {change.old or 'new'} -> {change.new}{commit}"


def lines_of(one: Listed, until: str | None) -> Iterator[str]:
    """Yield an entry and, unless it sleeps until a day, what speaks against it."""
    tail = f" (snoozed until {until})" if until else ""
    mark = f" [{PERSONAL}]" if one.row.lane == PERSONAL else ""
    yield f"{one.verdict.status:<7}  {one.row.name}{mark}{tail}"
    if not until:
        for line in anchor_lines(one.verdict.anchors, telling=True):
            yield f"  {line}"
