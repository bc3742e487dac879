"""Strings by what they say: text and escapes as written, without the quotes that do not matter."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from git_knowl.anchors.symbols.shape import CLOSE, literal, opening

if TYPE_CHECKING:
    from tree_sitter import Node

    from git_knowl.anchors.symbols.shape import Item

#: How the quotes of a kind of string may change: at will, without escapes and code, never.
ANY_QUOTES = "any"
PLAIN_ONLY = "plain"
VERBATIM = "verbatim"

#: Parts of strings that are text; what else stands in a string is code.
_TEXT = frozenset(
    {
        "string_start",
        "string_end",
        "string_content",
        "string_fragment",
        "string_literal_content",
        "escape_sequence",
        "character",
        "encoding",
        "line_str_text",
        "multi_line_str_text",
        "raw_str_part",
        "str_escaped_char",
        "raw_string_literal_content",
        "raw_string_content",
        "raw_string_delimiter",
        "interpreted_string_literal_content",
        "interpolation_start",
        "interpolation_quote",
        "heredoc_content",
        "heredoc_end",
        "heredoc_start",
        "nowdoc_string",
    }
)
_ESCAPED_QUOTE = re.compile(rb"\\(\\|['\"])")
_HEX = re.compile(rb"\\\\|\\(?:x[0-9A-Fa-f]{2}|u\{?[0-9A-Fa-f]+\}?|U[0-9A-Fa-f]{8})")
#: Letters before a Python string that say how its text is spelled, not what it is.
_SPELLING = b"urf"
_NOT_PLAIN = re.compile(rb"[\\#$'\"{]")


def string_items(node: "Node", quotes: str) -> "list[Item]":
    """Return a string as its text, whole, around the code that is put into it."""
    code = [child for child in node.children if child.is_named and child.type not in _TEXT]
    if not code:
        return [literal("string", unquoted(node.text or b"", quotes))]
    return [
        opening("string"),
        *_pieces(node, code, (node.start_byte, node.end_byte), _folded),
        CLOSE,
    ]


def unquoted(text: bytes, quotes: str) -> bytes:
    """Return the text of a string that holds no code."""
    if quotes == ANY_QUOTES:
        return _folded(text[1:-1])
    if quotes == PLAIN_ONLY and not _NOT_PLAIN.search(text[1:-1]):
        return text[1:-1]
    return quotes.encode() + text


def python_string(node: "Node") -> "list[Item]":
    """Return a Python string, or several side by side, by the value they have together."""
    parts = node.named_children if node.type == "concatenated_string" else [node]
    strings = [part for part in parts if part.type == "string"]
    kinds = {letter for one in strings for letter in _prefix(one) if letter not in _SPELLING}
    pieces = [piece for one in strings for piece in _python_pieces(one)]
    return [opening("string"), literal("prefix", bytes(sorted(kinds))), *_joined(pieces), CLOSE]


def _prefix(string: "Node") -> bytes:
    return (string.children[0].text or b"").rstrip(b"'\"").lower()


def _python_pieces(string: "Node") -> "list[Item]":
    begin, *within, end = string.children
    prefix = _prefix(string)
    code = [child for child in within if child.type == "interpolation"]

    def fold(text: bytes) -> bytes:
        if b"f" in prefix:
            text = text.replace(b"{{", b"{").replace(b"}}", b"}")
        return text.replace(b"\\", b"\\\\") if b"r" in prefix else _folded(text)

    return _pieces(string, code, (begin.end_byte, end.start_byte), fold)


def _joined(pieces: "list[Item]") -> "list[Item]":
    """Return text and code in turns, with neighbouring texts made one."""
    items: list[Item] = []
    text = b""
    for piece in pieces:
        if isinstance(piece, bytes):
            text += piece
        else:
            items += [literal("text", text), piece]
            text = b""
    return [*items, literal("text", text)]


def _pieces(
    node: "Node", code: "Sequence[Node]", span: tuple[int, int], fold: Callable[[bytes], bytes]
) -> "list[Item]":
    """Return text and code in turns, within a span of the file; text comes first and last."""
    text, start = node.text or b"", node.start_byte
    items: list[Item] = []
    position, end = span
    for child in code:
        items += [fold(text[position - start : child.start_byte - start]), child]
        position = child.end_byte
    return [*items, fold(text[position - start : end - start])]


def _folded(text: bytes) -> bytes:
    """Return the text of a string in one spelling: quotes bare, hexadecimals in lower case."""
    text = _ESCAPED_QUOTE.sub(lambda one: one[0] if one[1] == b"\\" else one[1], text)
    return _HEX.sub(lambda one: one[0].lower(), text)
