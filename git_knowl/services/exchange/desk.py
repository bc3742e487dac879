"""What the documents of an import are worked against: lookups that stay quick for thousands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from git_knowl.errors import KnowlError
from git_knowl.model import schema
from git_knowl.model.draft import Draft
from git_knowl.services.context import Context
from git_knowl.services.exchange.mentions import Paths
from git_knowl.services.items import Desk
from git_knowl.services.propose import draft_id, find_written
from git_knowl.store.decided import find_decided
from git_knowl.store.inbox import Inbox, read_inbox
from git_knowl.store.view import View

#: How checks of a payload call the place of a document's fields.
PREFIXES = ("items.0.entry.", "entry.")


class RefusedError(KnowlError):
    """A document that cannot become a draft."""


@dataclass(slots=True)
class Lookup:
    """Drafts by id, by item and by the name they propose."""

    ids: set[str] = field(default_factory=set)
    items: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)

    def add(self, draft: Draft) -> None:
        """Know a draft."""
        self.ids.add(draft.id)
        self.items[draft.item] = draft.id
        if draft.entry is not None:
            self.names[draft.entry.name] = draft.id


class ImportDesk(Desk):
    """A desk whose drafts, waiting or new, are found at once.

    Its own lists stay empty, so that nobody looks through them for every document.
    """

    def __init__(self, ctx: Context, view: View) -> None:
        super().__init__(ctx, view, Inbox())
        self.made: list[Draft] = []

    @cached_property
    def paths(self) -> Paths:
        """The tracked files, for what a text mentions."""
        return Paths(self.ctx)

    @cached_property
    def lookup(self) -> Lookup:
        """What waits, and what this import has made."""
        known = Lookup()
        for draft in read_inbox(self.view).drafts:
            known.add(draft)
        return known

    def add(self, draft: Draft) -> None:
        """Take a draft in."""
        self.made.append(draft)
        self.lookup.add(draft)

    def before(self, digest: str) -> str | None:
        """Return the id of what an equal item became: a draft, a decision, or an entry."""
        if digest in self.lookup.items:
            return self.lookup.items[digest]
        identifier = draft_id(self.ctx, digest)
        decided = find_decided(self.view, identifier)
        return decided[0] if decided else find_written(self.view, identifier)

    def is_taken(self, name: str) -> bool:
        """Tell whether a live entry or a draft has a name."""
        return name in self.lookup.names or bool(self.ctx.cache.names(name))

    def check(self, item: Mapping[str, Any]) -> None:
        """Raise RefusedError unless an item is as the schema of payloads says."""
        faults = schema.check("capture", {"items": [item]})
        if faults:
            raise RefusedError("; ".join(map(own_field, faults)))


def own_field(fault: str) -> str:
    """Return a message with the field named as the document has it."""
    prefix = next((one for one in PREFIXES if fault.startswith(one)), "")
    return fault.removeprefix(prefix)
