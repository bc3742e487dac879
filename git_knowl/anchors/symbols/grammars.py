"""The one place that loads tree-sitter: grammars out of an installed wheel, and bounded parsing.

Nothing is fetched. The wheel unpacks a grammar into the user's cache the first time it is used.
"""

import functools
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
_CHUNK = 1 << 16
_EXTRA = "pip install 'git-knowl[symbols]'"


class SymbolsUnavailable(KnowlError):
    """A file in which no symbol can be looked for, by no fault of the file's author."""


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

    Raises SymbolsUnavailable without the extra, and for a file beyond the bounds.
    """
    if len(data) > MAX_BYTES:
        raise SymbolsUnavailable(f"the file is larger than {MAX_BYTES:,} bytes")
    calls = 0

    def is_too_much(_offset: int, _has_error: bool) -> bool:  # noqa: FBT001
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
        raise SymbolsUnavailable("the file takes too long to parse") from error
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


@functools.cache
def _parser(grammar: str) -> "Parser":
    language = load(grammar)
    from tree_sitter import Parser  # noqa: PLC0415

    return Parser(language)


def _missing() -> SymbolsUnavailable:
    return SymbolsUnavailable("the extra 'symbols' is not installed", _EXTRA)
