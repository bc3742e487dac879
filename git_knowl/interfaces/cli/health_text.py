"""What could be better in the store, as people and programs read it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from git_knowl.services.audit.health import Complaint


def health_lines(found: Sequence[Complaint]) -> Iterator[str]:
    """Yield the kinds with their entries, or one line that says that there is nothing."""
    if not found:
        yield "nothing to complain about"
    for kind, complaints in groupby(found, key=lambda one: one.kind):
        yield kind
        yield from (f"  {one.name}: {one.text}" for one in complaints)


def health_object(found: Sequence[Complaint]) -> dict[str, Any]:
    """Return the shape of `audit --health --json`."""
    told = [{"kind": one.kind, "id": one.id, "name": one.name, "text": one.text} for one in found]
    return {"format": 1, "complaints": told}
