"""Which entries a way between two commits turned suspect, told as cheaply as it can be told.

Of a file the blob tells whether an anchor holds, and the derived cache has the blobs that were
accepted. Only where a kind was touched that must be parsed are the parsers loaded.
"""

from __future__ import annotations

import os

from git_knowl.model.light import dataclass
from git_knowl.model.status import SUSPECT
from git_knowl.plumbing import between
from git_knowl.plumbing.content import stored_blobs
from git_knowl.services.catchup import cursor
from git_knowl.store import cache_file, layout, touched
from git_knowl.store.anchored_list import keep_list
from git_knowl.store.cache import open_warm

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from git_knowl.model.verdict import Verdict
    from git_knowl.plumbing.repository import Repository
    from git_knowl.services.context import Context
    from git_knowl.store.cache import CacheReader
    from git_knowl.store.touched import Resting

    Changed = dict[str, "str | None"]

FILE = "file"
SYMBOL = "symbol"
#: Somebody waits: more entries are not parsed in a hook, nor read into a cache made from nothing.
MOST_PARSED = 200
MOST_READ = 2_000


@dataclass(frozen=True, slots=True)
class Turned:
    """An entry that is suspect here; ``evidence`` are (target, found) of what speaks against it.

    ``reason`` says why and ``commit`` by which commit; both are None where ``path`` changed and
    nobody has asked yet who did it. The type of the entry is known where it was parsed.
    """

    id: str
    lane: str
    name: str
    blob: str
    evidence: tuple[tuple[str, str | None], ...]
    path: str
    reason: str | None = None
    commit: str | None = None
    type: str | None = None

    @property
    def mark(self) -> cursor.Mark:
        """What stands for this in the list of what was told."""
        return cursor.mark(self.id, self.blob, self.evidence)


@dataclass(frozen=True, slots=True)
class Look:
    """The suspects among the entries that were looked at, by name, and the ids of the others.

    ``left`` counts the entries there was no time for.
    """

    suspects: tuple[Turned, ...] = ()
    sound: frozenset[str] = frozenset()
    left: int = 0


def look(ctx: Context, old: str | None, head: str) -> Look:
    """Judge the entries that the way between two commits touches; all where it is not known."""
    cache: CacheReader | None = open_warm(ctx.repo, ctx.tips)
    if cache is None:
        left = too_many(ctx)
        if left:
            return Look(left=0 if old else left)  # said once, not after every commit
        cache = ctx.cache
    keep_list(ctx.repo, cache)
    changed = between.changed(ctx.repo, old, head) if old else None
    if changed is not None:
        return look_at(ctx, cache, changed)
    everything = between.held(ctx.repo, head)
    gone = (path for path in touched.paths(cache) if path not in everything)
    return look_at(ctx, cache, {**everything, **dict.fromkeys(gone)})


def too_many(ctx: Context) -> int:
    """Return how many entries a cache made from nothing would have to read, if they are many."""
    if os.path.exists(ctx.repo.shared_path(cache_file.NAME)):
        return 0
    tips = [tip for tip in ctx.tips.values() if tip]
    asked = ("ls-tree", "-r", "-z", "--name-only")
    count = sum(ctx.repo.git(*asked, tip, layout.ENTRIES).count(b"\0") for tip in tips)
    return count if count > MOST_READ else 0


def look_at(ctx: Context, cache: CacheReader, changed: Changed) -> Look:
    """Judge the entries that rest on changed paths, or on such entries."""
    resting = touched.on_paths(cache, changed)
    quick = [one for one in resting if is_quick(one, changed, ctx.repo.object_format)]
    found = {one.id: one for one in changed_files(ctx.repo, quick, changed)}
    asked = {one.id for one in resting if not is_quick(one, changed, ctx.repo.object_format)}
    asked |= parsed(ctx.repo, cache, changed) | read_before(ctx.repo, quick, changed)
    asked |= dependents(cache, asked | found.keys())
    parsable = sorted(asked)[:MOST_PARSED]
    if parsable:
        from git_knowl.services.judging import judge  # noqa: PLC0415 - parsers, where needed

        found = {one.id: one for one in turned_by(cache, judge(ctx, parsable))} | found
    looked_at = {*parsable, *(one.id for one in quick if one.kind == FILE)}
    suspects = tuple(sorted(found.values(), key=lambda one: one.name))
    return Look(suspects, frozenset(looked_at - found.keys()), len(asked) - len(parsable))


