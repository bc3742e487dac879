"""What layout is in Python: docstrings and annotations that nothing reads at run time."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from git_knowl.anchors.symbols.shape import (
    CLOSE,
    IMPLICIT_TUPLES,
    PARENTHESES,
    Rules,
    inside,
    is_comment,
    node_items,
    opening,
)
from git_knowl.anchors.symbols.strings import python_string

if TYPE_CHECKING:
    from tree_sitter import Node

    from git_knowl.anchors.symbols.shape import Item

_HOLDERS = ("function_definition", "class_definition")


def _string(node: "Node", _rules: Rules, _omitted: Collection[int]) -> "list[Item]":
    return python_string(node)


def _block(node: "Node", rules: Rules, omitted: Collection[int]) -> "list[Item]":
    """Return a block without the docstring of what it is the body of."""
    first = next((child for child in node.named_children if not is_comment(child)), None)
    if (
        first is None
        or not _is_string(first)
        or not node.parent
        or node.parent.type not in _HOLDERS
    ):
        return node_items(node, rules, omitted)
    return node_items(node, rules, {*omitted, first.id})


def _is_string(node: "Node") -> bool:
    if node.type != "expression_statement" or node.named_child_count != 1:
        return False
    return node.named_children[0].type in ("string", "concatenated_string")


def _function(node: "Node", rules: Rules, omitted: Collection[int]) -> "list[Item]":
    return node_items(node, rules, {*omitted, *_marks(node, "->", "return_type")})


def _typed_parameter(node: "Node", rules: Rules, omitted: Collection[int]) -> "list[Item]":
    return inside(node, rules, {*omitted, *_marks(node, ":", "type")})


def _typed_default(node: "Node", rules: Rules, omitted: Collection[int]) -> "list[Item]":
    inner = inside(node, rules, {*omitted, *_marks(node, ":", "type")})
    return [opening("default_parameter"), *inner, CLOSE]


def _assignment(node: "Node", rules: Rules, omitted: Collection[int]) -> "list[Item]":
    """Return an assignment, without its annotation where that is idle."""
    has_value = node.child_by_field_name("right") is not None
    marks = _marks(node, ":", "type") if has_value and _is_idle(node) else ()
    return node_items(node, rules, {*omitted, *marks})


def _statement(node: "Node", rules: Rules, omitted: Collection[int]) -> "list[Item]":
    """Return a statement; one that only announces the type of a name is none where that is idle."""
    announcements = [
        child
        for child in node.named_children
        if child.type == "assignment" and child.child_by_field_name("right") is None
    ]
    if announcements and _is_idle(announcements[0]):
        return []
    return node_items(node, rules, omitted)


def _marks(node: "Node", sign: str, name: str) -> list[int]:
    """Return the ids of an annotation and of the sign before it."""
    annotation = node.child_by_field_name(name)
    signs = [child.id for child in node.children if child.type == sign]
    return [*signs[:1], annotation.id] if annotation else []


def _is_idle(node: "Node") -> bool:
    """Tell whether nothing reads the annotation of a name when the program runs.

    It is read in the body of a class that somebody else has a hand in: a base or a decorator may
    make fields of it, as those of data classes and models do.
    """
    above = node.parent
    while above is not None and above.type not in _HOLDERS:
        above = above.parent
    if above is None or above.type == "function_definition":
        return True
    is_decorated = above.parent is not None and above.parent.type == "decorated_definition"
    return above.child_by_field_name("superclasses") is None and not is_decorated


PYTHON_RULES = Rules(
    dropped=PARENTHESES | {";"},
    same=IMPLICIT_TUPLES,
    special={
        "string": _string,
        "concatenated_string": _string,
        "block": _block,
        "function_definition": _function,
        "assignment": _assignment,
        "expression_statement": _statement,
        "typed_parameter": _typed_parameter,
        "typed_default_parameter": _typed_default,
    },
)
