"""An update of what somebody else retired comes back as a draft, under an id of its own."""

from __future__ import annotations

import hashlib
from dataclasses import replace

from git_knowl.model import ids
from git_knowl.model.draft import Draft
from git_knowl.model.entry import SHARED, Entry
from git_knowl.store.tombstones import Tombstone


def comeback(text: Entry, stone: Tombstone) -> Draft:
    """Return the draft of a text whose entry is retired; the same text gives the same draft."""
    item = hashlib.sha256(f"retired {text.id} {text.digest}".encode()).hexdigest()
    identifier = ids.make_id(ids.milliseconds(text.id), bytes.fromhex(item)[:10])
    old = (text.id,) if text.id not in text.supersedes else ()
    return Draft(
        id=identifier,
        kind="capture",
        item=item,
        at=text.updated,
        by=text.reviewed.by if text.reviewed else "",
        name=text.name,
        warnings=(f"'{stone.name}' was retired meanwhile by {stone.by}: {stone.reason}",),
        entry=replace(text, id=identifier, rev=1, supersedes=(*text.supersedes, *old)),
        lane=SHARED,
    )
