"""What becomes of each file and message of the store in a purge, and a list of all that went."""

from __future__ import annotations

import re
from collections import Counter

from git_knowl.plumbing import refs
from git_knowl.plumbing.objects import ObjectDatabase
from git_knowl.services.purged.redact import redact_record
from git_knowl.services.purged.wanted import Wanted, id_in
from git_knowl.store import layout
from git_knowl.store.purged import PLACEHOLDER, PURGED, digest_of
from git_knowl.store.rewrite import Sieve

#: Where nothing that a person wrote can stand.
_OURS = (layout.FORMAT_FILE, layout.PROJECT_FILE)
#: What a message may keep: lines that name no text, and of an entry its id.
_KEPT = re.compile(rb"(?m)^(?:Knowl-(?:Op|How): [a-z-]+|Knowl-(?:At|With|After): [0-9a-f]+)$")
_NAMED = re.compile(rb"(?m)^Knowl-Entry: ([0-9a-z]{26})(?: .*)?$")

MESSAGE = "commit message"
_KINDS = {
    layout.ENTRIES: "version of an entry",
    layout.RETIRED: "tombstone",
    layout.CONFLICTS: "side of a conflict",
    layout.FLAGS: "flag",
    layout.DRAFTS: "draft",
}


class Sifter:
    """Tells for every file of every ref whether it stays; ``counts`` has what went, by its kind.

    ``place`` is where the next things are found. ``digests`` are those of files and messages of the
    lanes that went, ``ids`` those that their paths name, ``made_of_it`` the names of entries that
    somebody changed on top of a text that went.
    """

    def __init__(self, db: ObjectDatabase, wanted: Wanted, *, redact: bool) -> None:
        self._db = db
        self._wanted = wanted
        self._redact = redact
        self.place = ""
        self.counts: Counter[tuple[str, str]] = Counter()
        self.digests: set[str] = set()
        self.ids: set[str] = set()
        self.made_of_it: set[str] = set()

    def in_lane(self, path: str, blob: str) -> bool:
        """Tell whether a file of a lane stays; in history nothing is redacted, it goes."""
        if path in _OURS or path.startswith(f"{PURGED}/") or self._is_spared(path):
            return True
        data = self._read(blob)
        if not self._wanted.is_in_file(path, data):
            return True
        self.digests.add(digest_of(data))
        self._count(path)
        entry = layout.parse_entry_path(path)
        if entry and self._wanted.is_made_of_it(data):
            self.made_of_it.add(entry[1])
        return False

    def in_inbox(self, path: str, blob: str) -> bytes | bool:
        """Return what becomes of a flag or a draft: it stays, goes, or is redacted."""
        data = self._read(blob)
        if path in _OURS or not self._wanted.is_in_record(path, data):
            return True
        self._count(path)
        return (redact_record(path, data, self._wanted) if self._redact else None) or False

    def elsewhere(self, path: str, blob: str) -> bytes | bool:
        """Return what becomes of lines that tell of many things at once: only the text goes."""
        data = self._read(blob)
        if path in _OURS or not self._wanted.is_in(data):
            return True
        self._count(path)
        return self._wanted.redacted(data)

    def reword(self, message: bytes) -> bytes:
        """Return the message of a commit: bare where it holds the text, else as it is."""
        digest = digest_of(message)
        if not self._wanted.is_in(message) and digest not in self._wanted.digests:
            return message
        self.digests.add(digest)
        self.counts[MESSAGE, self.place] += 1
        return bare(message)

    def _is_spared(self, path: str) -> bool:
        """Spare the reading of what belongs to other ids, which is nearly everything."""
        return bool(self._wanted.ids) and id_in(path) not in self._wanted.ids

    def _count(self, path: str) -> None:
        self.counts[_KINDS.get(path.partition("/")[0], "file"), self.place] += 1
        identifier = id_in(path)
        if identifier:
            self.ids.add(identifier)

    def _read(self, blob: str) -> bytes:
        return next(iter(self._db.read_blobs([blob])))[1]


def bare(message: bytes) -> bytes:
    """Return a message without any text in it: what was done, to which ids, by which door.

    It depends on nothing but the message, so that every clone comes to the same.
    """
    kept = [found[0] for found in _KEPT.finditer(message)]
    kept += [b"Knowl-Entry: %s purged" % found[1] for found in _NAMED.finditer(message)]
    return b"\n".join((PLACEHOLDER.encode(), b"", *kept, b""))


def sieve_of(sifter: Sifter, ref: str) -> Sieve:
    """Return what sifts the files of a ref."""
    if ref == refs.INBOX or "/proposals/" in ref:
        return sifter.in_inbox
    if ref in (refs.STATE, refs.NOTES):
        return sifter.elsewhere
    return sifter.in_lane
