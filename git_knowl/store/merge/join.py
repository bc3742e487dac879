"""Join the commit of another store into the shared lane of this one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from git_knowl.model.draft import Draft
from git_knowl.plumbing import refs
from git_knowl.plumbing.lock import Lock
from git_knowl.plumbing.objects import ObjectDatabase, open_objects
from git_knowl.store import layout, trees
from git_knowl.store.decided import find_decided
from git_knowl.store.drafts import PutDraft, read_draft
from git_knowl.store.history import UNSHALLOW
from git_knowl.store.merge.bases import Bases, common_commits
from git_knowl.store.merge.outcome import (
    AHEAD,
    FAST_FORWARD,
    IN_STEP,
    JOINED,
    Admit,
    ForeignProject,
    Joined,
    Outcome,
    ShallowHistoryError,
    admit_all,
)
from git_knowl.store.merge.plain import project_roots
from git_knowl.store.merge.plan import Plan, Roots, make_plan
from git_knowl.store.merge.reader import Reader
from git_knowl.store.records import RecordError
from git_knowl.store.store import Store
from git_knowl.store.transaction import Record, retry, staged_commits
from git_knowl.store.view import View

__all__ = ["Admit", "ForeignProject", "Joined", "Outcome", "admit_all", "join"]

#: What messages call the store that is joined.
OTHER = "the other store"


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a join was asked for."""

    theirs: str
    admit: Admit
    same_project: bool


@dataclass(frozen=True, slots=True)
class _Found:
    """What a join comes to at one state of the refs."""

    joined: Joined
    plan: Plan


def join(
    store: Store,
    theirs: str,
    record: Record,
    *,
    admit: Admit = admit_all,
    dry_run: bool = False,
    same_project: bool = False,
) -> Joined:
    """Merge the commit ``theirs``, which is in the database, into the shared lane.

    Entry by entry and field by field, under the lock, by compare-and-swap, and made anew when the
    tip moves meanwhile; it survives a loss of power. The tip moves to ``theirs`` where this side
    has nothing more to say, else to a commit with both as parents, ours first. A text that was
    changed here and retired there comes back as a draft.

    Raises ForeignProject for a store about other code, unless ``same_project`` says that a person
    knows better; FormatError for a store of a newer format, or what is none; ShallowHistoryError
    where this clone lacks what both have in common.
    """
    asked = _Asked(theirs, admit, same_project)
    before = store.view()
    ready = _find(store, before, asked)
    if dry_run or ready.joined.state in (IN_STEP, AHEAD):
        return ready.joined

    def attempt(held: Lock) -> Joined:
        view = store.view()
        store.on_step("read")
        # Much to read was read before others had to wait; it holds as long as nothing moved.
        found = ready if view.commits == before.commits else _find(store, view, asked)
        return _carry_out(store, view, found, replace(record, parents=(theirs,)), held)

    return retry(store, attempt, record.subject)


def _carry_out(store: Store, view: View, found: _Found, record: Record, held: Lock) -> Joined:
    if found.joined.state in (IN_STEP, AHEAD):
        return found.joined
    store.on_step("applied")
    db = open_objects(store.repo, fsync=True)
    commits = _written(store, view, found, record, db)
    store.on_step("written")
    moves = [refs.Update(ref, new, view.commits[ref]) for ref, new in commits.items()]
    refs.update(store.repo, moves, " ".join(record.subject.split()), fsync=True, held=held)
    store.on_step("published")
    return replace(found.joined, commit=commits[refs.ENTRIES])


def _written(
    store: Store, view: View, found: _Found, record: Record, db: ObjectDatabase
) -> dict[str, str]:
    """Write what the refs are to move to and return it by ref."""
    if found.joined.state == FAST_FORWARD:
        return {refs.ENTRIES: record.parents[0]}
    tree = view.tree(refs.ENTRIES)
    for path, data in found.plan.changes.items():
        tree.stage(path, data)
    for draft in found.joined.proposals:
        PutDraft(draft).apply(view)
    told = replace(record, touched=tuple(found.plan.touched))
    commits, objects = staged_commits(store, view, told, db)
    db.write(objects)
    return commits