def is_quick(one: Resting, changed: Mapping[str, str | None], object_format: str) -> bool:
    """Tell whether the blob alone decides about an anchor on a changed path."""
    is_comparable = any(blob.startswith(f"{object_format}:") for blob in one.known)
    there = changed.get(one.path or "")
    return one.kind in (FILE, SYMBOL) and there is not None and is_comparable


def changed_files(repo: Repository, quick: Sequence[Resting], changed: Changed) -> list[Turned]:
    """Return the entries on files whose content was never accepted, neither committed nor here.

    A symbol in such a file is not known to have changed.
    """
    prefix = f"{repo.object_format}:"
    files = [(str(one.path), one) for one in quick if one.kind == FILE and one.path]
    open_ = [(path, one) for path, one in files if f"{prefix}{changed[path]}" not in one.known]
    paths = sorted({path for path, _ in open_})
    here = stored_blobs(repo, paths) if paths and not repo.is_bare else {}
    found: dict[str, Turned] = {}
    evidence: dict[str, list[tuple[str, str]]] = {}
    for path, one in open_:
        seen = here.get(path, "!")
        # What is not there is hidden by a sparse checkout, or gone in no commit yet.
        blob = str(changed[path]) if seen.startswith("!") else seen
        if f"{prefix}{blob}" not in one.known:
            told = evidence.setdefault(one.id, [])
            told.append((one.target, blob))
            found[one.id] = Turned(one.id, one.lane, one.name, one.blob, tuple(told), path)
    return list(found.values())


def read_before(repo: Repository, quick: Sequence[Resting], changed: Changed) -> set[str]:
    """Return the entries on symbols in changed files that somebody has looked into as they are now.

    Their verdict parses nothing. What was never looked into waits for the next audit.
    """
    symbols = [one for one in quick if one.kind == SYMBOL]
    blobs = {changed[one.path or ""] for one in symbols}
    if not blobs:
        return set()
    from git_knowl.anchors.symbols.known import looked_into  # noqa: PLC0415 - where there are some

    known = looked_into(repo, (blob for blob in blobs if blob))
    return {one.id for one in symbols if changed[one.path or ""] in known}


def parsed(repo: Repository, cache: CacheReader, changed: Collection[str]) -> set[str]:
    """Return the entries on folders and on commits that the change concerns."""
    trees = touched.of_kind(cache, touched.TREE)
    found = {one.id for one in trees if touched.is_within(changed, touched.reach(one.path or ""))}
    commits = touched.of_kind(cache, touched.COMMIT)
    anchored = between.touched_by(repo, {commit for one in commits for commit in one.known})
    for one in commits:
        if any(not anchored[commit].isdisjoint(changed) for commit in one.known):
            found.add(one.id)
    return found


def dependents(cache: CacheReader, ids: Collection[str]) -> set[str]:
    """Return the entries that depend on some of the entries, or on such as do."""
    links = touched.of_kind(cache, touched.ENTRY) if ids else []
    found: set[str] = set()
    waiting = set(ids)
    while waiting:
        waiting = {one.id for one in links if not one.known.isdisjoint(waiting)} - found
        found |= waiting
    return found


def turned_by(cache: CacheReader, verdicts: Mapping[str, Verdict]) -> list[Turned]:
    """Return the entries that verdicts call suspect, with what speaks against them."""
    suspect = {key: one for key, one in verdicts.items() if one.status == SUSPECT}
    rows = touched.rows_of(cache, suspect)
    found = []
    for key, verdict in suspect.items():
        against = [anchor for anchor in verdict.anchors if anchor.status == SUSPECT]
        if key in rows:
            evidence = tuple((anchor.target, anchor.found) for anchor in against)
            where = against[0].target.partition(":")[2]
            why = against[0].reason or "changed", against[0].commit
            lane, name, blob, type_ = rows[key]
            found.append(Turned(key, lane, name, blob, evidence, where, *why, type_))
    return found
