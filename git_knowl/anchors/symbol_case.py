"""A symbol anchor beside one world: what was accepted, what stands there, who changed it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self
from weakref import WeakKeyDictionary, finalize

from git_knowl.anchors.base import Observation, World, accepted_for, own_object
from git_knowl.anchors.file import SHORT
from git_knowl.anchors.symbols.grammars import SymbolsUnavailable, algorithm
from git_knowl.anchors.symbols.ledger import Ledger, Place, Reading
from git_knowl.model.anchor import SymbolAnchor, SymbolFingerprint
from git_knowl.plumbing.changes import changes_of
from git_knowl.plumbing.history import Commit

# So many commits of a file are read to find the one that changed the symbol.
_COMMITS_READ = 20

_ledgers: "WeakKeyDictionary[World, Ledger]" = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class Case:
    """An anchor, what was accepted for the text, and what is seen in one world.

    ``own`` are the accepted blobs in the object format of that world's repository.
    """

    anchor: SymbolAnchor
    world: World
    accepted: list[SymbolFingerprint]
    own: frozenset[str]
    seen: Observation

    @classmethod
    def of(cls, anchor: SymbolAnchor, digest: str, world: World) -> Self:
        """Return the case of an anchor for the text of that digest."""
        accepted = accepted_for(anchor.accepted, digest)
        own = frozenset(blob for item in accepted if (blob := own_blob(item, world)))
        return cls(anchor, world, accepted, own, world.blobs([anchor.path])[anchor.path])

    @property
    def is_open(self) -> bool:
        """Whether the file is there with a content under which nobody accepted the symbol."""
        is_present = self.seen.state == "present" and self.seen.blob is not None
        return bool(self.accepted) and is_present and self.seen.blob not in self.own

    @property
    def was_dirty(self) -> bool:
        """Whether the symbol was accepted before its file was committed."""
        return any(item.dirty for item in self.accepted)

    @property
    def expected(self) -> str:
        """The accepted trees as short digests, the latest first."""
        ids = dict.fromkeys(item.digest[:SHORT] for item in self.accepted)
        return " or ".join(reversed(ids))

    def read(self, place: Place) -> Reading | None:
        """Return what stands in a file; None where a hurried world would have to parse it."""
        ledger = ledger_of(self.world)
        if self.world.is_hurried:
            return ledger.known(place, self.anchor.symbol)
        return ledger.read(place, self.anchor.symbol)

    def stored(self, blob: str) -> Place:
        """Return the anchor's file as it is in a blob."""
        return ledger_of(self.world).stored(blob, self.anchor.path)


def ledger_of(world: World) -> Ledger:
    """Return what is known of symbols in the repository of a world."""
    if world not in _ledgers:
        _ledgers[world] = Ledger(world.repo)
        finalize(world, _ledgers[world].close)
    return _ledgers[world]


def place_of(path: str, world: World) -> Place:
    """Return a file as it is in the world."""
    return Place(world.blobs([path])[path].blob or "", path, lambda: world.content(path))


def own_blob(item: SymbolFingerprint, world: World) -> str | None:
    """Return the blob a symbol was accepted in, where this repository can have it."""
    return own_object(item.blob, world.repo)


def accepted_digests(case: Case) -> tuple[frozenset[str], bool]:
    """Return the accepted digests by the present algorithm, and whether that is all of them.

    What another algorithm accepted is read again in the accepted blob.
    """
    present = _present_algorithm()
    found = [
        item.digest if item.algorithm == present else _read_again(case, item)
        for item in case.accepted
    ]
    return frozenset(filter(None, found)), None not in found


def held(case: Case) -> Reading | None:
    """Return what the commit that the world is compared with has under the name."""
    blob = case.world.committed([case.anchor.path])[case.anchor.path]
    return case.read(case.stored(blob)) if blob else None


def culprit(case: Case) -> Commit | None:
    """Return the newest commit whose version of the symbol is not that of the one before."""
    if case.world.is_hurried:
        return None
    found = changes(case.anchor, case.world)
    return next((commit for commit, before, after in found if after not in before), None)


def changes(
    anchor: SymbolAnchor, world: World
) -> Iterator[tuple[Commit, set[Reading | None], Reading | None]]:
    """Yield the newest commits of the file with the symbol before and after each."""
    if world.head is None:
        return
    ledger, zero = ledger_of(world), world.repo.zero_id

    def at(blob: str) -> Reading | None:
        place = ledger.stored(blob, anchor.path)
        return None if blob == zero else ledger.read(place, anchor.symbol)

    for commit, before, after in changes_of(world.repo, world.head, anchor.path, _COMMITS_READ):
        yield commit, {at(blob) for blob in before}, at(after)


def _read_again(case: Case, item: SymbolFingerprint) -> str | None:
    blob = own_blob(item, case.world)
    found = case.read(case.stored(blob)) if blob else None
    return found.digest if found else None


def _present_algorithm() -> int | None:
    try:
        return algorithm()
    except SymbolsUnavailable:
        return None
