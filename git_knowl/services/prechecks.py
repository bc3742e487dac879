"""What a machine can tell about flags and drafts before a person looks: hints, never verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from git_knowl.anchors.base import Observation
from git_knowl.model.entry import Entry
from git_knowl.model.flag import Flag
from git_knowl.services.context import Context
from git_knowl.services.filters.duplicates import are_equal, similar
from git_knowl.services.filters.noise import doubts

#: More items than a person reads with care in one go.
LONG_BATCH = 10
#: So many likely duplicates are named, and so many entries on one path.
SHOWN = 3
#: The similarity of texts of which one holds the other.
ALL_WORDS = 100


def flag_checks(ctx: Context, flags: Sequence[Flag]) -> dict[str, list[str]]:
    """Return by flag id what speaks against it or should be read first, in words."""
    seen = ctx.world.blobs(sorted({item.path for flag in flags for item in flag.paths}))
    texts = ctx.entry_texts
    summaries = {flag.id: flag.summary for flag in flags}
    return {
        flag.id: [
            *path_checks(ctx, flag, seen),
            *doubts(flag.summary),
            *likeness("flag", flag.summary, without(summaries, flag.id)),
            *likeness("entry", flag.summary, texts),
        ]
        for flag in flags
    }


def path_checks(ctx: Context, flag: Flag, seen: Mapping[str, Observation]) -> Iterator[str]:
    """Yield what became of the paths of a flag, and which entries rest on them."""
    for item in flag.paths:
        now = seen[item.path]
        if now.state == "absent":
            yield f"{item.path} is not here{' any more' if item.blob else ''}"
        elif item.blob and item.blob != f"{ctx.repo.object_format}:{now.blob}":
            yield f"{item.path} has changed since the flag"
        names = [row.name for row in ctx.cache.by_path(item.path)]
        if names:
            more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
            yield f"entries on {item.path}: {', '.join(names[:SHOWN])}{more}"


def likely_duplicates(ctx: Context, entry: Entry) -> list[str]:
    """Return warnings that name the live entries which say nearly the same as a new one.

    Those in whose place it stands are meant to.
    """
    older = [row.name for row in ctx.cache.by_ids(entry.supersedes)]
    others = without(ctx.entry_texts, *older)
    return list(likeness("entry", f"{entry.name} {entry.description}", others))


def without(texts: Mapping[str, str], *keys: str) -> dict[str, str]:
    """Return all texts but some."""
    return {other: text for other, text in texts.items() if other not in keys}


def likeness(what: str, text: str, others: Mapping[str, str]) -> Iterator[str]:
    """Yield the few that say nearly the same, with their similarity in percent."""
    for name, score in similar(text, others, SHOWN):
        yield f"much like {what} {name} ({told(score, text, others[name])})"


def told(score: float, text: str, other: str) -> str:
    """Return a similarity in words: only equal texts are 100 %."""
    if are_equal(text, other):
        return "100 %"
    return f"{int(score)} %" if score < ALL_WORDS else "one has all words of the other"


def batch_warnings(items: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    """Yield what is odd about a payload as a whole."""
    written = [item for item in items if item["kind"] == "capture"]
    if len(items) > LONG_BATCH:
        yield f"{len(items)} items at once: a person will skim them, hand in fewer"
    if len(written) > 1 and len(written) == len(items):
        yield "every item became an entry: a normal session yields none, apply the admission tests"
    untested = sum(1 for item in written if not item.get("tests"))
    if untested:
        yield f"{untested} item(s) without answers to the admission tests ('tests')"
