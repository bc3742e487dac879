"""Chosen entries of somebody else's store become drafts; nothing else of it ever enters.

What is fetched goes into a folder of its own that is thrown away: no ref, no object and no history
of the other store stays. The texts are a stranger's: they are screened like any import, what they
claim about evidence and reviewers is dropped, and each draft says where it comes from.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from git_knowl.errors import KnowlError
from git_knowl.model import ids
from git_knowl.model.entry import SHARED, Entry
from git_knowl.model.limits import DOCUMENT_BYTES
from git_knowl.plumbing import refs, remote
from git_knowl.plumbing.encoding import TREE_MODE
from git_knowl.plumbing.objects import open_objects
from git_knowl.plumbing.repository import Repository
from git_knowl.plumbing.scratch import Scratch
from git_knowl.services.context import Context
from git_knowl.services.evidence import without_fingerprints
from git_knowl.services.exchange.desk import ImportDesk
from git_knowl.services.exchange.found import Found, Unreadable, Whole
from git_knowl.services.exchange.import_ import Imported, receive
from git_knowl.services.filters.counts import summed
from git_knowl.services.propose import put
from git_knowl.store import layout
from git_knowl.store.purged import is_purged, read_purged
from git_knowl.store.snapshot import decode
from git_knowl.store.view import View

FORM = "fork"
#: So many entries are taken at once, and so many are looked through for an id.
MOST_TAKEN = 1_000
MOST_LISTED = 200_000


class ForkError(KnowlError):
    """A store of somebody else that cannot be imported from."""


def import_fork(
    ctx: Context, source: str, wanted: Sequence[str] | None, *, dry_run: bool = False
) -> Imported:
    """Make drafts of entries in the store of a remote, a path or a URL: those of the ids, or all.

    With ``dry_run`` nothing is stored. Raises ForkError where there is no store, RemoteError where
    it cannot be reached. What cannot be taken is told and hides no other.
    """
    place = place_of(ctx, source)
    shown = remote.redacted(source)
    with Scratch(ctx.repo) as scratch:
        fork = Fork(ctx.repo.with_objects(scratch.borrowed), place, shown)
        try:
            found = list(fork.read(wanted, purged_here(ctx)))
        finally:
            fork.close()
    desk = ImportDesk(ctx, ctx.store.view())
    done = Imported(FORM)
    for one in found:
        receive(desk, one, done)
    made = [replace(draft, sender=f"{shown} {layout.ENTRIES}") for draft in desk.made]
    if made and not dry_run:
        put(ctx, made)
    done.drafts = tuple(made)
    done.redacted = summed(desk.redacted)
    return done


def place_of(ctx: Context, source: str) -> str:
    """Return what git reaches a source by: a remote's name, else a path or URL as it was given.

    Raises NoSuchRemote for what is none of them.
    """
    if source in remote.names(ctx.repo):
        return source
    path = os.path.join(ctx.caller.cwd, source)
    if source and os.path.isdir(path):
        return os.path.abspath(path)
    if "://" in source or ":" in source.partition("/")[0]:
        return source
    return remote.known(ctx.repo, source)


def purged_here(ctx: Context) -> frozenset[str]:
    """Return the digests of texts that may never come back."""
    return read_purged(ctx.store.view().lane(SHARED))


class Fork:
    """The store of somebody else, fetched to where the objects of a repository are borrowed."""

    def __init__(self, repo: Repository, place: str, shown: str) -> None:
        self.shown = shown
        tip = remote.ls(repo, place, [refs.ENTRIES]).get(refs.ENTRIES)
        if tip is None:
            raise ForkError(
                f"'{shown}' has no store: there is no {refs.ENTRIES}",
                "see with 'git ls-remote' what it has",
            )
        remote.fetch(repo, place, [tip])
        self._repo = repo
        self._db = open_objects(repo)
        self._view = View(self._db, repo.object_format, {refs.ENTRIES: tip})

    def close(self) -> None:
        """Let go of the objects."""
        self._db.close()

    def read(self, wanted: Sequence[str] | None, purged: frozenset[str]) -> Iterator[Found]:
        """Yield the entries that are wanted (None for all), and why one cannot be had."""
        files = dict(self.files())
        if wanted is None and len(files) > MOST_TAKEN:
            raise ForkError(
                f"'{self.shown}' has {len(files)} entries, and a person would have to review all",
                f"name those you want with --id; at most {MOST_TAKEN} are taken at once",
            )
        chosen = list(self.chosen(sorted(files) if wanted is None else wanted, list(files)))
        sizes = self.sizes([files[one][1] for one in chosen if isinstance(one, str)])
        for one in chosen:
            yield self.entry(*files[one], sizes, purged) if isinstance(one, str) else one

    def chosen(self, wanted: Sequence[str], known: list[str]) -> Iterator[str | Unreadable]:
        """Yield the id that each text names, or why it names none; each once."""
        for text in dict.fromkeys(wanted):
            try:
                yield ids.resolve(text, known, "entry")
            except ids.IdError as error:
                yield Unreadable(f"{self.shown} {text}", error.message)

    def sizes(self, blobs: Sequence[str]) -> dict[str, int]:
        """Return how long files are, before any of them is read."""
        asked = "".join(f"{blob}\n" for blob in dict.fromkeys(blobs)).encode("ascii")
        told = self._repo.git("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=asked)
        pairs = (line.split(" ") for line in told.decode("ascii").splitlines())
        return {blob: int(size) for blob, size in pairs if size.isdigit()}

    def files(self) -> Iterator[tuple[str, tuple[str, str]]]:
        """Yield id, path and blob of the entry files where they belong; folders are not nested."""
        root = self._view.lane(SHARED).root
        top = {name: oid for mode, name, oid in self._view.read_tree(root or "") if is_tree(mode)}
        count = 0
        for mode, shard, oid in self._view.read_tree(top.get(layout.ENTRIES, "")):
            for _, name, blob in self._view.read_tree(oid) if is_tree(mode) else ():
                path = f"{layout.ENTRIES}/{shard}/{name}"
                found = layout.parse_entry_path(path)
                count += 1
                if count > MOST_LISTED:
                    raise ForkError(
                        f"'{self.shown}' has more than {MOST_LISTED} entries",
                        "ask for an export of those you want: 'git knowl import' reads it",
                    )
                if found:
                    yield found[0], (path, blob)

    def entry(
        self, path: str, blob: str, sizes: Mapping[str, int], purged: frozenset[str]
    ) -> Found:
        """Return an entry without what it claims of itself, or why there is none."""
        shown = f"{self.shown} {path}"
        size = sizes.get(blob, 0)
        if size > DOCUMENT_BYTES:
            return Unreadable(shown, f"expected at most {DOCUMENT_BYTES} bytes, found {size}")
        data = self._view.read_blob(blob)
        if is_purged(data, purged):
            return Unreadable(shown, "this text was purged here")
        entry = decode(path, data)
        if isinstance(entry, str):
            return Unreadable(shown, entry)
        return Whole(shown, unclaimed(entry), None)


def unclaimed(entry: Entry) -> Entry:
    """Return what an entry says, and nothing that its store claims about it."""
    return replace(
        without_fingerprints(entry),
        as_of=None,
        patch_id=None,
        supersedes=(),
        related=(),
        reviewed=None,
        promoted=None,
        rev=1,
        extra={},
    )


def is_tree(mode: str) -> bool:
    """Tell whether an item of a tree is a folder."""
    return mode == TREE_MODE
