"""What a remote shows is looked at as a stranger's before anything of it is read as knowledge."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from git_knowl.errors import KnowlError
from git_knowl.model import rules
from git_knowl.model.entry import Entry
from git_knowl.plumbing import refs
from git_knowl.plumbing.objects import TREE_MODE, ObjectDatabase, ObjectError
from git_knowl.plumbing.repository import Repository
from git_knowl.services.filters.screen import screen_entry
from git_knowl.services.sync import lineage
from git_knowl.services.sync.place import Place, no_store
from git_knowl.store.layout import FormatError
from git_knowl.store.store import Store
from git_knowl.store.view import View

#: Folders below the top of a store: deeper, or more, is a tree made to keep a reader busy.
DEPTH = 3
MOST_FILES = 1_000_000
#: Bytes of a file. An entry takes a fraction of it; whatever is larger was put there for harm.
LARGEST = 1_000_000
#: So many reasons say enough about an entry that is not taken over.
MOST_REASONS = 3


def check(store: Store, place: Place, theirs: str, ours: str | None) -> None:
    """Raise NoStoreError unless a fetched object is a store: commit, format, shape, sizes, history.

    Folders that our commit has too are not opened. Raises BadObjects as `lineage.check` does.
    """
    try:
        root = _root(store, theirs)
        before = store.db.read_commit(ours).tree if ours else ""
        found = _new_blobs(store.db, root, before, DEPTH)
        blobs = list(islice(found, MOST_FILES + 1))
    except (FormatError, ObjectError) as error:
        why = error.message.replace(refs.ENTRIES, place.ref)  # the ref that is meant is theirs
        raise no_store(place, why, _upgrade(error)) from error
    if len(blobs) > MOST_FILES:
        raise no_store(place, f"it has more than {MOST_FILES} files that are not known here")
    for blob, size in _sizes(store.repo, blobs):
        if size > LARGEST:
            raise no_store(place, f"it has a file of {size} bytes ({blob[:10]})")
    lineage.check(store, place, theirs, ours)


def admit(entry: Entry) -> Entry | str:
    """Return an incoming entry as it may stand here, its secrets masked, or why it may not.

    What no door of ours would store is not let in by a remote either.
    """
    screened = screen_entry(entry)
    refused = [*rules.validate(entry), *screened.refused]
    if refused:
        more = len(refused) - MOST_REASONS
        return "; ".join(refused[:MOST_REASONS]) + (f"; and {more} more" if more > 0 else "")
    if screened.entry is entry:
        return entry
    return replace(screened.entry, rev=entry.rev + 1)


def _root(store: Store, commit: str) -> str:
    """Return the tree of a commit that is a store; the view raises for any other."""
    view = View(store.db, store.repo.object_format, {refs.ENTRIES: commit})
    return view.tree(refs.ENTRIES).root or ""


def _upgrade(error: KnowlError) -> str | None:
    """Return the hint of an error that asks for a newer program."""
    return error.hint if error.hint and "upgrade" in error.hint else None


def _new_blobs(db: ObjectDatabase, tree: str, before: str, depth: int) -> Iterator[str]:
    """Yield the files of a tree that another one does not hold in the same place."""
    known = {name: oid for _, name, oid in db.read_tree(before)}
    for mode, name, oid in db.read_tree(tree):
        old = known.get(name, "")
        if oid == old:
            continue
        if mode != TREE_MODE:
            yield oid
        elif depth == 0:
            raise ObjectError(f"its folder '{name}' is deeper than a store has any")
        else:
            yield from _new_blobs(db, oid, old, depth - 1)


def _sizes(repo: Repository, blobs: list[str]) -> Iterator[tuple[str, int]]:
    asked = "".join(f"{blob}\n" for blob in blobs).encode()
    out = repo.git("cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=asked)
    for line in out.decode("ascii", "replace").splitlines():
        oid, _, size = line.partition(" ")
        yield oid, int(size) if size.isdigit() else 0
