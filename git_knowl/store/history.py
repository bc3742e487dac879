"""History is the log: one commit an operation, with a subject for people and trailers for us."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from git_knowl.errors import KnowlError
from git_knowl.plumbing import refs
from git_knowl.plumbing.objects import genesis
from git_knowl.plumbing.repository import Repository
from git_knowl.store import layout
from git_knowl.store.store import Store
from git_knowl.store.transaction import AFTER, ENTRY, OP, WITH
from git_knowl.store.view import LANES, View

_FIELDS = ("%H", "%P", "%an <%ae>", "%at", "%s", "%(trailers:only,unfold)")
_FORMAT = "%x00".join(_FIELDS)

#: Characters of a subject, an author or a trailer that are told; ours have fewer.
MOST_TOLD = 1_200
#: The way out where a shallow clone does not hold what is asked for.
UNSHALLOW = "'git fetch --unshallow' with the refspec of the ref brings the rest of its history"


class NoSuchOperationError(KnowlError):
    """A commit that is no operation of this store."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One commit on an entries ref; ``trailers`` are all its (key, value) lines."""

    commit: str
    parents: tuple[str, ...]
    lane: str
    author: str
    at: str
    subject: str
    trailers: tuple[tuple[str, str], ...] = ()

    @property
    def op(self) -> str:
        """The verb, or ``""`` when something else wrote the commit."""
        return next(iter(self.values(OP)), "")

    @property
    def entries(self) -> tuple[tuple[str, str], ...]:
        """The (id, name) of every entry it touched."""
        pairs = (value.partition(" ") for value in self.values(ENTRY))
        return tuple((identifier, name) for identifier, _, name in pairs)

    @property
    def begins(self) -> bool:
        """Tell whether nothing before it is known: the clone is shallow, or history starts here."""
        return not self.parents

    def values(self, key: str) -> list[str]:
        """Return the values of a trailer."""
        return [value for name, value in self.trailers if name == key]


def log(
    store: Store, view: View, *, identifier: str | None = None, limit: int | None = None
) -> list[Operation]:
    """Return the operations on both lanes, the latest first; with an id, those on that entry.

    Where a shallow clone cuts history off, a notice says so.
    """
    shared, local = (list(_log(store.repo, view, lane, identifier, limit)) for lane in LANES)
    for operation in (*shared, *local):
        _note_cut(store, operation)
    if not (shared and local):
        return shared or local
    ranks = _ranks(store.repo, view)
    return sorted([*shared, *local], key=lambda operation: _place(operation, ranks))[:limit]


def latest(store: Store, view: View) -> list[Operation]:
    """Return the commits of the last operation: one, or one a lane; none in an empty store.

    The local lane names the shared tip it was written after or with, so no clock is asked but for a
    commit on it that something else wrote.
    """
    tips = [list(_log(store.repo, view, lane, None, 1)) for lane in LANES]
    shared, local = (tip[0] if tip else None for tip in tips)
    if shared is None or local is None:
        return [tip for tip in (shared, local) if tip]
    if shared.commit in local.values(WITH):
        return [shared, local]
    return [local if _is_later(local, shared) else shared]


def _is_later(local: Operation, shared: Operation) -> bool:
    if local.op:
        return shared.commit in local.values(AFTER)
    return local.at >= shared.at


def is_cut(store: Store, operation: Operation) -> bool:
    """Tell whether a shallow clone lacks what was before an operation."""
    return operation.begins and bool(store.db.read_commit(operation.commit).parents)


def _note_cut(store: Store, operation: Operation) -> None:
    if not is_cut(store, operation):
        return
    notice = (
        f"this clone is shallow: what lane {operation.lane} was before {operation.commit[:10]}"
        " is not in it"
    )
    if notice not in store.repo.notices:
        store.repo.notices.append(notice)


