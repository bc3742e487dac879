"""The kind ``entry``: another entry that this one needs, known by the digest of its text.

It is no part of the table of kinds, since a world holds files and no entries: `needs` hands in what
stands behind a link.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from git_knowl.anchors.base import Stamp, accepted_for, active, suspect, unknown
from git_knowl.anchors.file import SHORT
from git_knowl.model.anchor import EntryFingerprint, EntryLink
from git_knowl.model.entry import Entry, text_digest
from git_knowl.model.status import ACTIVE, SUSPECT
from git_knowl.model.verdict import AnchorVerdict, Verdict


class Gone(Protocol):
    """An entry that was retired: why, by whom and when."""

    @property
    def id(self) -> str:
        """The id that links name."""

    @property
    def reason(self) -> str:
        """Why it was taken out."""

    @property
    def by(self) -> str:
        """Who took it out."""

    @property
    def at(self) -> str:
        """When, as entries write times."""


@dataclass(frozen=True, slots=True)
class Needed:
    """What stands behind a link: the entry with its verdict, or how it went.

    Neither is there for an entry that cannot be read. ``cycle`` names the entries on the way, where
    they lead back to the one that has the link.
    """

    entry: Entry | None = None
    verdict: Verdict | None = None
    gone: Gone | None = None
    cycle: Sequence[str] = ()


def judge(link: EntryLink, digest: str, needed: Needed) -> AnchorVerdict:
    """Compare the entry behind a link with its texts accepted for this text of the entry.

    A link that nobody has accepted for any text is of a time before they were: then only the
    verdict of the other entry counts.
    """
    entry, accepted = needed.entry, accepted_for(link.accepted, digest)
    if needed.gone:
        return _retired(link, needed.gone)
    if entry is None:
        return replace(unknown(link, f"'{link.name}' cannot be read here"), expected="an entry")
    if link.accepted and not accepted:
        reason = f"nobody has accepted '{entry.name}' for the present text of the entry"
        return replace(unknown(link, reason), expected="nothing accepted", found=_mark(entry))
    if accepted and not _is_accepted(link, entry, accepted):
        return _changed(link, entry, accepted)
    if needed.cycle:
        return unknown(link, f"the entries need each other: {' → '.join(needed.cycle)}")
    return _by_its_verdict(link, entry, needed.verdict or Verdict())


def observe(link: EntryLink, entry: Entry, stamp: Stamp) -> EntryLink:
    """Return the link with the present text of the entry as its only accepted one."""
    item = EntryFingerprint(
        text=stamp.text, digest=entry.digest, at=stamp.at, by=stamp.by, how=stamp.how
    )
    return replace(link, accepted=(item,))


def _is_accepted(link: EntryLink, entry: Entry, accepted: Sequence[EntryFingerprint]) -> bool:
    # A new name is a part of the digest and says nothing new.
    as_linked = text_digest(replace(entry, name=link.name))
    return not {entry.digest, as_linked}.isdisjoint({item.digest for item in accepted})


def _retired(link: EntryLink, gone: Gone) -> AnchorVerdict:
    reason = f"'{link.name}' was retired on {gone.at[:10]}: {gone.reason}"
    return replace(suspect(link, reason, "a live entry", "retired"), author=gone.by)


def _changed(link: EntryLink, entry: Entry, accepted: Sequence[EntryFingerprint]) -> AnchorVerdict:
    reason = f"the text of '{entry.name}' changed on {entry.updated[:10]}"
    expected = " or ".join(dict.fromkeys(item.digest[:SHORT] for item in reversed(accepted)))
    verdict = suspect(link, reason, expected, _mark(entry))
    return replace(verdict, author=entry.reviewed.by if entry.reviewed else None)


def _by_its_verdict(link: EntryLink, entry: Entry, verdict: Verdict) -> AnchorVerdict:
    status = verdict.status
    if status == ACTIVE:
        return _active(link, entry)
    first = next(one for one in verdict.anchors if one.status == status)
    reason = f"'{entry.name}' is {status}: {first.target}: {first.reason}"
    made = suspect(link, reason, ACTIVE, status) if status == SUSPECT else unknown(link, reason)
    return replace(made, expected=ACTIVE, found=status, commit=first.commit, author=first.author)


def _active(link: EntryLink, entry: Entry) -> AnchorVerdict:
    if entry.name == link.name:
        return active(link)
    offer = f"now called {entry.name}; verify with --follow links it by that name"
    return replace(active(link, offer), moved_to=entry.name)


def _mark(entry: Entry) -> str:
    return entry.digest[:SHORT]
