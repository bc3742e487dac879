"""Flags: bookmarks made in a second, with what became of them."""

from __future__ import annotations

from git_knowl.model.light import dataclass

CUES = ("surprise", "cost", "directive", "background")
PENDING = "pending"
EXPIRED = "expired"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    #: Keys with their values that a newer program wrote, kept as they came.
    Extra = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class FlagPath:
    """A path from the top of the work tree with the blob it had (``FORMAT:HEX``), if any."""

    path: str
    blob: str | None = None
    extra: Extra = ()


@dataclass(frozen=True, slots=True)
class Flag:
    """One sentence plus paths; ``outcome`` says in words what became of it.

    ``draft`` is the id of the draft that uses the flag while it waits for a person, ``commit`` the
    one whose message the flag was made from, ``sender`` the remote and the name there that it was
    received from: then ``by`` is what that one says.
    """

    id: str
    summary: str
    at: str
    by: str
    paths: tuple[FlagPath, ...] = ()
    cue: str | None = None
    quote: str | None = None
    host: str | None = None
    session: str | None = None
    worktree: str | None = None
    branch: str | None = None
    head: str | None = None
    outcome: str = PENDING
    draft: str | None = None
    commit: str | None = None
    sender: str | None = None
    extra: Extra = ()

    @property
    def is_pending(self) -> bool:
        """Tell whether nobody has settled the flag yet."""
        return self.outcome == PENDING

    @property
    def is_usable(self) -> bool:
        """Tell whether something may still come of the flag: it waits, or time alone settled it."""
        return self.outcome in (PENDING, EXPIRED)
