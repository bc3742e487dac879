"""Which commit let the present text of an entry in: the one that decides what it is worth.

From the tip the history is followed back, through merges that took the text over and edits that
left it alone (a verify), to the commit before which the entry said something else or was not there.
The reviewer and the door belong to the text here: whoever changes them claims something new.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from git_knowl.errors import KnowlError
from git_knowl.model.document import DocumentError, parse
from git_knowl.model.entry import SHARED, Reviewed
from git_knowl.plumbing.repository import Repository
from git_knowl.store import layout
from git_knowl.store.signed import ATTENDED
from git_knowl.store.snapshot import read_snapshot
from git_knowl.store.steps import Change, Step, is_between, read_steps
from git_knowl.store.view import View

#: So many steps of machines in a row are followed; nobody vouches for what needs more.
MOST_STEPS = 20
#: Verbs by which a person lets a text in, having it before them. Whatever else changes a text says
#: nothing for it: a rename, a merge, what sync scrubs.
LETS_IN = frozenset(("add", "audit", "confirm", "edit", "move", "resolve", "restore", "review"))
UNDO = "undo"
#: What a text claims: its digest, who let it in, when and by which door.
Claim = tuple[str, str, str, str] | str


@dataclass(frozen=True, slots=True)
class Origin:
    """The commit that let a text in, and those whose signatures together vouch for it.

    None vouch where no signature could: plain git made the commit, or what it was made from is not
    vouched for. ``blob`` is the file of the entry that this was found for.
    """

    blob: str
    commit: str
    vouchers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """The origins found at an earlier tip."""

    tip: str
    origins: Mapping[str, Origin]


class UnknownOriginError(LookupError):
    """An origin that lies behind the earlier tip and is not among what was found there."""


@dataclass(slots=True)
class _Search:
    """A text whose origin is looked for; ``parts`` are the texts a machine made it from.

    ``depth`` counts the steps of machines between the entry as it is now and this text. What an
    undo ``restored`` is looked for before the change that was taken back; ``blob`` is "" there
    where that change had taken the entry out.
    """

    blob: str
    depth: int = 0
    commit: str = ""
    vouchers: tuple[str, ...] = ()
    parts: list[_Search] = field(default_factory=list)
    restored: str | None = None

    def found(self) -> Origin:
        """Return the answer, once the walk is over: what a machine made needs all its parts."""
        if self.parts:
            needed = [part.found().vouchers for part in self.parts]
            united = dict.fromkeys([self.commit, *(one for each in needed for one in each)])
            self.vouchers = tuple(united) if all(needed) else ()
            self.parts = []
        return Origin(self.blob, self.commit, self.vouchers)


#: Searches that have come to a commit, by id: the file of the entry there, and who asks.
_Waiting = dict[str, tuple[str, list[_Search]]]


def find_origins(
    repo: Repository, view: View, wanted: Mapping[str, str], tip: str, known: Known | None = None
) -> dict[str, Origin]:
    """Return the origin of the entries (id and blob) at a tip of the shared lane, by id.

    What was ``known`` at an earlier tip spares the walk behind it.
    """
    if known is not None:
        try:
            return _Walk(repo, view, known).run(wanted, tip)
        except (UnknownOriginError, KnowlError):
            pass
    return _Walk(repo, view, None).run(wanted, tip)


class _Walk:
    """One way back through the history, all entries together."""

    def __init__(self, repo: Repository, view: View, known: Known | None) -> None:
        self._repo = repo
        self._view = view
        self._known = known
        self._waiting: dict[str, _Waiting] = {}
        self._claims: dict[str, Claim] = {}

    def run(self, wanted: Mapping[str, str], tip: str) -> dict[str, Origin]:
        """Return the origins; raises UnknownOriginError where the known ones do not reach."""
        searches = {identifier: _Search(blob) for identifier, blob in wanted.items()}
        self._waiting[tip] = {key: (one.blob, [one]) for key, one in searches.items()}
        bounds = (tip, f"^{self._known.tip}") if self._known else (tip,)
        for step in read_steps(self._repo, bounds):
            waiting = self._waiting.pop(step.commit, None)
            if waiting:
                self._pass(step, waiting)
        for commit, waiting in self._waiting.items():
            self._settle(commit, waiting)
        return {identifier: one.found() for identifier, one in searches.items()}

    def _pass(self, step: Step, waiting: _Waiting) -> None:
        """Hand what waits at a commit on to its parents; without any, nothing is known before."""
        if not step.parents:
            for _, searches in waiting.values():
                _close(searches, step.commit)
        elif len(step.parents) == 1:
            self._pass_to(step, waiting, [step.changes])
        else:
            self._pass_to(step, waiting, [self._differences(step, one) for one in step.parents])

    def _pass_to(self, step: Step, waiting: _Waiting, changes: list[dict[str, Change]]) -> None:
        first = changes[0]
        for identifier in [one for one in waiting if one in first]:
            self._pass_changed(step, identifier, waiting.pop(identifier), changes)
        self._send(step.parents[0], waiting)

    def _pass_changed(
        self,
        step: Step,
        identifier: str,
        waits: tuple[str, list[_Search]],
        changes: list[dict[str, Change]],
    ) -> None:
        """Hand an entry that one parent has otherwise on to one that says the same, if any."""
        blob, searches = waits
        before = [changed.get(identifier, (blob, blob))[0] for changed in changes]
        restored = [one for one in searches if one.restored is not None]
        searches = [one for one in searches if one.restored is None]
        self._pass_restored(step, identifier, restored, before)
        for parent, old in zip(step.parents, before, strict=True):
            if old and searches and self._claim(old) == self._claim(blob):
                self._send(parent, {identifier: (old, searches)})
                return
        _close(searches, step.commit, *_own_voucher(step))
        if searches and _is_by_machine(step):
            self._look_at_parts(step, identifier, (blob, searches), before)

    def _pass_restored(
        self, step: Step, identifier: str, searches: list[_Search], before: list[str | None]
    ) -> None:
        """Hand what an undo brought back on to before the change it took back."""
        for one in searches:
            old = before[0] if len(before) == 1 else None
            if old and self._claim(old) == self._claim(str(one.restored)):
                one.restored = None
                self._send(step.parents[0], {identifier: (old, [one])})
            else:
                _close([one], step.commit)

    def _look_at_parts(
        self,
        step: Step,
        identifier: str,
        waits: tuple[str, list[_Search]],
        before: list[str | None],
    ) -> None:
        """Look for the origins of what a machine made a text from, at each parent that had it."""
        blob, searches = waits
        depth = 1 + max(one.depth for one in searches)
        restored = blob if step.ops == (UNDO,) else None
        for parent, old in zip(step.parents, before, strict=True):
            if (old or restored) and depth <= MOST_STEPS:
                part = _Search(old or "", depth, restored=restored)
                for one in searches:
                    one.parts.append(part)
                self._send(parent, {identifier: (old or "", [part])})

    def _differences(self, step: Step, parent: str) -> dict[str, Change]:
        """Return what a merge has otherwise than one of its parents."""
        changes: dict[str, Change] = {}
        before = read_snapshot(self._view, SHARED, parent)
        for path, blob in read_snapshot(self._view, SHARED, step.commit).changed_since(parent):
            found = layout.parse_entry_path(path)
            if found:
                old, new = changes.get(found[0], (None, None))
                changes[found[0]] = (before.find(path) or old, blob or new)
        return changes

    def _send(self, parent: str, waiting: _Waiting) -> None:
        """Let searches wait at a commit, beside those that came there by another way."""
        there = self._waiting.setdefault(parent, waiting)
        if there is waiting:
            return
        if len(there) < len(waiting):
            self._waiting[parent], there, waiting = waiting, waiting, there
        for identifier, (blob, searches) in waiting.items():
            if identifier in there:
                there[identifier][1].extend(searches)
            else:
                there[identifier] = (blob, searches)

    def _settle(self, commit: str, waiting: _Waiting) -> None:
        """Answer what waits behind the earlier tip from what was found there."""
        if self._known is None:
            for _, searches in waiting.values():
                _close(searches, commit)
            return
        pairs = [
            (searches, self._found_before(identifier, blob, searches))
            for identifier, (blob, searches) in waiting.items()
        ]
        origins = [found.commit for _, found in pairs]
        if commit != self._known.tip and is_between(self._repo, origins, commit, self._known.tip):
            raise UnknownOriginError(commit)
        for searches, found in pairs:
            _close(searches, found.commit, *found.vouchers)

    def _found_before(self, identifier: str, blob: str, searches: list[_Search]) -> Origin:
        """Return what was found of an entry at the earlier tip, if it still says the same."""
        found = self._known.origins.get(identifier) if self._known else None
        if found is None or any(one.restored is not None for one in searches):
            raise UnknownOriginError(identifier)
        if self._claim(found.blob) != self._claim(blob):
            raise UnknownOriginError(identifier)
        return found

    def _claim(self, blob: str) -> Claim:
        """Return what a file claims; one that cannot be read claims nothing that another does."""
        if blob not in self._claims:
            self._claims[blob] = claim_of(self._view.read_blob(blob), blob)
        return self._claims[blob]


def claim_of(data: bytes, blob: str) -> Claim:
    """Return what a file claims: its text, and who let it in; its blob where it cannot be read."""
    try:
        entry = parse(data)
    except DocumentError:
        return blob
    reviewed = entry.reviewed or Reviewed("", "", "")
    return entry.digest, reviewed.by, reviewed.at, reviewed.how


def _own_voucher(step: Step) -> tuple[str, ...]:
    """Return the commit itself where a person vouches for what it let in."""
    return (step.commit,) if _is_by_person(step) else ()


def _is_by_person(step: Step) -> bool:
    """Tell whether a commit says that a person let its texts in: one door, and no merge."""
    is_plain = len(step.parents) == 1 and len(step.ops) == 1 and step.ops[0] in LETS_IN
    return is_plain and len(step.hows) == 1 and step.hows[0] in ATTENDED


def _is_by_machine(step: Step) -> bool:
    """Tell whether a commit of ours put together what others let in: a merge, what sync scrubs."""
    return len(step.ops) == 1 and not _is_by_person(step)


def _close(searches: Iterable[_Search], commit: str, *vouchers: str) -> None:
    for one in searches:
        one.commit, one.vouchers = commit, vouchers
