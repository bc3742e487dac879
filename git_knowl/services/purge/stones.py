"""What the tip of a lane says after a purge: digests of what went, tombstones, redacted texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from git_knowl.model.document import DocumentError, parse
from git_knowl.model.entry import LOCAL, SHARED, Entry, Reviewed
from git_knowl.plumbing import refs
from git_knowl.services.change import let_in
from git_knowl.services.purge.survey import Survey
from git_knowl.services.purged.copies import copies
from git_knowl.services.purged.descent import draft_of, live_at
from git_knowl.services.purged.redact import redact_entry
from git_knowl.services.purged.wanted import Wanted, id_in
from git_knowl.services.sync import since
from git_knowl.store import layout, tombstones
from git_knowl.store.drafts import PutDraft
from git_knowl.store.operations import Change, PutEntry, PutFile, PutState, PutTombstone
from git_knowl.store.purged import REASON, purged_path
from git_knowl.store.records import RecordError
from git_knowl.store.tombstones import Tombstone
from git_knowl.store.trees import changed
from git_knowl.store.view import LANES, View

#: What a tombstone calls an entry whose name holds the text, or is not known.
NAMELESS = "purged"
_COMMIT = re.compile("[0-9a-f]{40,64}")


class Stones:
    """Makes the changes on the lanes as they are ``after`` what was taken out of them."""

    def __init__(self, before: View, after: View, wanted: Wanted, reviewed: Reviewed) -> None:
        self._before = before
        self._after = after
        self._wanted = wanted
        self._reviewed = reviewed

    def changes(self, *, redact: bool) -> Iterator[Change]:
        """Yield what takes the place of the files that went from the tips of both lanes.

        A text that others purged leaves no tombstone: what became of its entry is theirs to say.
        Raises PurgeError for an entry that cannot be redacted.
        """
        for lane in LANES:
            for path in self.gone(lane):
                entry = layout.parse_entry_path(path)
                stone = layout.parse_record_path(layout.RETIRED, path)
                if entry and not self._wanted.digests:
                    yield from self._entry(lane, path, *entry, redact=redact)
                elif stone:
                    yield PutTombstone(lane, self._again(lane, path, stone))
                yield from self._kept(lane, path)
            yield from self._settled(lane)

    def gone(self, lane: str) -> list[str]:
        """Return the paths that the tip of a lane had before and has no more."""
        before, after = self._before.lane(lane).root, self._after.lane(lane).root
        return [path for path, blob in changed(self._before, before, after) if blob is None]

    def _entry(
        self, lane: str, path: str, identifier: str, name: str, *, redact: bool
    ) -> Iterator[Change]:
        entry = self._read(lane, path) if redact else None
        if entry is None:
            yield PutTombstone(lane, self._stone(identifier, name))
            return
        new = redact_entry(entry, self._wanted, self._reviewed)
        yield PutEntry(lane, new)
        yield let_in(new)

    def _kept(self, lane: str, path: str) -> Iterator[Change]:
        """Yield the draft of a text that was made of what others purged: nobody has looked at it.

        It stays in this clone, and a person decides.
        """
        if self._wanted.is_made_of_it(self._before.lane(lane).read(path) or b""):
            text = self._read(lane, path)
            yield from [PutDraft(draft_of(lane, text, self._fetched(lane, text)))] if text else []

    def _fetched(self, lane: str, text: Entry) -> Entry | None:
        """Return what a fetched store has live in the place of a text of the shared lane."""
        known = copies(self._before.commits) if lane == SHARED else []
        return live_at(self._before, [self._before.commits[ref] for ref in known], text.id)

    def _settled(self, lane: str) -> Iterator[Change]:
        """Yield what ends a conflict of which one side is left, or none."""
        tree = self._after.lane(lane)
        for identifier in {id_in(path) for path in self.gone(lane)} - {None}:
            sides = [path for path, _ in tree.files(layout.conflict_folder(str(identifier)))]
            if len(sides) == 1 or not self._after.entry_files(lane, str(identifier)):
                yield from (PutFile(tree.ref, path, None) for path in sides)

    def _read(self, lane: str, path: str) -> Entry | None:
        try:
            return parse(self._before.lane(lane).read(path) or b"")
        except DocumentError:
            return None

    def _again(self, lane: str, path: str, identifier: str) -> Tombstone:
        try:
            old = tombstones.decode(self._before.lane(lane).read(path) or b"")
        except RecordError:
            return self._stone(identifier, NAMELESS)
        return self._stone(identifier, old.name, old.superseded_by)

    def _stone(self, identifier: str, name: str, superseded_by: str | None = None) -> Tombstone:
        text = self._wanted.text
        safe = NAMELESS if text and text in name else name
        by, at = self._reviewed.by, self._reviewed.at
        return Tombstone(identifier, safe, REASON, by, at, "", superseded_by)


def digests(found: Survey, lanes: Iterable[str]) -> Iterator[Change]:
    """Yield what says on the lanes concerned which contents may never come in again.

    That is ``lanes``, and those that it was found in; what a remote had concerns the shared one.
    """
    concerned = {*found.places, *map(refs.entries_ref, lanes)}
    if concerned & {refs.ENTRIES, *copies(concerned)}:
        yield from _put(SHARED, found.sifter.digests)
    if refs.LOCAL_ENTRIES in concerned:
        yield from _put(LOCAL, found.sifter.digests)


def remembered(found: Survey, after: View) -> Iterator[Change]:
    """Yield what leads the memory of the last sync to the commit in the place of its own."""
    data = after.tree(refs.STATE).read(since.FILE)
    for old in set(_COMMIT.findall(data.decode("ascii", "replace"))) if data else ():
        new = found.rewriter.commits.get(old, old)
        if data and new != old:
            yield PutState(since.FILE, data.replace(old.encode(), new.encode()))


def _put(lane: str, found: Iterable[str]) -> Iterator[Change]:
    for digest in sorted(found):
        yield PutFile(refs.entries_ref(lane), purged_path(digest), b"")
