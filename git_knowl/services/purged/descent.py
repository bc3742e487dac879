"""Versions that somebody wrote on top of a text that was purged elsewhere meanwhile.

A digest finds what went and nothing that was made of it. Who purged the text looked at all that the
remote has; what this clone has besides of the same entries may still hold it, and nobody looked.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from dataclasses import replace

from git_knowl.errors import KnowlError
from git_knowl.model import ids
from git_knowl.model.draft import Draft
from git_knowl.model.entry import SHARED, Entry
from git_knowl.plumbing import refs
from git_knowl.services.purged.copies import copies
from git_knowl.services.purged.known import purged_at, purged_known
from git_knowl.services.purged.wanted import Wanted, id_in
from git_knowl.store import layout
from git_knowl.store.purged import digest_of
from git_knowl.store.snapshot import read_placed, read_snapshot
from git_knowl.store.store import Store
from git_knowl.store.view import View

WARNING = (
    "the text it was made of was purged elsewhere: read whether this one still holds what leaked"
)
_TIMEOUT = 600.0
_FOLDERS = (f"{layout.ENTRIES}/", f"{layout.CONFLICTS}/")


def wanted_known(store: Store) -> Wanted:
    """Return what this clone or a fetched store says was purged, and what was made of it here.

    What a store has that says so itself was looked at there, and stays.
    """
    purged = purged_known(store)
    if not purged:
        return Wanted()
    tips = refs.ours(store.repo)
    lanes = [tips[ref] for ref in (refs.ENTRIES, refs.LOCAL_ENTRIES) if ref in tips]
    seen = [tips[ref] for ref in copies(tips) if purged_at(store, [tips[ref]])]
    return Wanted(digests=purged, descent=descent(store, lanes, seen, purged))


def descent(
    store: Store, tips: Iterable[str], seen: Iterable[str], purged: frozenset[str]
) -> frozenset[str]:
    """Return the digests of versions in the history of some commits and in none of the ``seen``.

    Those of entries of which that history holds a version that was purged.
    """
    known = {blob for _, blob in _versions(store, seen)}
    found = list(_versions(store, tips))
    contents = store.db.read_blobs([blob for _, blob in found])
    told = [
        (id_in(path), digest_of(data), blob in known)
        for (path, blob), (_, data) in zip(found, contents, strict=True)
    ]
    ids = {identifier for identifier, digest, _ in told if digest in purged}
    return frozenset(
        digest
        for identifier, digest, is_seen in told
        if identifier in ids and not is_seen and digest not in purged
    )


def _versions(store: Store, tips: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield path and blob of every text of an entry in the history of some commits."""
    asked = [*tips]
    if not asked:
        return
    out = store.repo.git("rev-list", "--objects", *asked, timeout=_TIMEOUT)
    for line in os.fsdecode(out).splitlines():
        oid, _, path = line.partition(" ")
        if path.startswith(_FOLDERS) and path.endswith(layout.ENTRY_SUFFIX):
            yield path, oid


def draft_of(lane: str, text: Entry, live: Entry | None) -> Draft:
    """Return the draft in which a person decides on a text that was made of a purged one.

    An update of what stands ``live`` in its place, with what leaked taken out of it; else a new
    entry under an id of its own. The same text gives the same draft.
    """
    item = hashlib.sha256(f"purged {text.id} {text.digest}".encode()).hexdigest()
    identifier = ids.make_id(ids.milliseconds(text.id), bytes.fromhex(item)[:10])
    by = text.reviewed.by if text.reviewed else ""
    made = Draft(identifier, "capture", item, text.updated, by, text.name, warnings=(WARNING,))
    if live is None:
        return replace(made, entry=replace(text, id=identifier, rev=1), lane=lane)
    entry = replace(text, created=live.created, rev=max(live.rev, text.rev) + 1)
    return replace(
        made, kind="update", entry=entry, target=live.id, expected=live.digest, name=live.name
    )


def live_at(view: View, commits: Iterable[str | None], identifier: str) -> Entry | None:
    """Return an entry of the shared lane at the first of some commits that has it readable."""
    for commit in filter(None, commits):
        try:
            found = read_snapshot(view, SHARED, commit).entry(identifier)
        except KnowlError:
            continue
        if found is not None:
            return found
    return None


def texts_of(view: View, commit: str, digests: frozenset[str]) -> Iterator[Entry]:
    """Yield the live entries of the shared lane at a commit whose files have one of the digests."""
    at = View(view.db, view.object_format, {refs.ENTRIES: commit})
    for path, blob in at.lane(SHARED).files(layout.ENTRIES) if digests else ():
        data = at.read_blob(blob)
        found = read_placed(path, data) if digest_of(data) in digests else None
        if isinstance(found, Entry):
            yield found
