"""Whole entries that come in or go out: free text masked, secrets in everything else named.

For texts that somebody else let in, or that were stored before a rule was known: nothing but a
secret is changed, so an entry without one keeps its digest and its bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from git_knowl.model import limits
from git_knowl.model.document import DocumentError, render
from git_knowl.model.entry import Entry, Source
from git_knowl.model.faults import length_faults
from git_knowl.services.filters import secrets
from git_knowl.services.filters.counts import Counts, total


@dataclass(frozen=True, slots=True)
class Screened:
    """An entry with its secrets masked, how many of which type, and what cannot be masked.

    ``entry`` is the very one that was asked about where nothing had to go. ``refused`` has one
    sentence for every field that holds a secret and names something: masked, it would name nothing.
    """

    entry: Entry
    found: Counts = ()
    refused: tuple[str, ...] = ()


def screen_entry(entry: Entry) -> Screened:
    """Return the entry as it may stand in a store; raises nothing, whatever it holds.

    A masked entry has another digest, so the caller counts its revision up.
    """
    clean, found = _masked(entry)
    free = _free(entry) if found else ()
    return Screened(clean, found, (*_grown(entry, clean), *_refused(clean, free)))


def _masked(entry: Entry) -> tuple[Entry, Counts]:
    clean = secrets.scrub_all(*_free(entry))
    found = total(*clean)
    if not found:
        return entry, ()
    description, body, ref, quote = (one.text for one in clean)
    source = entry.source
    if source is not None:
        source = replace(source, ref=source.ref and ref, quote=source.quote and quote)
    return replace(entry, description=description, body=body, source=source), found


def _grown(before: Entry, after: Entry) -> Iterator[str]:
    """Yield what placeholders made too long to be stored, in a field that was not before."""
    if after.body != before.body:
        yield from length_faults("body", after.body, limits.BODY)
    if after.description != before.description:
        yield from length_faults("description", after.description, limits.DESCRIPTION)


def _refused(entry: Entry, free: Iterable[str]) -> Iterator[str]:
    """Yield what is wrong field by field; only without any, what stands elsewhere.

    ``free`` are its texts as they were before they were masked.
    """
    found = [told for _, told in secrets.suspicions(_named(entry), free)]
    yield from found or _elsewhere(entry)


def _free(entry: Entry) -> tuple[str, ...]:
    source = entry.source or Source("session")
    return entry.description, entry.body, source.ref or "", source.quote or ""


def _named(entry: Entry) -> Iterator[tuple[str, str]]:
    yield "name", entry.name
    yield from ((f"tags.{place}", tag) for place, tag in enumerate(entry.tags))
    yield from ((f"anchors.{place}", one.target) for place, one in enumerate(entry.anchors))
    yield from ((f"depends_on.{place}", one.name) for place, one in enumerate(entry.depends_on))


def _elsewhere(entry: Entry) -> Iterator[str]:
    """Yield what stands in the rest of the document: quoted lines, reviewers, unknown keys."""
    try:
        text = render(replace(entry, body="")).decode()
    except DocumentError as error:
        yield error.message
    else:
        told = secrets.suspicion("frontmatter", text)
        yield from [told] if told else []
