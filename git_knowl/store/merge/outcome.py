"""What a join says: what became of each entry, and what may keep two stores apart."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from git_knowl.errors import KnowlError
from git_knowl.model.draft import Draft
from git_knowl.model.entry import Entry

#: Kinds of `Outcome`.
NEW = "new"
UPDATED = "updated"
UNCHANGED = "unchanged"
MERGED = "merged"
CONFLICT = "conflict"
INVALID = "invalid"
LEFT_OUT = "left out"
REFUSED = "refused"
RETIRED = "retired"
RESTORED = "restored"

#: States of `Joined`.
IN_STEP = "in step"
AHEAD = "ahead"
FAST_FORWARD = "fast-forward"
JOINED = "merged"

#: Asked for every incoming new or changed text: the entry as it may stand, or why it is refused.
Admit: TypeAlias = Callable[[Entry], "Entry | str"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one entry of the other side, by whom it was changed there, and why.

    ``name`` is the name it has now, or had; ``by`` is None where no reviewer is named.
    """

    id: str
    name: str
    kind: str
    by: str | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Joined:
    """What a join did, or would do: ``commit`` is the tip of the shared lane after it.

    ``state`` is ``in step`` where both sides were the same, ``ahead`` where only this side had
    something new, ``fast-forward`` where only the other had, else ``merged``. ``proposals`` are
    drafts that were put into the inbox: updates of what is retired now.
    """

    state: str
    commit: str | None
    outcomes: tuple[Outcome, ...] = ()
    proposals: tuple[Draft, ...] = ()


class ForeignProject(KnowlError):
    """Two stores that know the root commits of their code, and share none."""

    def __init__(self, ours: Iterable[str], theirs: Iterable[str]) -> None:
        self.ours = tuple(ours)
        self.theirs = tuple(theirs)
        super().__init__(
            "the other store is about another project: its code begins at"
            f" {_shortened(self.theirs)}, the code of this one at {_shortened(self.ours)}",
            "join them only if a person knows that both are the same project",
        )


class ShallowHistoryError(KnowlError):
    """A clone that lacks the commits two stores have in common."""


def admit_all(entry: Entry) -> Entry:
    """Let every text in as it is."""
    return entry


def _shortened(roots: Iterable[str]) -> str:
    return ", ".join(root[:10] for root in roots)
