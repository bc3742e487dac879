"""What this clone remembers for itself and can afford to lose: texts accepted here, and snoozes.

Accepted texts are lines ``ID DIGEST`` in ``accepted/<x>/<y>``, by the last two letters of the id:
two folders of 32 keep the writing of one line small at any size, and all are read in one go.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from git_knowl.plumbing import refs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.store.view import View

ACCEPTED = "accepted"
SNOOZED = "snoozed.json"


@dataclass(frozen=True, slots=True)
class PutState:
    """Write a file of the state, or remove it with None."""

    path: str
    data: bytes | None

    def apply(self, view: View) -> None:
        """Stage the file."""
        view.tree(refs.STATE).stage(self.path, self.data)


@dataclass(frozen=True, slots=True)
class Accept:
    """Remember that a text of an entry was reviewed in this clone."""

    id: str
    digest: str

    def apply(self, view: View) -> None:
        """Stage the line, once."""
        path = accepted_path(self.id)
        lines = {*_lines(view.tree(refs.STATE).read(path)), f"{self.id} {self.digest}"}
        view.tree(refs.STATE).stage(path, "".join(f"{line}\n" for line in sorted(lines)).encode())


@dataclass(frozen=True, slots=True)
class Snooze:
    """Keep an entry out of the daily round until a day, or bring it back with None."""

    id: str
    until: str | None

    def apply(self, view: View) -> None:
        """Stage the list of snoozes."""
        kept = {key: day for key, day in read_snoozes(view).items() if key != self.id}
        if self.until is not None:
            kept[self.id] = self.until
        data = json.dumps(kept, sort_keys=True, indent=0).encode() + b"\n"
        view.tree(refs.STATE).stage(SNOOZED, data if kept else None)


def accepted_path(identifier: str) -> str:
    """Return the file that lists the accepted texts of an entry, among others."""
    return f"{ACCEPTED}/{identifier[-2]}/{identifier[-1]}"


def is_accepted(view: View, identifier: str, digest: str) -> bool:
    """Tell whether this very text was reviewed in this clone."""
    return f"{identifier} {digest}" in _lines(view.tree(refs.STATE).read(accepted_path(identifier)))


def read_accepted(view: View) -> set[tuple[str, str]]:
    """Return (id, digest) of every text reviewed in this clone."""
    blobs = [blob for _, blob in view.tree(refs.STATE).files(ACCEPTED)]
    readable = (data for data in view.read_each(blobs) if isinstance(data, bytes))
    pairs = (line.partition(" ") for data in readable for line in _lines(data))
    return {(identifier, digest) for identifier, _, digest in pairs}


def read_snoozes(view: View) -> dict[str, str]:
    """Return until when each snoozed entry sleeps; a damaged file counts as none."""
    data = view.tree(refs.STATE).read(SNOOZED)
    try:
        found = json.loads(data or b"{}")
    except ValueError:
        return {}
    return {str(key): str(day) for key, day in found.items()} if isinstance(found, dict) else {}


def _lines(data: bytes | None) -> list[str]:
    return (data or b"").decode("ascii", "replace").splitlines()
