"""Frozen values for the short paths: dataclasses to whoever reads or checks types, but light.

Importing `dataclasses` costs 1.7 bare Python starts, and each class made by it a little more: for
`flag`, which runs in every session, that is a third of the whole (docs/benchmarks.md).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar, dataclass_transform

    T = TypeVar("T")

    @dataclass_transform(frozen_default=True)
    def value(cls: type[T]) -> type[T]:
        """Stand for the decorator below."""

else:

    def value(cls):
        """Make a class of annotated fields what ``dataclass(frozen=True, slots=True)`` makes it.

        A field may have a plain default. `dataclasses.replace`, ``fields`` and ``asdict`` take its
        instances for those of a dataclass, which they become once somebody asks.
        """
        names = tuple(cls.__annotations__)