def _find(store: Store, view: View, asked: _Asked) -> _Found:
    """Return what joining comes to; nothing is written."""
    ours = view.commits[refs.ENTRIES]
    view.tree(refs.ENTRIES).check_writable()
    common = common_commits(store.repo, asked.theirs, ours) if ours else []
    if asked.theirs in common:
        return _Found(Joined(IN_STEP if ours == asked.theirs else AHEAD, ours), Plan())
    if ours and not common:
        _refuse_shallow(store, ours, asked.theirs)
    reader = Reader(store.db, view.object_format)
    roots = _roots(store, reader, view, asked, common)
    _check_format(reader, roots.theirs)
    if not asked.same_project:
        _check_project(reader, roots)
    plan = make_plan(reader, roots, asked.admit)
    state = FAST_FORWARD if _adds_nothing(reader, roots, plan, ours, common) else JOINED
    proposals = tuple(draft for draft in plan.drafts if _is_fresh(view, draft))
    return _Found(Joined(state, ours, tuple(plan.outcomes), proposals), plan)


def _roots(store: Store, reader: Reader, view: View, asked: _Asked, common: list[str]) -> Roots:
    """Return the trees of the merge; several common commits are merged for one base."""

    def merge(base: str | None, one: str, other: str) -> str:
        roots = Roots(base, one, other, is_folded=True)
        return reader.edit(one, make_plan(reader, roots, admit_all).changes)[0]

    base = Bases(store.db, partial(common_commits, store.repo), merge).tree(common)
    ours, theirs = view.tree(refs.ENTRIES).root, store.db.read_commit(asked.theirs).tree
    return Roots(base, ours, theirs, is_folded=len(common) > 1)


def _adds_nothing(
    reader: Reader, roots: Roots, plan: Plan, ours: str | None, common: list[str]
) -> bool:
    """Tell whether the other commit is ahead of ours and holds just what joining comes to."""
    if ours is not None and ours not in common:
        return False
    return reader.edit(roots.ours, plan.changes)[0] == roots.theirs


def _check_format(reader: Reader, root: str | None) -> None:
    """Raise FormatError for a store that this program must not write on."""
    blob = trees.find(reader, root, layout.FORMAT_FILE)
    text = reader.read_blob(blob) if blob else None
    if root and reader.read_tree(root):
        layout.check_readable(OTHER, text)
        layout.check_writable(OTHER, text)


def _check_project(reader: Reader, roots: Roots) -> None:
    """Raise ForeignProject when both sides know the roots of their code and share none."""
    blobs = [trees.find(reader, root, layout.PROJECT_FILE) for root in (roots.ours, roots.theirs)]
    ours, theirs = (project_roots(reader, blob) for blob in blobs)
    if ours and theirs and not {*ours} & {*theirs}:
        raise ForeignProject(ours, theirs)


def _refuse_shallow(store: Store, *commits: str) -> None:
    """Raise ShallowHistoryError where what both have in common may have been cut off."""
    out = store.repo.git("rev-list", "--max-parents=0", *commits).decode("ascii")
    cut = [commit for commit in out.split() if store.db.read_commit(commit).parents]
    if cut:
        raise ShallowHistoryError(
            f"this clone is shallow: what both stores have in common is before {cut[0][:10]}",
            UNSHALLOW,
        )


def _is_fresh(view: View, draft: Draft) -> bool:
    """Tell whether a draft neither waits, nor was decided on, nor became an entry."""
    try:
        waits = read_draft(view, draft.id) is not None
    except RecordError:
        waits = True
    return not (waits or find_decided(view, draft.id) or view.is_known(draft.id))
