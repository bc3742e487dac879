"""The cache of a store, and files put on a ref without asking whether they may stand there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_knowl.model.document import render
from git_knowl.model.entry import LANES, Entry
from git_knowl.plumbing import refs
from git_knowl.plumbing.objects import encode_commit
from git_knowl.store import layout, trees
from git_knowl.store.cache_write import Cache, open_cache

if TYPE_CHECKING:
    from git_knowl.store.store import Store

WHO = "Kim <kim@example.org> 1796000000 +0000"


def tips(store: Store) -> dict[str, str | None]:
    """Return the commit of each lane."""
    commits = store.view().commits
    return {lane: commits[refs.entries_ref(lane)] for lane in LANES}


def cache_of(store: Store, patience: float = 30.0) -> Cache:
    """Return the cache at the present tips."""
    return open_cache(store.repo, tips(store), store.db, patience)


def plant(
    store: Store, lane: str, *entries: Entry, files: dict[str, bytes | None] | None = None
) -> str:
    """Commit entries and raw files to a lane past every rule, as a merge or a foreign program may.

    None removes a file. Returns the commit.
    """
    ref = refs.entries_ref(lane)
    view = store.view()
    changes: dict[str, bytes | None] = {layout.FORMAT_FILE: layout.FORMAT_TEXT}
    changes |= {layout.entry_path(entry.id, entry.name): render(entry) for entry in entries}
    changes |= files or {}
    root, objects = trees.edit(store.db, store.repo.object_format, view.tree(ref).root, changes)
    store.db.write(objects)
    parent = view.commits[ref]
    parents = (parent,) if parent else ()
    commit = store.db.write([("commit", encode_commit(root, parents, WHO, WHO, "plant\n"))])[0]
    refs.update(store.repo, [refs.Update(ref, commit, parent)], "plant")
    return commit
