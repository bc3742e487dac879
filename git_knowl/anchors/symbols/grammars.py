"""The one place that loads tree-sitter: grammars out of an installed wheel, and bounded parsing.

Nothing is fetched. The wheel unpacks a grammar into the user's cache the first time it is used.
"""

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from git_knowl.errors import KnowlError

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser

#: The number of our own rules; raise it with every change that gives another digest.
RULES = 2
MAX_BYTES = 1_000_000
# The parser calls back every hundred steps or so; a megabyte of ordinary code takes half of these.
# Counting steps instead of seconds gives the same answer on every machine.
MAX_CALLS = 60_000
# Names of what is nested join those of all that is around it, so their length grows with the depth.
MAX_DEPTH = 1_000
# The time of a query grows with the square of so many tokens side by side, as nothing but brackets.
MAX_TOKENS = 1_000
MAX_ERRORS = 2_000
_CHUNK = 1 << 16
_EXTRA = "pip install 'git-knowl[symbols]'"


class SymbolsUnavailable(KnowlError):
    """A file in which no symbol can be looked for, by no fault of the file's author."""


class BeyondBounds(SymbolsUnavailable):
    """A content that takes too long to read, today and whenever somebody tries again."""


@functools.cache
def algorithm() -> int:
    """Return the number of the present way to a digest: 2000102 is rules 2, grammars 0.1.2.

    Other grammars may give other trees, so their version counts like our own. No grammar is
    loaded. Raises SymbolsUnavailable without the extra.
    """
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - 20 ms

    try:
        found = version("semble-grammars")
    except PackageNotFoundError as error:
        raise _missing() from error
    major, minor, patch = (int(part) for part in found.split(".")[:3])
    return RULES * 1_000_000 + major * 10_000 + minor * 100 + patch


def parse(grammar: str, data: bytes) -> "Node":
    """Return the root of the syntax tree, with error nodes where the text is none of the language.

    Raises SymbolsUnavailable without the extra, BeyondBounds for a file that takes too much.
    """
    if len(data) > MAX_BYTES:
        raise BeyondBounds(f"the file is larger than {MAX_BYTES:,} bytes")
    calls = 0

    def is_too_much(*_seen: object) -> bool:
        nonlocal calls
        calls += 1
        return calls > MAX_CALLS

    def read(offset: int, _point: object) -> bytes:
        return data[offset : offset + _CHUNK]

    parser = _parser(grammar)
    try:
        tree = parser.parse(read, progress_callback=is_too_much)
    except ValueError as error:
        parser.reset()
        raise BeyondBounds("the file takes too long to parse") from error
    _check_shape(tree.root_node)
    # Nodes of a tree that was read by a function ask it again for every piece of text. The same
    # tree over the bytes themselves costs next to nothing, and its texts a thousandth.
    return parser.parse(data, old_tree=tree).root_node


def load(grammar: str) -> "Language":
    """Return a grammar; raises SymbolsUnavailable where there is none."""
    try:
        from semble_grammars import (  # noqa: PLC0415
            GrammarLoadError,
            LanguageNotFoundError,
            UnsupportedPlatformError,
            get_language,
        )
    except ImportError as error:
        raise _missing() from error
    try:
        language: Language = get_language(grammar)
    except (GrammarLoadError, LanguageNotFoundError, UnsupportedPlatformError) as error:
        raise SymbolsUnavailable(
            f"the grammar of {grammar} cannot be loaded: {error}",
            "it is unpacked into the user's cache folder, which must be writable",
        ) from error
    return language


def _check_shape(root: "Node") -> None:
    """Raise BeyondBounds for a tree that would take too long to go through."""
    depth = tokens = errors = 0
    for step, node in _steps(root):
        depth += step
        tokens = 0 if step or node.is_named else tokens + 1
        errors += node.is_error
        if depth > MAX_DEPTH:
            raise BeyondBounds("the file is too deeply nested to be read")
        if tokens > MAX_TOKENS or errors > MAX_ERRORS:
            raise BeyondBounds("too much of the file is none of its language")


def _steps(root: "Node") -> Iterator[tuple[int, "Node"]]:
    """Yield every node below the root with how far down it is from the one before."""
    cursor = root.walk()
    while True:
        step = 0
        if cursor.goto_first_child():
            step = 1
        else:
            while not cursor.goto_next_sibling():
                if not cursor.goto_parent():
                    return
                step -= 1
        if cursor.node is not None:
            yield step, cursor.node


@functools.cache
def _parser(grammar: str) -> "Parser":
    language = load(grammar)
    from tree_sitter import Parser  # noqa: PLC0415

    return Parser(language)


def _missing() -> SymbolsUnavailable:
    return SymbolsUnavailable("the extra 'symbols' is not installed", _EXTRA)
