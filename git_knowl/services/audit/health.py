"""What in the store could be better, whatever the files say: for a person with an hour to spare.

That nobody ever read an entry is told only when it means something: this clone must have counted
for `UNREAD_DAYS` and `LEAST_READS`, and the entry must have been there for as long.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from git_knowl.model.anchor import Anchor
from git_knowl.model.entry import Entry
from git_knowl.model.status import UNKNOWN
from git_knowl.model.verdict import Verdict
from git_knowl.plumbing.history import branch_blobs
from git_knowl.services.audit.audit import asleep
from git_knowl.services.context import Context
from git_knowl.services.filters.duplicates import similar
from git_knowl.services.use import used
from git_knowl.services.verdicts import judge_all
from git_knowl.store.use import Tally, Used

OVERSIZE = "oversize"
DUPLICATE = "likely duplicate"
CONTRADICTION = "contradiction"
NEGLECTED = "not looked at"
UNRESOLVED = "never resolved"
UNREAD = "never read"

#: A body of more characters is more than an agent reads for one fact: about a thousand tokens.
LARGE_BODY = 4_000
#: Below, most pairs are two entries on one subject.
ALIKE = 90
#: An entry is compared with so many others that share its rarest words.
NEIGHBOURS = 20
#: A word in more entries than these tells nothing.
COMMON = 200
SHORTEST_WORD = 4
NEGLECTED_DAYS = 180
UNREAD_DAYS = 90
LEAST_READS = 50
DAY = 86_400


@dataclass(frozen=True, slots=True)
class Complaint:
    """One thing about one entry that could be better."""

    kind: str
    id: str
    name: str
    text: str


def health(ctx: Context) -> list[Complaint]:
    """Return what could be better, kind by kind; entries that sleep are left out."""
    sleeping = asleep(ctx)
    names = {row.id: row.name for row in ctx.cache.entry_rows()}
    entries = [entry for entry in ctx.cache.entries() if entry.id not in sleeping]
    verdicts = judge_all(ctx).verdicts
    found = (
        *oversize(entries),
        *duplicates(entries, names),
        *contradictions(entries, names),
        *neglected(entries, ctx.caller.clock()),
        *unresolved(ctx, entries, verdicts),
        *unread(used(ctx), entries, ctx.caller.clock()),
    )
    return [Complaint(kind, key, names[key], text) for kind, key, text in found]


def oversize(entries: Sequence[Entry]) -> Iterator[tuple[str, str, str]]:
    """Yield the entries whose body is long."""
    for entry in entries:
        if len(entry.body) > LARGE_BODY:
            yield OVERSIZE, entry.id, f"{len(entry.body):,} characters; one fact fits into fewer"


def duplicates(
    entries: Sequence[Entry], names: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    """Yield pairs of entries that say nearly the same, each pair once."""
    texts = {entry.id: f"{entry.name} {entry.description}" for entry in entries}
    near = neighbours(texts)
    for key, text in texts.items():
        later = {other: texts[other] for other in near[key] if other > key}
        for other, score in similar(text, later, NEIGHBOURS, ALIKE):
            yield DUPLICATE, key, f"like '{names[other]}' by {score:.0f} of 100"


def neighbours(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """Return by id the entries that share the most words with it, common ones not counted."""
    holders: defaultdict[str, list[str]] = defaultdict(list)
    words = {key: words_of(text) for key, text in texts.items()}
    for key, told in words.items():
        for word in told:
            holders[word].append(key)
    telling = {word: ids for word, ids in holders.items() if 1 < len(ids) <= COMMON}
    found = {}
    for key, told in words.items():
        shared = Counter(other for word in told for other in telling.get(word, ()))
        del shared[key]
        found[key] = [other for other, _ in shared.most_common(NEIGHBOURS)]
    return found


def words_of(text: str) -> set[str]:
    """Return the words of a text that are long enough to tell something."""
    plain = "".join(char if char.isalnum() else " " for char in text.lower())
    return {word for word in plain.split() if len(word) >= SHORTEST_WORD or not word.isascii()}


def contradictions(
    entries: Sequence[Entry], names: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    """Yield the entries that are said to contradict another live one."""
    for entry in entries:
        for one in entry.related:
            if one.relation == "contradicts" and one.id in names:
                yield CONTRADICTION, entry.id, f"contradicts '{names[one.id]}'"


def neglected(entries: Sequence[Entry], now: float) -> Iterator[tuple[str, str, str]]:
    """Yield the entries that rest on nothing and that nobody has confirmed for long."""
    limit = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - NEGLECTED_DAYS * DAY))
    for entry in entries:
        looked = max(entry.updated, entry.reviewed.at if entry.reviewed else "")
        if not entry.evidence and looked < limit:
            yield NEGLECTED, entry.id, f"rests on nothing, and nobody looked since {looked[:10]}"


def unread(counted: Used, entries: Sequence[Entry], now: float) -> Iterator[tuple[str, str, str]]:
    """Yield the entries that nobody read whole since counting began, if it has gone on for long.

    What was shown in lists and what agents have in their index counts for nothing: a text is of use
    when somebody opens it.
    """
    limit = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now - UNREAD_DAYS * DAY))
    reads = sum(one.read for one in counted.tallies.values())
    if not counted.since or counted.since > limit or reads < LEAST_READS:
        return
    for entry in entries:
        tally = counted.tallies.get(entry.id, Tally())
        if not tally.read and entry.created < limit:
            since = max(counted.since, entry.created)[:10]
            yield UNREAD, entry.id, f"nobody read it since {since}, shown {tally.shown} times"


def unresolved(
    ctx: Context, entries: Sequence[Entry], verdicts: Mapping[str, Verdict]
) -> Iterator[tuple[str, str, str]]:
    """Yield the anchors that are unknown here and hold on no branch of this clone either."""
    for entry in entries:
        told = verdicts[entry.id].anchors if entry.id in verdicts else ()
        for anchor, verdict in zip(entry.evidence, told, strict=False):
            if verdict.status == UNKNOWN and not is_found(ctx, anchor, entry.digest):
                yield UNRESOLVED, entry.id, f"{anchor.target}: {verdict.reason}"


def is_found(ctx: Context, anchor: Anchor, digest: str) -> bool:
    """Tell whether an anchor was ever accepted for a text, and its path is on some branch."""
    accepted = getattr(anchor, "accepted", None)
    if accepted is None:
        return True
    path = getattr(anchor, "path", None) or getattr(anchor, "lockfile", None)
    counts = any(item.text == digest for item in accepted)
    return counts and (path is None or bool(branch_blobs(ctx.repo, path)))
