"""Verdicts with their reasons: computed for whoever asks, never stored in the shared store."""

from dataclasses import dataclass

from git_knowl.model.status import ACTIVE, combine


@dataclass(frozen=True, slots=True)
class AnchorVerdict:
    """What one anchor says here and now; the fields are those of the JSON shape (DESIGN §13)."""

    kind: str
    target: str
    status: str
    reason: str | None = None
    expected: str | None = None
    found: str | None = None
    commit: str | None = None
    author: str | None = None
    moved_to: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of one entry with one reason per anchor."""

    anchors: tuple[AnchorVerdict, ...] = ()

    @property
    def status(self) -> str:
        """Suspect before unknown before active."""
        return combine([anchor.status for anchor in self.anchors])

    @property
    def is_active(self) -> bool:
        """Tell whether every anchor still holds."""
        return self.status == ACTIVE
