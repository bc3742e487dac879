"""Changes made on purpose: layout that must raise no alarm, and mutations that must."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from git_knowl.anchors.symbols.grammars import parse
from git_knowl.anchors.symbols.languages import is_host, language_of, script_language
from git_knowl.anchors.symbols.scripts import scripts

if TYPE_CHECKING:
    from tree_sitter import Node

    from git_knowl.anchors.symbols.outline import Outline, Symbol

Layout: TypeAlias = Callable[[str, bytes, random.Random], bytes]

_HASH = {"python", "ruby", "bash"}
_WHOLE = re.compile(r"string|comment|heredoc|jsx|template|regex|preproc|char_literal|text")
_IMPORT = re.compile(rb"^(import\b|from\b|use\b|using\b|#include\b|require\b)[^\n({]*$")
_SWAPS = {
    b"<": b"<=",
    b"<=": b"<",
    b">": b">=",
    b">=": b">",
    b"==": b"!=",
    b"!=": b"==",
    b"===": b"!==",
    b"!==": b"===",
    b"&&": b"||",
    b"||": b"&&",
    b"and": b"or",
    b"or": b"and",
    b"+": b"-",
    b"-": b"+",
    b"in": b"not in",
    b"is": b"is not",
    b"-eq": b"-ne",
    b"-lt": b"-le",
}
_BINARY = re.compile(r"binary|comparison|boolean_operator|infix|expression|test_command")
_FLIPS = {
    b"true": b"false",
    b"false": b"true",
    b"True": b"False",
    b"False": b"True",
    b"nil": b"1",
    b"null": b"1",
    b"None": b"1",
}
_STATEMENTS = ("expression_statement", "call", "call_expression", "method_invocation", "command")


def crlf(_path: str, data: bytes, _drawn: random.Random) -> bytes:
    """Line ends of another system."""
    return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def comments(path: str, data: bytes, drawn: random.Random) -> bytes:
    """A comment line here and there."""
    mark = b"# " if _grammar(path, data) in _HASH else b"// "
    return _between(
        path, data, lambda indent: indent + mark + b"'x' {" if drawn.random() < 0.3 else None
    )


def blank_lines(path: str, data: bytes, drawn: random.Random) -> bytes:
    """An empty line here and there."""
    return _between(path, data, lambda _: b"" if drawn.random() < 0.3 else None)


def wider(path: str, data: bytes, _drawn: random.Random) -> bytes:
    """Twice the indentation, and blanks at the ends of lines."""
    free = _free_lines(path, data)
    lines = data.split(b"\n")
    for number, line in enumerate(lines):
        indent = line[: len(line) - len(line.lstrip(b" \t"))] if number - 1 in free else b""
        blanks = b"  " if number in free and not line.endswith(b"\\") else b""
        lines[number] = indent + line + blanks
    return b"\n".join(lines)


def imports(_path: str, data: bytes, _drawn: random.Random) -> bytes:
    """Imports that stand together in another order."""
    lines, start = data.split(b"\n"), 0
    for number in range(len(lines) + 1):
        if number == len(lines) or not _IMPORT.match(lines[number]):
            lines[start:number] = lines[start:number][::-1]
            start = number + 1
    return b"\n".join(lines)


LAYOUTS: dict[str, Layout] = {
    "line ends": crlf,
    "comments": comments,
    "empty lines": blank_lines,
    "indentation": wider,
    "order of imports": imports,
}


def neighbours(there: Outline, symbol: Symbol, data: bytes, drawn: random.Random) -> bytes | None:
    """Blank out another symbol that neither holds the anchored one nor stands in it."""
    others = [
        part
        for other in there.symbols.values()
        for part in other.parts
        if all(_apart(part.first, part.last, mine.first, mine.last) for mine in symbol.parts)
        and not other.name.startswith(f"{symbol.name}.")
    ]
    if not others:
        return None
    part = drawn.choice(others)
    lines = data.replace(b"\r\n", b"\n").split(b"\n")
    lines[part.first - 1 : part.last] = [b""] * (part.last - part.first + 1)
    return b"\n".join(lines)


def mutations(
    symbol: Symbol, data: bytes, drawn: random.Random, number: int
) -> list[tuple[str, bytes]]:
    """Return texts of the file in which what the symbol does is another, each with its kind."""
    text = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    edits = [
        edit for part in symbol.parts for node in part.nodes for edit in _edits(node, part.omitted)
    ]
    chosen: dict[str, list[tuple[str, int, int, bytes]]] = {}
    for edit in edits:
        chosen.setdefault(edit[0], []).append(edit)
    picked = [drawn.choice(one) for one in chosen.values()]
    drawn.shuffle(picked)
    return [(kind, text[:start] + new + text[end:]) for kind, start, end, new in picked[:number]]


def _edits(root: Node, omitted: frozenset[int]) -> Iterator[tuple[str, int, int, bytes]]:
    stack = [root]
    while stack:
        node = stack.pop()
        if node.id in omitted or "comment" in node.type or node.type in ("type", "type_annotation"):
            continue
        if not _is_docstring(node) and not (node.text or b"").startswith(b"@SuppressWarnings"):
            yield from _edit(node)
            stack += node.children


def _edit(node: Node) -> Iterator[tuple[str, int, int, bytes]]:
    text = node.text or b""
    above = node.parent.type if node.parent else ""
    span = (node.start_byte, node.end_byte)
    if not node.is_named and text in _SWAPS and _BINARY.search(above) and "type" not in above:
        yield ("condition", *span, _SWAPS[text])
    elif text in _FLIPS and not node.child_count and "type" not in above:
        yield ("constant", *span, _FLIPS[text])
    elif node.is_named and not node.child_count and re.fullmatch(rb"[0-9]+", text):
        yield ("number", *span, text + b"1")
    elif (
        node.type in ("string_content", "string_fragment", "string_literal_content")
        and text.isalpha()
    ):
        yield ("string", *span, text[:-1] + (b"q" if text[-1:] != b"q" else b"z"))
    elif node.type in ("!", "not") and "unary" in above + "not_operator":
        yield ("negation", *span, b"")
    yield from _calls(node)


def _calls(node: Node) -> Iterator[tuple[str, int, int, bytes]]:
    kinds = ("arguments", "argument_list", "value_arguments")
    if node.type in kinds:
        given = [child for child in node.named_children if "comment" not in child.type]
        if len(given) >= 2 and given[0].text != given[1].text:
            swapped = (given[1].text or b"") + b", " + (given[0].text or b"")
            yield ("arguments", given[0].start_byte, given[1].end_byte, swapped)
    is_statement = node.type == "expression_statement" and node.named_child_count == 1
    if is_statement and "call" in node.named_children[0].type + "":
        call = node.named_children[0]
        yield ("call", call.start_byte, call.end_byte, b"0")
    if node.type == "return_statement" and node.named_child_count == 1:
        value = node.named_children[0]
        yield ("return", value.start_byte, value.end_byte, b"0" if value.text != b"0" else b"1")


def _is_docstring(node: Node) -> bool:
    return (
        node.type == "expression_statement"
        and node.named_child_count == 1
        and node.named_children[0].type in ("string", "concatenated_string")
    )


def _apart(first: int, last: int, other_first: int, other_last: int) -> bool:
    return last < other_first or first > other_last


def _grammar(path: str, data: bytes) -> str:
    language = language_of(path, data)
    return language.grammar if language else "javascript"


def _between(path: str, data: bytes, line: Callable[[bytes], bytes | None]) -> bytes:
    free = _free_lines(path, data)
    out = []
    for number, old in enumerate(data.split(b"\n")):
        indent = old[: len(old) - len(old.lstrip())]
        new = line(indent) if number and number - 1 in free else None
        if new is not None:
            out.append(new)
        out.append(old)
    return b"\n".join(out)


def _free_lines(path: str, data: bytes) -> set[int]:
    """Return the lines whose end stands in no string, comment or the like."""
    if is_host(path):
        blocks = [(script_language(tag).grammar, text) for tag, text in scripts(data)]
        free: set[int] = set()
        for grammar, text in blocks:
            first = len(text) - len(text.lstrip())
            ends = {text[:first].count(b"\n") + i for i in range(text[first:].count(b"\n"))}
            free |= ends - _held_lines(parse(grammar, text), text)
        return free
    return set(range(data.count(b"\n"))) - _held_lines(parse(_grammar(path, data), data), data)


def _held_lines(root: Node, data: bytes) -> set[int]:
    held = {n for n, line in enumerate(data.split(b"\n")) if line.rstrip().endswith(b"\\")}
    stack = [root]
    while stack:
        node = stack.pop()
        if _WHOLE.search(node.type) and node.is_named and node.child_count < 400:
            held.update(range(node.start_point[0], node.end_point[0]))
        elif node.is_error:
            held.update(range(node.start_point[0] - 1, node.end_point[0] + 1))
        stack += node.children
    return held
