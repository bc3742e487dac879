"""The syntax tree of a text, and what in it is none of the language."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from git_knowl.anchors.symbols.grammars import parse
from git_knowl.anchors.symbols.macros import without_comments

if TYPE_CHECKING:
    from tree_sitter import Node

# The grammar of Kotlin reads the last member of a class only before a line end or a semicolon.
# Each round mends what the one before made readable: one level of classes in one line.
_ROUNDS = 4


def tree_of(grammar: str, data: bytes) -> "Node":
    """Return the root of a text's tree; raises SymbolsUnavailable as ``parse`` does.

    Offsets and lines are those of the text.
    """
    if grammar in ("c", "cpp"):
        return parse(grammar, without_comments(data))
    root = parse(grammar, data)
    return _mended(root, data) if grammar == "kotlin" else root


def _mended(root: "Node", data: bytes) -> "Node":
    """Return the tree of Kotlin that was written in fewer lines than the grammar knows."""
    best = root
    for _ in range(_ROUNDS):
        ended = _ended(root, data) if root.has_error else data
        if ended == data:
            break
        root, data = parse("kotlin", ended), ended
        best = min(best, root, key=_faults)
    return best


def errors_in(root: "Node") -> list["Node"]:
    """Return the nodes that hold text which is none of the language, in order."""
    return [node for node in _faulty(root) if node.is_error]


def _faulty(root: "Node") -> Iterator["Node"]:
    """Yield the nodes around text that is none of the language, and the nodes that hold it."""
    open_nodes = [root] if root.has_error else []
    while open_nodes:
        node = open_nodes.pop()
        yield node
        if not node.is_error:
            open_nodes += [child for child in reversed(node.children) if child.has_error]


def _faults(root: "Node") -> tuple[bool, int]:
    return root.has_error, sum(node.end_byte - node.start_byte for node in errors_in(root))


def _ended(root: "Node", data: bytes) -> bytes:
    """Return the text with a semicolon for the blank before each brace that is beside errors."""
    text = bytearray(data)
    for node in _faulty(root):
        for child in node.children:
            place = child.start_byte - 1
            if child.type == "}" and text[place : place + 1] == b" ":
                text[place : place + 1] = b";"
    return bytes(text)
