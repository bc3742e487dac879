"""What was purged here or elsewhere, in histories that still hold it.

The history of a remote may hold what was purged here, and that of this clone what others purged.
Such a history is not joined as it is: it would bring everything back. Without what was purged it is
one that clones share, since taking the same out of the same commits gives the same commits.
"""

from __future__ import annotations

from collections.abc import Iterable

from git_knowl.errors import KnowlError
from git_knowl.plumbing import refs
from git_knowl.plumbing.objects import open_objects
from git_knowl.services.purged.copies import copies
from git_knowl.services.purged.sift import Sifter
from git_knowl.services.purged.wanted import Wanted
from git_knowl.store.purged import read_purged
from git_knowl.store.rewrite import Rewriter
from git_knowl.store.store import Store
from git_knowl.store.view import View


class RemoteHoldsPurgedError(KnowlError):
    """A remote whose store still holds what was purged here."""


class HoldsPurgedError(KnowlError):
    """This clone still holds what others purged."""


def purged_at(store: Store, commits: Iterable[str | None]) -> frozenset[str]:
    """Return the digests of what was purged, as the trees of some commits say."""
    views = (
        View(store.db, store.repo.object_format, {refs.ENTRIES: commit})
        for commit in commits
        if commit
    )
    return frozenset().union(*(read_purged(view.tree(refs.ENTRIES)) for view in views))


def purged_known(store: Store) -> frozenset[str]:
    """Return the digests of all that was purged, as this clone and the copies of remotes say."""
    tips = refs.ours(store.repo)
    lanes = (refs.ENTRIES, refs.LOCAL_ENTRIES)
    named = [ref for ref in (*copies(tips), *lanes) if "/proposals/" not in ref]
    return purged_at(store, (tips.get(ref) for ref in named))


def holds_purged(store: Store, commit: str, *others: str | None) -> bool:
    """Tell whether the history of a commit of the shared lane holds what was purged.

    That is what the shared lane, the commit itself, or one of the ``others`` says was purged. Asked
    for a fetched tip, it tells whether the remote still holds it; asked for our own tip with a
    fetched one beside it, whether this clone still holds what others purged.
    """
    return clean_history(store, commit, *others)[0] != commit


def clean_history(
    store: Store, commit: str, *others: str | None, descent: frozenset[str] = frozenset()
) -> tuple[str, Rewriter | None]:
    """Return the tip of the same history without what was purged, and what has its objects.

    ``descent`` are digests of what was made of it, and goes too. The commit itself, and None, where
    the history holds nothing of it. Nothing is written.
    """
    ours = refs.read(store.repo, (refs.ENTRIES,))[refs.ENTRIES]
    digests = purged_at(store, {ours, commit, *others})
    if not digests:
        return commit, None
    db = open_objects(store.repo, bulk=True)
    sifter = Sifter(db, Wanted(digests=digests, descent=descent), redact=False)
    rewriter = Rewriter(store.repo, db)
    rewriter.follow([commit], sifter.in_lane, sifter.reword)
    made = rewriter.commits[commit]
    return made, rewriter if made != commit else None


def check_purged(store: Store, remote: str, theirs: str) -> None:
    """Raise before two histories are joined of which one holds what the other purged.

    RemoteHoldsPurgedError where the fetched tip ``theirs`` does, HoldsPurgedError where our own.
    """
    ours = refs.read(store.repo, (refs.ENTRIES,))[refs.ENTRIES]
    if holds_purged(store, theirs):
        raise RemoteHoldsPurgedError(
            f"'{remote}' still holds what was purged: nothing was taken from it and nothing sent",
            "whoever may write there puts the history without it in place, in a terminal:"
            " 'git knowl purge --help' tells how",
        )
    if ours and _names_more(store, theirs, ours) and holds_purged(store, ours, theirs):
        raise HoldsPurgedError(
            f"this clone still holds what others purged from '{remote}': nothing was taken or sent",
            "a person purges it here too, in a terminal: 'git knowl purge --help' tells how; if"
            " nobody meant to, whoever may write there puts the ref back to the commit before that",
        )


def _names_more(store: Store, theirs: str, ours: str) -> bool:
    """Tell whether others purged what this clone did not: what it purged, it does not hold."""
    return not purged_at(store, [theirs]) <= purged_at(store, [ours])
