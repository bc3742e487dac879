"""Two texts beside each other, as wide as the terminal, set off from what the program says."""

from __future__ import annotations

import shutil
import textwrap
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import TYPE_CHECKING

from git_knowl.interfaces.cli.output import QUOTED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

#: How wide output is taken to be where nobody knows, and the least that two columns need.
WIDTH = 100
LEAST = 60
SAME, OTHER = " ", "|"


def beside(left: str, right: str, width: int | None = None) -> list[str]:
    """Return the lines of two texts in two columns; a bar stands between lines that differ.

    Each is set off as any text that is quoted, within the width.
    """
    wide = max(width or shutil.get_terminal_size((WIDTH, 24)).columns, LEAST)
    column = (wide - len(QUOTED) - 3) // 2
    one, other = left.splitlines(), right.splitlines()
    return [
        f"{QUOTED}{row[0]:<{column}} {mark} {row[1]}".rstrip()
        for mark, first, second in aligned(one, other)
        for row in wrapped(first, second, column)
    ]


def aligned(one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Yield a mark and the lines that belong beside each other, "" where there is none."""
    for tag, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        mark = SAME if tag == "equal" else OTHER
        for first, second in zip_longest(one[a:b], other[c:d], fillvalue=""):
            yield mark, first, second


def wrapped(first: str, second: str, column: int) -> list[tuple[str, str]]:
    """Return two lines as rows no wider than a column."""
    left, right = (textwrap.wrap(line, column, drop_whitespace=False) for line in (first, second))
    return list(zip_longest(left or [""], right or [""], fillvalue=""))