def find(store: Store, view: View, commit: str) -> list[Operation]:
    """Return the commits of the operation that a commit (or the start of its id) belongs to.

    Raises NoSuchOperationError unless exactly one fits.
    """
    operations = log(store, view)
    found = [operation for operation in operations if operation.commit.startswith(commit)]
    if len(found) != 1 or not commit:
        raise NoSuchOperationError(
            f"expected the commit of one operation, found {len(found)} for '{commit}'",
            "'git knowl log' lists them",
        )
    together = {found[0].commit, *found[0].values(WITH)}
    return [
        operation
        for operation in operations
        if operation.commit in together or found[0].commit in operation.values(WITH)
    ]


def _ranks(repo: Repository, view: View) -> dict[str, int]:
    """Return the commits of the shared lane with their place, the latest first."""
    tip = str(view.commits[refs.ENTRIES])
    listed = repo.git("rev-list", "--topo-order", tip).decode("ascii").split()
    return {commit: place for place, commit in enumerate(listed)}


def _place(operation: Operation, ranks: Mapping[str, int]) -> tuple[int, int]:
    """Return where an operation stands among those of both lanes, which no clock decides.

    What went with a commit of the shared lane stands beside it, what came after stands before it.
    """
    together = [operation.commit, *operation.values(WITH)]
    found = next((ranks[commit] for commit in together if commit in ranks), None)
    if found is not None:
        return found, 1
    after = next(
        (ranks[commit] for commit in operation.values(AFTER) if commit in ranks), len(ranks)
    )
    return after, 0


def as_time(seconds: int) -> str:
    """Return a time as entries write it."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def _log(
    repo: Repository, view: View, lane: str, identifier: str | None, limit: int | None
) -> Iterator[Operation]:
    tip = view.commits.get(refs.entries_ref(lane))
    if tip is None or not view.lane(lane).root:  # which raises for what is no store
        return
    # Lines of history that went on side by side are told one after the other, whatever clocks say;
    # the tip alone needs no such order, which costs a look at all that was before.
    options = ["--topo-order"] if limit != 1 else []
    options += [f"--max-count={limit}"] if limit is not None and identifier is None else []
    out = repo.git(
        "log", "-z", "--no-show-signature", "--no-color", "--encoding=UTF-8", "--full-history",
        f"--format=tformat:{_FORMAT}", *options, tip, "--", *_pathspecs(identifier), literal=False,
    )  # fmt: skip
    fields = os.fsdecode(out).split("\0")
    # The constant first commit is nobody's operation; what else has no parents here may be one.
    first = genesis(view.object_format)[0]
    places = (at for at in range(0, len(fields) - 1, len(_FIELDS)) if fields[at] != first)
    found = (_operation(lane, fields[at : at + len(_FIELDS)]) for at in places)
    yield from islice((one for one in found if _concerns(one, identifier)), limit)


def _concerns(operation: Operation, identifier: str | None) -> bool:
    """Tell whether an operation did something to an entry itself.

    Where histories meet, a file differs from that of a parent also when the merge took it over.
    """
    joined = len(operation.parents) > 1 and operation.op
    return not (identifier and joined) or any(key == identifier for key, _ in operation.entries)


def _pathspecs(identifier: str | None) -> Iterable[str]:
    if identifier is None:
        return ()
    entry = f"{layout.entry_folder(identifier)}/{identifier}."
    files = (layout.record_path(layout.RETIRED, identifier), layout.conflict_folder(identifier))
    return (f":(glob){entry}*", *(f":(literal){path}" for path in files))


def _operation(lane: str, fields: list[str]) -> Operation:
    commit, parents, author, at, subject, trailers = fields
    pairs = (line.partition(": ") for line in trailers.splitlines())
    return Operation(
        commit=commit,
        parents=tuple(parents.split()),
        lane=lane,
        author=_clipped(author),
        at=as_time(int(at)),
        subject=_clipped(subject),
        trailers=tuple((_clipped(key), _clipped(value)) for key, _, value in pairs),
    )


def _clipped(text: str) -> str:
    """Return a text cut after its last whole word: half a secret would be known by no filter."""
    return text if len(text) <= MOST_TOLD else f"{text[:MOST_TOLD].rpartition(' ')[0]}…"
