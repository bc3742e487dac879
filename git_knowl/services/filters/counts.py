"""How many values of which type were scrubbed from several texts together."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_knowl.services.filters.secrets import Scrubbed

#: (type, how many), sorted by type.
Counts = tuple[tuple[str, int], ...]


def total(*parts: Scrubbed | None) -> Counts:
    """Return type and count over all the parts."""
    return summed(pair for part in parts if part for pair in part.found)


def summed(pairs: Iterable[tuple[str, int]]) -> Counts:
    """Return every type once, with the sum of its counts."""
    counts: dict[str, int] = {}
    for kind, count in pairs:
        counts[kind] = counts.get(kind, 0) + count
    return tuple(sorted(counts.items()))
