"""What this clone remembers for itself and can afford to lose: texts accepted here, and snoozes.

Accepted texts are lines ``ID DIGEST HOW`` in ``accepted/<x>/<y>``, by the last two letters of the
id: two folders of 32 keep the writing of one line small at any size, and all are read in one go.
``HOW`` is the door a text came in by; lines from before that was remembered have none.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from git_knowl.plumbing import refs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.store.view import View

#: The door by which a text came in, by id and digest.
Doors = dict[tuple[str, str], str]

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
    """Remember that a text of an entry was reviewed in this clone, and by which door it came in."""

    id: str
    digest: str
    how: str = ""

    def apply(self, view: View) -> None:
        """Stage the line, in place of an earlier one about the same text."""
        path = accepted_path(self.id)
        doors = _doors(view.tree(refs.STATE).read(path)) | {(self.id, self.digest): self.how}
        lines = sorted(" ".join((*pair, how)).rstrip() + "\n" for pair, how in doors.items())
        view.tree(refs.STATE).stage(path, "".join(lines).encode())


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


def read_door(view: View, identifier: str, digest: str) -> str | None:
    """Return the door by which this very text came in here, "" for an unknown one.

    None for a text that was not reviewed in this clone.
    """
    return read_doors_near(view, identifier).get((identifier, digest))


def read_doors_near(view: View, identifier: str) -> Doors:
    """Return the door of every text of an entry, and of others that are kept in the same file."""
    return _doors(view.tree(refs.STATE).read(accepted_path(identifier)))


def read_doors(view: View) -> Doors:
    """Return the door of every text reviewed in this clone, by id and digest."""
    blobs = [blob for _, blob in view.tree(refs.STATE).files(ACCEPTED)]
    found: Doors = {}
    for data in view.read_each(blobs):
        if isinstance(data, bytes):
            found |= _doors(data)
    return found


def read_snoozes(view: View) -> dict[str, str]:
    """Return until when each snoozed entry sleeps; a damaged file counts as none."""
    data = view.tree(refs.STATE).read(SNOOZED)
    try:
        found = json.loads(data or b"{}")
    except ValueError:
        return {}
    return {str(key): str(day) for key, day in found.items()} if isinstance(found, dict) else {}


def _doors(data: bytes | None) -> Doors:
    found: Doors = {}
    for line in (data or b"").decode("ascii", "replace").splitlines():
        identifier, _, rest = line.partition(" ")
        digest, _, how = rest.partition(" ")
        found[identifier, digest] = how
    return found
