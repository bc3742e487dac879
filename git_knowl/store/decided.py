"""Which drafts a person has decided on in this clone, so that nothing is asked or done twice.

Lines ``ID OUTCOME`` in ``decided/<x>/<y>`` of the state, by the last two letters of the id; behind
tabs they may tell when, who and why. The end of a draft's id is that of the item it was made from:
an item handed in again is recognised.
"""

from __future__ import annotations

from dataclasses import dataclass

from git_knowl.plumbing import refs
from git_knowl.store.view import View

DECIDED = "decided"
ACCEPTED = "accepted"
DISCARDED = "discarded"
#: So many letters at the end of a draft's id come from its item; those before are a clock.
ITEM_LETTERS = 16


@dataclass(frozen=True, slots=True)
class Decide:
    """Remember that a draft was accepted or discarded, and when, by whom and why."""

    id: str
    outcome: str
    at: str = ""
    by: str = ""
    reason: str = ""

    def apply(self, view: View) -> None:
        """Stage the line, in place of an earlier one."""
        lines = {**_lines(view, self.id), self.id: self}
        data = "".join(lines[key].line() for key in sorted(lines))
        view.tree(refs.STATE).stage(_path(self.id), data.encode("utf-8", "replace"))

    def line(self) -> str:
        """Return the decision as it is stored."""
        told = [" ".join(text.split()) for text in (self.at, self.by, self.reason)]
        return "\t".join((f"{self.id} {self.outcome}", *told)).rstrip("\t") + "\n"


def find_decided(view: View, identifier: str) -> tuple[str, str] | None:
    """Return id and outcome of the decided draft of the same item, or None.

    ``identifier`` may be that of the draft itself or of one made of the item at another time.
    """
    found = find_decision(view, identifier)
    return (found.id, found.outcome) if found else None


def find_decision(view: View, identifier: str) -> Decide | None:
    """Return the last decision on a draft of the same item, or None."""
    end = identifier[-ITEM_LETTERS:]
    found = [one for key, one in _lines(view, identifier).items() if key.endswith(end)]
    return found[-1] if found else None


def read_decisions(view: View) -> list[Decide]:
    """Return all decisions on drafts that this clone remembers."""
    blobs = [blob for _, blob in view.tree(refs.STATE).files(DECIDED)]
    found = (data for data in view.read_each(blobs) if isinstance(data, bytes))
    lines = (line for data in found for line in data.decode("utf-8", "replace").split("\n"))
    return [_parsed(line) for line in lines if line]


def _path(identifier: str) -> str:
    return f"{DECIDED}/{identifier[-2]}/{identifier[-1]}"


def _lines(view: View, identifier: str) -> dict[str, Decide]:
    data = view.tree(refs.STATE).read(_path(identifier)) or b""
    found = (_parsed(line) for line in data.decode("utf-8", "replace").split("\n") if line)
    return {one.id: one for one in found}


def _parsed(line: str) -> Decide:
    head, *told = line.split("\t")
    identifier, _, outcome = head.partition(" ")
    return Decide(identifier, outcome, *told[:3])
