"""The macros of C: the grammar takes their text as it stands, and ends it at the first comment."""

import re
from collections.abc import Iterator

from git_knowl.anchors.symbols.shape import literal

_STRINGS = rb"""(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
_DEFINE = re.compile(
    rb"""^[ \t]*\#[ \t]*define\b(?:/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\\\r?\n|[^\n])*+""",
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_INSIDE = re.compile(_STRINGS + rb"|(?P<comment>/\*.*?\*/|//(?:\\\r?\n|[^\n])*)", re.DOTALL)
_LINE_END = re.compile(rb"[^\n]\n")
_VISIBLE = re.compile(rb"[^\n]")
_TOKEN = re.compile(
    rb"\s+|(?P<token>" + _STRINGS + rb"""|\.?[0-9](?:[eEpP][+-]|[\w.'])*|\w+"""
    rb"""|<<=|>>=|<=>|->\*|\.\.\.|\#\#|\+\+|--|->|<<|>>|[-+*/%&|^=!<>]=|&&|\|\||::|\.\*|.)""",
    re.DOTALL,
)
_SPLICE = re.compile(rb"\\\r?\n")


def without_comments(data: bytes) -> bytes:
    """Return a text of C with blanks for the comments in its macros; lines and offsets stay."""
    return _DEFINE.sub(lambda macro: _INSIDE.sub(_blank, macro[0]), data)


def macro_tokens(text: bytes) -> Iterator[bytes]:
    """Yield the tokens of what a macro stands for; where its lines break says nothing."""
    for found in _TOKEN.finditer(_SPLICE.sub(b"", text)):
        if found["token"]:
            yield literal("macro", found["token"])


def _blank(found: re.Match[bytes]) -> bytes:
    """Return blanks for a comment, lines joined; a string only without what looks like one."""
    if found["string"]:
        return found[0].replace(b"/*", b"/\x01")
    return _LINE_END.sub(b"\\\\\n", _VISIBLE.sub(b" ", found[0]))
