"""What joining two trees changes in the first of them, and what is to be said of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TypeVar

from git_knowl.model.draft import Draft
from git_knowl.plumbing.objects import ObjectError
from git_knowl.store import layout
from git_knowl.store.merge.admitting import admitted
from git_knowl.store.merge.comeback import comeback
from git_knowl.store.merge.outcome import INVALID, LEFT_OUT, REFUSED, Admit, Outcome
from git_knowl.store.merge.plain import settle_plain
from git_knowl.store.merge.reader import Files, Reader
from git_knowl.store.merge.settle import Settled, settle
from git_knowl.store.merge.shapes import Difference, differences
from git_knowl.store.merge.states import State, Three, files_of, id_of, read_state
from git_knowl.store.merge.telling import name_of, tell
from git_knowl.store.purged import is_purged, read_purged

T = TypeVar("T")
STRAY = "no file of an entry, kept as it is"
#: The files of so many ids are held in memory at a time.
BATCH = 500


@dataclass(frozen=True, slots=True)
class Roots:
    """The trees of a merge: what both came from, and the two sides.

    ``is_folded`` tells that the base was merged of several commits.
    """

    base: str | None
    ours: str | None
    theirs: str | None
    is_folded: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """Changes by path against our tree: content, the id of a blob, or None for a removal.

    ``touched`` are id and name of the entries whose state is now that of neither side.
    """

    changes: dict[str, bytes | str | None] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)
    touched: list[tuple[str, str]] = field(default_factory=list)


def make_plan(reader: Reader, roots: Roots, admit: Admit) -> Plan:
    """Merge two trees entry by entry; only what differs between them is read."""
    return _Merge(reader, roots, admit).run()


class _Merge:
    """One merge of two trees on its way to a plan."""

    def __init__(self, reader: Reader, roots: Roots, admit: Admit) -> None:
        self._reader = reader
        self._roots = roots
        self._admit = admit
        self._plan = Plan()
        mine, other = (read_purged(Files(reader, root)) for root in (roots.ours, roots.theirs))
        self._purged = mine | other
        self._has_new_purges = bool(other - mine)

    def run(self) -> Plan:
        """Return the plan."""
        ids: set[str] = set()
        for one in differences(self._reader, self._roots.ours, self._roots.theirs):
            identifier = id_of(one.path)
            if one.trouble:
                self._plan.outcomes.append(Outcome("", one.path, LEFT_OUT, note=one.trouble))
            elif identifier:
                ids.add(identifier)
            else:
                self._settle_stray(one)
        if self._has_new_purges:
            ids |= set(self._ids_to_purge())
        for batch in _batches(sorted(ids)):
            self._settle_some(batch)
        return self._plan

    def _settle_stray(self, one: Difference) -> None:
        """Settle a file of no id; one that came in among the entries is named, nobody reads it."""
        changes = settle_plain(self._reader, self._roots.base, one)
        self._plan.changes.update(changes)
        is_theirs = one.theirs is not None and one.theirs in changes.values()
        if is_theirs and one.path.partition("/")[0] in (layout.ENTRIES, layout.RETIRED):
            self._plan.outcomes.append(Outcome("", one.path, INVALID, note=STRAY))

    def _settle_some(self, ids: Sequence[str]) -> None:
        """Settle some ids; their files are read as one stream."""
        roots = (self._roots.base, self._roots.ours, self._roots.theirs)
        found = {one: [files_of(self._reader, root, one) for root in roots] for one in ids}
        if not self._has_new_purges:  # what only this side has, and always had alone, stays
            found = {one: files for one, files in found.items() if files[0] or files[2]}
        every = chain.from_iterable(found.values())
        self._reader.load(chain.from_iterable(held.values() for held in every))
        for identifier, files in found.items():
            base, ours, theirs = (read_state(self._reader, held, self._purged) for held in files)
            three = Three(base, ours, theirs, self._roots.is_folded)
            self._settle(identifier, three, files[1])
        self._reader.forget()

    def _settle(self, identifier: str, three: Three, present: dict[str, str]) -> None:
        """Settle an id; ``present`` are its files here, purged ones among them."""
        theirs = admitted(self._reader, three, self._admit)
        if isinstance(theirs, str):
            done = Settled(three.ours.files, trouble=REFUSED, note=theirs)
        else:
            done = settle(self._reader, replace(three, theirs=theirs))
        after = self._after(three, done)
        self._plan.changes.update(self._changed(present, done.files))
        if after.stone is not None:
            self._plan.drafts.extend(comeback(text, after.stone) for text in done.comebacks)
        if done.files not in (three.ours.files, three.theirs.files):
            self._plan.touched.append((identifier, name_of(after)))
        told = tell(identifier, three, done, after)
        if told is not None:
            self._plan.outcomes.append(told)

    def _after(self, three: Three, done: Settled) -> State:
        """Return what stands of an id, read only where it is that of neither side."""
        for state in (three.theirs, three.ours):
            if state.files == done.files:
                return state
        return read_state(self._reader, done.files)

    def _changed(
        self, before: dict[str, str], after: Mapping[str, str]
    ) -> Iterator[tuple[str, bytes | str | None]]:
        yield from ((path, None) for path in before if path not in after)
        for path, blob in after.items():
            if before.get(path) != blob:
                yield path, self._reader.content(blob)

    def _ids_to_purge(self) -> Iterator[str]:
        """Yield the ids of which a content here was purged elsewhere: all files here are read."""
        here = Files(self._reader, self._roots.ours)
        for folder in (layout.ENTRIES, layout.CONFLICTS):
            for batch in _batches(list(here.files(folder))):
                self._reader.load(blob for _, blob in batch)
                for path, blob in batch:
                    identifier = id_of(path)
                    if identifier and is_purged(self._read(blob), self._purged):
                        yield identifier
                self._reader.forget()

    def _read(self, blob: str) -> bytes:
        try:
            return self._reader.read_blob(blob)
        except ObjectError:
            return b""


def _batches(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), BATCH):
        yield items[start : start + BATCH]
