"""What would go out: which entries the other side does not have so, and no secret among them."""

from __future__ import annotations

import os
from collections.abc import Iterator

from git_knowl.errors import KnowlError
from git_knowl.model.document import DocumentError, parse
from git_knowl.plumbing import refs
from git_knowl.plumbing.commits import history
from git_knowl.plumbing.repository import Repository
from git_knowl.services.filters import secrets
from git_knowl.services.filters.counts import Counts
from git_knowl.services.filters.screen import screen_entry
from git_knowl.store import layout
from git_knowl.store.merge import outcome
from git_knowl.store.merge.join import Outcome
from git_knowl.store.snapshot import Snapshot
from git_knowl.store.store import Store
from git_knowl.store.view import View

_TIMEOUT = 600.0
_NAMED = 5


class SecretsError(KnowlError):
    """Something that was about to go out holds a secret; nothing was sent."""

    def __init__(self, found: list[str]) -> None:
        more = f" and {len(found) - _NAMED} more" if len(found) > _NAMED else ""
        super().__init__(
            f"nothing was sent, there are secrets in what would go out: {'; '.join(found[:_NAMED])}"
            f"{more}",
            "mask them with 'git knowl edit'; what stands in an older text or in a message"
            " is taken out of the history with 'git knowl purge --text'",
        )
        self.found = tuple(found)


def check_format(store: Store, tip: str) -> None:
    """Raise FormatError for a store that a newer program wrote: that one sends it.

    It would raise the store of everybody, and nobody here can screen what it holds.
    """
    tree = View(store.db, store.repo.object_format, {refs.ENTRIES: tip}).tree(refs.ENTRIES)
    why = layout.newer(tree.read(layout.FORMAT_FILE))
    if why:
        raise layout.FormatError(
            f"nothing was sent: the {why}",
            "upgrade git-knowl; before you send it, see that all who share the store can read it",
        )


def moving(store: Store, theirs: str | None, ours: str | None) -> tuple[Outcome, ...]:
    """Return what becomes of entries at a side that has one commit and gets another."""
    if ours is None or ours == theirs:
        return ()
    old, new = _snapshot(store, theirs), _snapshot(store, ours)
    paths = [path for path, _ in new.changed_since(theirs)]
    ids = dict.fromkeys(found for path in paths if (found := _id(path)))
    told = (_moved(old, new, identifier) for identifier in ids)
    return tuple(one for one in told if one)


def ahead(store: Store, theirs: str | None, ours: str | None) -> tuple[Outcome, ...]:
    """Return what goes out although nothing was joined yet: what changed here since they parted."""
    base = _base(store.repo, theirs, ours) if theirs and ours else None
    mine = {one.id: one for one in moving(store, base, ours)}
    return tuple(one for one in moving(store, theirs, ours) if one.id in mine)


def secrets_in(store: Store, tip: str, known: list[str]) -> list[str]:
    """Return where secrets stand in what some commits do not have, older texts and messages too."""
    view = View(store.db, store.repo.object_format, {refs.ENTRIES: tip})
    files = list(_new_files(store.repo, tip, known))
    contents = view.read_each([blob for blob, _ in files])
    told = [
        told
        for (_, path), data in zip(files, contents, strict=True)
        if isinstance(data, bytes) and (told := _suspicion(path, data))
    ]
    return [*told, *_secret_messages(store.repo, tip, known)]


def _secret_messages(repo: Repository, tip: str, known: list[str]) -> Iterator[str]:
    """Yield which of the commits that some others do not have say something secret."""
    for oid, commit in history(repo, (tip, *(f"^{one}" for one in known))):
        found = secrets.scrub(commit.message.decode("utf-8", "replace")).found
        if found:
            yield f"the message of commit {oid[:10]} holds {_kinds(found)}"


def _new_files(repo: Repository, tip: str, known: list[str]) -> Iterator[tuple[str, str]]:
    asked = ("rev-list", "--objects", tip, *(f"^{commit}" for commit in known))
    for line in os.fsdecode(repo.git(*asked, timeout=_TIMEOUT)).splitlines():
        oid, _, path = line.partition(" ")
        if path.endswith((layout.ENTRY_SUFFIX, layout.RECORD_SUFFIX)):
            yield oid, path


def _suspicion(path: str, data: bytes) -> str | None:
    """Return what is secret in a file of the store, by the name people know it by."""
    found = layout.parse_entry_path(path)
    shown = found[1] if found else path
    try:
        screened = screen_entry(parse(data))
    except DocumentError:
        hidden = secrets.scrub(data.decode("utf-8", "replace")).found
        return f"'{shown}' holds {_kinds(hidden)}" if hidden else None
    if screened.refused:
        return f"'{shown}' {screened.refused[0]}"
    return f"'{shown}' holds {_kinds(screened.found)}" if screened.found else None


def _kinds(found: Counts) -> str:
    return ", ".join(kind for kind, _ in found)


def _moved(old: Snapshot, new: Snapshot, identifier: str) -> Outcome | None:
    live, grave = new.held(identifier)
    was_live, was_grave = old.held(identifier)
    name, by = _told(new if live or grave else old, identifier)
    if grave and not live:
        return Outcome(identifier, name, outcome.RETIRED, by) if not was_grave else None
    if not live:
        return None
    kind = outcome.UPDATED if was_live else outcome.RESTORED if was_grave else outcome.NEW
    return Outcome(identifier, name, kind, by) if live != was_live else None


def _told(snapshot: Snapshot, identifier: str) -> tuple[str, str | None]:
    """Return name and person of an entry or tombstone, as far as they can be read."""
    try:
        found = snapshot.entry(identifier)
        if found:
            return found.name, found.reviewed.by if found.reviewed else None
        grave = snapshot.tombstone(identifier)
    except KnowlError:
        return identifier, None
    return (grave.name, grave.by) if grave else (identifier, None)


def _id(path: str) -> str | None:
    found = layout.parse_entry_path(path)
    return found[0] if found else layout.parse_record_path(layout.RETIRED, path)


def _snapshot(store: Store, commit: str | None) -> Snapshot:
    view = View(store.db, store.repo.object_format, {refs.ENTRIES: commit})
    return Snapshot(view, "shared")


def _base(repo: Repository, one: str, other: str) -> str | None:
    return repo.git("merge-base", one, other, ok=(0, 1)).decode("ascii").strip() or None
