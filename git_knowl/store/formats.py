"""The formats of the store that this program knows, and what leads from one to the next.

A program writes one format, the highest it knows, and never another by the way: an older store is
raised by a migration that a person looked at. There is one format today.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from git_knowl.store import layout
from git_knowl.store.layout import FORMAT_FILE, FormatError
from git_knowl.store.view import Tree

#: Yields (path, bytes or None) of what changes in a tree that is raised to a format.
Upgrade: TypeAlias = Callable[[Tree], Iterable[tuple[str, bytes | None]]]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its number, the least that a reader must know, and how the one before becomes it.

    ``upgrade`` must lead to the same bytes in every clone, so that clones which raise the format
    apart from each other can be joined; the first format has none.
    """

    number: int
    reader: int
    upgrade: Upgrade | None = None

    @property
    def text(self) -> bytes:
        """What the format file of a tree says."""
        return f"format {self.number}\nreader {self.reader}\n".encode()


FORMATS = (Format(layout.FORMAT, layout.FORMAT),)


def number_of(tree: Tree) -> int | None:
    """Return the format of a tree, None for an absent or empty one.

    Raises FormatError for what is no store, and for what this program may not read.
    """
    if tree.is_empty:
        return None
    found = layout.read_format(tree.read(FORMAT_FILE) or b"")
    return found[0] if found else None


def way(ref: str, number: int, formats: Sequence[Format]) -> Iterator[tuple[Format, Upgrade]]:
    """Yield the formats that lead from a number to the newest one, in order, with the way to each.

    Raises FormatError for a newer number, and for one that nothing leads on from.
    """
    known = {one.number: one for one in formats}
    newest = max(known)
    if number > newest:
        raise FormatError(
            f"{ref} has format {number}, this program reads and writes format {newest}",
            "upgrade git-knowl",
        )
    for step in range(number + 1, newest + 1):
        upgrade = known[step].upgrade if step in known else None
        if upgrade is None:
            raise FormatError(
                f"{ref} has format {number}, and this program knows no way from there",
                f"an older git-knowl raises it to format {step} first",
            )
        yield known[step], upgrade
