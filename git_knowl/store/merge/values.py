"""Three-way rules for single values, for sets in an order, and for keys nobody here knows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
_ABSENT: Any = object()


def is_settled(base: T, first: T, second: T) -> bool:
    """Tell whether one side left a value alone, or both changed it alike."""
    return first == second or base in (first, second)


def pick(base: T, first: T, second: T) -> T:
    """Return the value of the side that changed it; where both did, that of the first."""
    return second if first == base else first


def pick_keys(
    base: Mapping[str, Any], first: Mapping[str, Any], second: Mapping[str, Any]
) -> dict[str, Any]:
    """Merge mappings key by key; a key that both sides changed is that of the first."""
    picked = {
        key: pick(base.get(key, _ABSENT), first.get(key, _ABSENT), second.get(key, _ABSENT))
        for key in sorted({*first, *second})
    }
    return {key: value for key, value in picked.items() if value is not _ABSENT}


def pick_members(
    base: Sequence[T],
    first: Sequence[T],
    second: Sequence[T],
    name: Callable[[T], Hashable],
    unite: Callable[[T | None, T, T], T],
) -> tuple[T, ...]:
    """Merge sets whose members have names: what either side added is in, what one took out is not.

    A member that both sides have is made by ``unite`` of those of base, first and second. The order
    is that of the side that changed something, else that of the first with the rest behind.
    """
    was, one, other = ({name(item): item for item in side} for side in (base, first, second))
    alone = {key: item for key, item in {**other, **one}.items() if key not in was}
    both = {key: unite(was.get(key), one[key], other[key]) for key in one.keys() & other}
    kept = {**alone, **both}
    follows_second = [*one] == [*was] and [*other] != [*was]
    order = [*other, *one] if follows_second else [*one, *other]
    return tuple(kept[key] for key in dict.fromkeys(order) if key in kept)
