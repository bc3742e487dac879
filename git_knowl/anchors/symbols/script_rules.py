"""What layout is in JavaScript and TypeScript: what a formatter may rewrite at will."""

import re
from collections.abc import Collection
from typing import TYPE_CHECKING

from git_knowl.anchors.symbols.shape import (
    CLOSE,
    PARENTHESES,
    Rules,
    inside,
    literal,
    node_items,
    opening,
)
from git_knowl.anchors.symbols.strings import ANY_QUOTES, VERBATIM

if TYPE_CHECKING:
    from tree_sitter import Node

    from git_knowl.anchors.symbols.shape import Item

_PLAIN_KEY = re.compile(rb"[A-Za-z_$][A-Za-z0-9_$]*")


def _arrow(node: "Node", rules: Rules, omitted: Collection[int]) -> "list[Item]":
    """Return a function whose one parameter stands bare as if it stood in parentheses."""
    bare = node.child_by_field_name("parameter")
    if bare is None:
        return node_items(node, rules, omitted)
    wraps = ["formal_parameters", *rules.same.get("bare parameter", "").split()]
    parameter: list[Item] = [*map(opening, wraps), bare, *(CLOSE for _ in wraps)]
    items = inside(node, rules, omitted)
    place = items.index(bare)
    return [opening(node.type), *items[:place], *parameter, *items[place + 1 :], CLOSE]


def _keyed(node: "Node", rules: Rules, omitted: Collection[int]) -> "list[Item]":
    """Return a property; a key in quotes that needs none is a plain one."""
    items = node_items(node, rules, omitted)
    key = node.child_by_field_name("key") or node.child_by_field_name("name")
    if key is None or key.type != "string":
        return items
    text = (key.text or b"")[1:-1]
    if _PLAIN_KEY.fullmatch(text):
        items[items.index(key)] = literal("property_identifier", text)
    return items


def _members(node: "Node", rules: Rules, omitted: Collection[int]) -> "list[Item]":
    """Return the members of a type, whatever stands between them."""
    commas = (child.id for child in node.children if child.type == ",")
    return node_items(node, rules, {*omitted, *commas})


def _union(node: "Node", rules: Rules, omitted: Collection[int]) -> "list[Item]":
    """Return a union or intersection, with or without a bar before its first member."""
    if node.named_child_count == 1:
        return list(node.named_children)
    return node_items(node, rules, omitted)


_SPECIAL = {
    "arrow_function": _arrow,
    "pair": _keyed,
    "property_signature": _keyed,
    "method_signature": _keyed,
    "method_definition": _keyed,
    "public_field_definition": _keyed,
    "field_definition": _keyed,
    "object_type": _members,
    "interface_body": _members,
    "union_type": _union,
    "intersection_type": _union,
}

SCRIPT_RULES = Rules(
    dropped=PARENTHESES | {";"},
    unwrapped=frozenset({"parenthesized_expression", "parenthesized_type"}),
    strings={"string": ANY_QUOTES, "template_string": VERBATIM},
    special=_SPECIAL,
)
TYPED_RULES = Rules(
    dropped=SCRIPT_RULES.dropped,
    unwrapped=SCRIPT_RULES.unwrapped,
    strings=SCRIPT_RULES.strings,
    same={"bare parameter": "required_parameter"},
    special=_SPECIAL,
)
