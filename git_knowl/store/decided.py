"""Which drafts a person has decided on in this clone, so that nothing is asked or done twice.

Lines ``ID OUTCOME`` in ``decided/<x>/<y>`` of the state, by the last two letters of the id. The end
of a draft's id is that of the item it was made from: an item handed in again is recognised.
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
    """Remember that a draft was accepted or discarded."""

    id: str
    outcome: str

    def apply(self, view: View) -> None:
        """Stage the line, in place of an earlier one."""
        lines = {**_lines(view, self.id), self.id: self.outcome}
        data = "".join(f"{key} {word}\n" for key, word in sorted(lines.items()))
        view.tree(refs.STATE).stage(_path(self.id), data.encode())


def find_decided(view: View, identifier: str) -> tuple[str, str] | None:
    """Return id and outcome of the decided draft of the same item, or None.

    ``identifier`` may be that of the draft itself or of one made of the item at another time.
    """
    end = identifier[-ITEM_LETTERS:]
    found = [pair for pair in _lines(view, identifier).items() if pair[0].endswith(end)]
    return found[-1] if found else None


def _path(identifier: str) -> str:
    return f"{DECIDED}/{identifier[-2]}/{identifier[-1]}"


def _lines(view: View, identifier: str) -> dict[str, str]:
    data = view.tree(refs.STATE).read(_path(identifier)) or b""
    pairs = (line.partition(" ") for line in data.decode("ascii", "replace").splitlines())
    return {key: word for key, _, word in pairs}
