"""What layout is in Java: words that only the compiler of the very line reads."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from git_knowl.anchors.symbols.shape import Rules, inside, node_items
from git_knowl.anchors.symbols.strings import VERBATIM

if TYPE_CHECKING:
    from tree_sitter import Node

    from git_knowl.anchors.symbols.shape import Item

_LOCALS = ("local_variable_declaration", "formal_parameter", "catch_formal_parameter", "resource")


def _modifiers(node: "Node", rules: Rules, omitted: Collection[int]) -> "list[Item]":
    """Return modifiers without those that change nothing; no node where none is left.

    A local is final for nobody but its own function, and a warning is silenced for nobody else.
    """
    is_local = node.parent is not None and node.parent.type in _LOCALS
    idle = {
        child.id
        for child in node.children
        if (child.type == "final" and is_local) or _is_silencer(child)
    }
    if not inside(node, rules, {*omitted, *idle}):
        return []
    return node_items(node, rules, {*omitted, *idle})


def _is_silencer(node: "Node") -> bool:
    name = node.child_by_field_name("name")
    return node.type == "annotation" and name is not None and name.text == b"SuppressWarnings"


JAVA_RULES = Rules(strings={"string_literal": VERBATIM}, special={"modifiers": _modifiers})
