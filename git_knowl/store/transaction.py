"""The one way the store is written: an operation on the present tips, published all or nothing.

The operation is a pure function from a view to changes. When a tip moves although the lock is held
(plain git, or a file system without locks), the operation is applied again, never its old result.
This module knows paths and bytes only, so that writing a flag loads nothing that reads entries.
"""

from __future__ import annotations

import os
import time

from git_knowl.errors import MovedError
from git_knowl.model.light import dataclass
from git_knowl.plumbing import refs
from git_knowl.plumbing.lock import flock
from git_knowl.plumbing.objects import encode_commit, genesis, object_id, open_objects
from git_knowl.store import layout, rules
from git_knowl.store.view import ENTRY_REFS, REFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Protocol, TypeVar

    from git_knowl.plumbing.lock import Lock
    from git_knowl.plumbing.objects import ObjectDatabase
    from git_knowl.store.store import Store
    from git_knowl.store.trees import Objects
    from git_knowl.store.view import Tree, View

    class Change(Protocol):
        """A step of an operation."""

        def apply(self, view: View) -> None:
            """Stage the edits of this change."""

    T = TypeVar("T")
    Operation = Callable[[View], Iterable[Change]]
    Sign = Callable[[bytes, Objects], str | None]

ATTEMPTS = 12
#: Git waits a second each time for a lock that is held; the queue waits behind us.
LOCKED_ATTEMPTS = 3
LONGEST_PAUSE = 0.5
OP = "Knowl-Op"
ENTRY = "Knowl-Entry"
#: The commit of the code that was checked out where the operation was decided.
AT = "Knowl-At"
#: Written into the local lane only: the shared commit of the same operation, or the shared tip that
#: was there before. So the two lanes have one order that no clock decides.
WITH = "Knowl-With"
AFTER = "Knowl-After"


@dataclass(frozen=True, slots=True)
class Record:
    """What history says about an operation.

    ``op`` is its verb, ``author`` reads ``Name <mail>``, ``at`` is in seconds since the epoch.
    ``trailers`` are further (key, value) lines, such as Reviewed-by; which entries were touched is
    added from what was really written, unless ``touched`` tells them as (id, name). ``parents`` are
    commits of other stores that the shared lane joins: with any, its tip moves in every case.
    """

    op: str
    subject: str
    author: str
    at: int
    trailers: tuple[tuple[str, str], ...] = ()
    parents: tuple[str, ...] = ()
    touched: tuple[tuple[str, str], ...] | None = None


@dataclass(frozen=True, slots=True)
class Published:
    """What a transaction did: the new commit of every ref that moved, and the changes applied."""

    commits: dict[str, str]
    changes: tuple[Change, ...] = ()


def publish(
    store: Store, operation: Operation, record: Record, *, fsync: bool = False
) -> Published:
    """Apply an operation to the present tips and move all refs it touches in one transaction.

    Changes that alter nothing move nothing. ``fsync`` makes the write survive a loss of power.
    Raises MovedError when the tips keep moving, RefLocked when a ref stays locked, and whatever the
    operation raises.
    """
    if fsync and store.names is not None:  # it is about entries, so names will be asked for
        store.names.prepare()
    return retry(
        store,
        lambda held: _attempt(store, operation, record, held=held, fsync=fsync),
        record.subject,
    )


def retry(store: Store, attempt: Callable[[Lock], T], subject: str) -> T:
    """Return what an attempt under the lock comes to, made anew as long as the refs move.

    Raises MovedError when the tips keep moving, RefLocked when a ref stays locked.
    """
    with flock(store.repo) as held:
        store.on_step("locked")
        locked = 0
        for times in range(ATTEMPTS):
            try:
                return attempt(held)
            except refs.RefLocked as error:
                locked += 1
                if locked >= LOCKED_ATTEMPTS:
                    told = f"'{subject}' was not written: {error.message}"
                    raise refs.RefLocked(told, error.hint) from error
            except refs.RefMoved:
                locked = 0
            time.sleep(_pause(times))
    raise MovedError(
        f"'{subject}' was not written: the store moved {ATTEMPTS} times meanwhile",
        "try again when no other program writes to the store",
    )


def staged_commits(
    store: Store, view: View, record: Record, db: ObjectDatabase
) -> tuple[dict[str, str], Objects]:
    """Return the new commit of every ref that a view has edits on, and all objects left to write.

    For whoever moves the refs together with others; `publish` is the way for everything else.
    """
    return _commits(view, record, _signer(store, db, record))


