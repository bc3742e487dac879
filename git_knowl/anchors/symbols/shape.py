"""What a normalised syntax tree is made of, and how the children of a node are read."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from tree_sitter import Node

    Item: TypeAlias = Node | bytes
    Special: TypeAlias = Callable[["Node", "Rules", Collection[int]], list[Item]]

CLOSE = b")"
PARENTHESES = frozenset({"(", ")"})
#: Tuples without parentheses, and what they are with them.
IMPLICIT_TUPLES = {"expression_list": "tuple", "pattern_list": "tuple_pattern"}
_BLANK = b" \t\r\n\f\v\\"
_CLOSERS = frozenset({")", "]", "}", ">", "|"})
_CALLS = frozenset({"call_expression", "call", "invocation_expression", "function_call_expression"})
# `a?.b.c` stops at a missing `a`, `(a?.b).c` does not.
_OPTIONAL = re.compile(rb"\?\.|\?\[")


@dataclass(frozen=True, slots=True)
class Rules:
    """What may be left out of the trees of one grammar.

    ``dropped`` are leaves that say nothing, ``unwrapped`` nodes that are no more than parentheses.
    ``strings`` names the kinds of strings and how their quotes are read; ``same`` gives kinds that
    mean the same, ``special`` the kinds that are read by a function of their own.
    """

    dropped: frozenset[str] = PARENTHESES
    unwrapped: frozenset[str] = frozenset({"parenthesized_expression"})
    strings: Mapping[str, str] = field(default_factory=dict)
    same: Mapping[str, str] = field(default_factory=dict)
    special: Mapping[str, "Special"] = field(default_factory=dict)


def opening(kind: str) -> bytes:
    """Return the token that opens a node; CLOSE closes it."""
    return b"(" + kind.encode()


def literal(kind: str, text: bytes) -> bytes:
    """Return the token of a leaf."""
    return b"%s %d:%s" % (kind.encode(), len(text), text)


def node_items(node: "Node", rules: Rules, omitted: Collection[int] = ()) -> "list[Item]":
    """Return a node opened, what counts inside, and closed; bare where it is only parentheses."""
    kind = node.type
    inner = inside(node, rules, omitted)
    if kind in rules.unwrapped and not _OPTIONAL.search(node.text or b""):
        return inner
    return [opening(rules.same.get(kind, kind)), *inner, CLOSE]


def inside(node: "Node", rules: Rules, omitted: Collection[int] = ()) -> "list[Item]":
    """Return what of the children counts, and the text between them that no node stands for."""
    children = node.children
    skipped = _skipped(node, children, rules, omitted)
    blank = _BLANK + b";" if ";" in rules.dropped else _BLANK
    items: list[Item] = []
    text, start = node.text or b"", node.start_byte
    position = start
    for number, child in enumerate(children):
        gap = text[position - start : child.start_byte - start].strip(blank)
        position = child.end_byte
        if gap:
            items.append(literal("text", gap))
        if number not in skipped:
            items += _child_items(node, child, number, rules)
    gap = text[position - start :].strip(blank)
    return [*items, literal("text", gap)] if gap else items


def is_comment(node: "Node") -> bool:
    """Tell whether a node is a comment of any kind."""
    return node.is_named and "comment" in node.type


def _child_items(node: "Node", child: "Node", number: int, rules: Rules) -> "list[Item]":
    """Return a child; around what is called, parentheses can tell a field from a method."""
    if number == 0 and node.type in _CALLS and child.type in rules.unwrapped:
        return [opening("called"), child, CLOSE]
    return [child]


def _skipped(
    node: "Node", children: "list[Node]", rules: Rules, omitted: Collection[int]
) -> set[int]:
    """Return the numbers of the children that say nothing, or are left out with their commas."""
    silent = {number for number, child in enumerate(children) if _is_silent(child)}
    left_out = {number for number, child in enumerate(children) if child.id in omitted}
    found = silent | left_out
    counting = [number for number in range(len(children)) if number not in found]
    dropped = _dropped(node, rules, has_gaps=bool(left_out))
    for place, number in enumerate(counting):
        child = children[number]
        if child.is_named:
            continue
        is_idle = child.type in dropped or not child.type.strip()
        if is_idle or (child.type == "," and _is_trailing(node, children, counting, place)):
            found.add(number)
    return found


def _dropped(node: "Node", rules: Rules, *, has_gaps: bool) -> set[str]:
    """Return the tokens that say nothing; in the arguments of a macro every one of them may."""
    dropped = set() if node.type.startswith("token_tree") else {*rules.dropped}
    return dropped | {",", ";"} if has_gaps else dropped


def _is_silent(child: "Node") -> bool:
    return is_comment(child) or child.type == "line_continuation"


def _is_trailing(node: "Node", children: "list[Node]", counting: list[int], place: int) -> bool:
    if place == 0 or children[counting[place - 1]].type == ",":
        return False
    if place + 1 < len(counting) and children[counting[place + 1]].type not in _CLOSERS:
        return False
    kind = node.type
    is_tuple = "tuple" in kind or kind in IMPLICIT_TUPLES
    is_sole = sum(child.is_named and not is_comment(child) for child in children) == 1
    return not (is_tuple and is_sole) and kind != "subscript"