def _attempt(
    store: Store, operation: Operation, record: Record, *, held: Lock, fsync: bool
) -> Published:
    view = store.view()
    store.on_step("read")
    changes = tuple(operation(view))
    for change in changes:
        change.apply(view)
    rules.check(view)
    store.on_step("applied")
    db = open_objects(store.repo, fsync=True) if fsync else store.db
    commits, objects = _commits(view, record, _signer(store, db, record))
    if not commits:
        return Published({})
    db.write(objects)
    store.on_step("written")
    moves = [refs.Update(ref, new, view.commits[ref]) for ref, new in commits.items()]
    refs.update(store.repo, moves, _one_line(record.subject), fsync=fsync, held=held)
    store.on_step("published")
    return Published(commits, changes)


def _commits(view: View, record: Record, sign: Sign) -> tuple[dict[str, str], Objects]:
    """Return the new commit of every ref that changed, in order, and all objects left to write."""
    commits: dict[str, str] = {}
    objects: Objects = []
    for ref in REFS:
        tree = view.tree(ref)
        root, new_objects = _edited(tree)
        if root is None or (root == tree.root and not _joins(ref, record)):
            continue
        if ref in ENTRY_REFS:
            commit = _entries_commit(view, tree, root, record, commits.get(refs.ENTRIES))
            new_objects += [] if tree.commit else genesis(view.object_format)[1]
        else:
            commit = _commit(root, (), record, _one_line(record.subject) + "\n")
        objects += new_objects
        signed = sign(commit, objects) if ref == refs.ENTRIES else None
        # What is signed had to be there, with all before it, before git could sign.
        objects = [*objects, ("commit", commit)] if signed is None else []
        commits[ref] = signed or object_id("commit", commit, view.object_format)
    return commits, objects


def _joins(ref: str, record: Record) -> bool:
    """Tell whether a commit has other histories for parents, and is made for that alone."""
    return ref == refs.ENTRIES and bool(record.parents)


def _signer(store: Store, db: ObjectDatabase, record: Record) -> Sign:
    """Return what stores a commit with a signature and gives its id, None for one without."""

    def sign(commit: bytes, objects: Objects) -> str | None:
        if not store.signs():
            return None
        from git_knowl.store.signed import store_signed, vouches  # noqa: PLC0415 - for who signs

        return store_signed(store, db, commit, objects, must=vouches(record.trailers))

    return sign


def _edited(tree: Tree) -> tuple[str | None, Objects]:
    """Return the edited tree; its format is checked, or written where there was nothing."""
    if not tree.staged:
        return tree.root, []
    tree.check_writable()
    if tree.is_empty:
        if all(data is None for data in tree.staged.values()):
            return tree.root, []
        tree.stage(layout.FORMAT_FILE, layout.FORMAT_TEXT)
    return tree.edited()


def _entries_commit(view: View, tree: Tree, root: str, record: Record, shared: str | None) -> bytes:
    """Return a commit on top of the tip, or on the constant first commit that all clones share."""
    joined = record.parents if tree.ref == refs.ENTRIES else ()
    first = tree.commit or (None if joined else genesis(view.object_format)[0])
    trailers = [(OP, record.op), *_entry_trailers(tree, record.touched), *record.trailers]
    if tree.ref == refs.LOCAL_ENTRIES:
        before = view.commits[refs.ENTRIES]
        trailers += [(WITH, shared)] if shared else [(AFTER, before)] if before else []
    lines = [f"{key}: {_one_line(value)}" for key, value in trailers]
    message = "\n".join((_one_line(record.subject), "", *lines, ""))
    return _commit(root, (*([first] if first else []), *joined), record, message)


def _entry_trailers(
    tree: Tree, touched: tuple[tuple[str, str], ...] | None
) -> Iterator[tuple[str, str]]:
    """Yield a line ``ID NAME`` for every entry the staged edits touch, with its new name."""
    names: dict[str, str] = dict(touched or ())
    for path, data in tree.staged.items() if touched is None else ():
        found = layout.parse_entry_path(path)
        if found and (data is not None or found[0] not in names):
            names[found[0]] = found[1]
    for identifier, name in names.items():
        yield ENTRY, f"{identifier} {name}"


def _commit(root: str, parents: tuple[str, ...], record: Record, message: str) -> bytes:
    who = f"{_one_line(record.author)} {record.at} +0000"
    return encode_commit(root, parents, who, who, message)


def _one_line(text: str) -> str:
    """Fold white space: a line break in a value would start a trailer of its own."""
    return " ".join(text.split())


def _pause(attempt: int) -> float:
    """Return how long to wait: twice as long each time, spread by process id for want of chance."""
    return min(LONGEST_PAUSE, 0.002 * (1 << attempt)) * (0.5 + os.getpid() % 64 / 128)
