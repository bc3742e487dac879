"""The syntax tree of a symbol as a stream of tokens in which layout has no say.

Nested nodes open and close, leaves carry their text, and text between leaves that no node stands
for is kept, so that nothing written in a file can go unseen. Left out or evened out are:

- comments, white space between leaves, line continuations
- docstrings, and in Python the annotations that nothing reads at run time
- commas at the end of a list, semicolons where the language does not need them
- parentheses that only say what the tree says anyway
- the quotes of a string, where another pair makes the same value
"""

import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from git_knowl.anchors.symbols.java_rules import JAVA_RULES
from git_knowl.anchors.symbols.macros import macro_tokens
from git_knowl.anchors.symbols.outline import Part
from git_knowl.anchors.symbols.python_rules import PYTHON_RULES
from git_knowl.anchors.symbols.script_rules import SCRIPT_RULES, TYPED_RULES
from git_knowl.anchors.symbols.shape import (
    PARENTHESES,
    Rules,
    is_comment,
    literal,
    node_items,
)
from git_knowl.anchors.symbols.strings import PLAIN_ONLY, VERBATIM, string_items, unquoted

if TYPE_CHECKING:
    from tree_sitter import Node

    from git_knowl.anchors.symbols.shape import Item

_NUMBER = re.compile(rb"\.?[0-9]")
_DECIMAL = re.compile(rb"([0-9_]*)(?:\.([0-9_]*))?(e[+-]?[0-9]+)?")
_FREE_LINE_ENDS = PARENTHESES | {";"}
_NOTHING: frozenset[str] = frozenset()


def _verbatim(*kinds: str) -> dict[str, str]:
    return dict.fromkeys(kinds, VERBATIM)


def _rust_block(node: "Node", rules: Rules, omitted: Collection[int]) -> "list[Item]":
    """Return a block; around the one expression that an arm or a closure gives, it is layout."""
    holders = ("match_arm", "closure_expression")
    inner = [child for child in node.named_children if not is_comment(child)]
    is_layout = (
        len(inner) == 1
        and node.parent is not None
        and node.parent.type in holders
        and not inner[0].type.endswith(("_statement", "_declaration", "_item", "label"))
    )
    return list(inner) if is_layout else node_items(node, rules, omitted)


def _scala_block(node: "Node", rules: Rules, omitted: Collection[int]) -> "list[Item]":
    """Return an indented block; around one expression it is a line break."""
    inner = [child for child in node.named_children if not is_comment(child)]
    is_layout = len(inner) == 1 and not inner[0].type.endswith(("_definition", "_declaration"))
    return list(inner) if is_layout else node_items(node, rules, omitted)


_C_RULES = Rules(strings=_verbatim("string_literal", "raw_string_literal", "char_literal"))

#: How each grammar of the table of languages is read.
_RULES: dict[str, Rules] = {
    "python": PYTHON_RULES,
    "javascript": SCRIPT_RULES,
    "typescript": TYPED_RULES,
    "tsx": TYPED_RULES,
    "go": Rules(
        dropped=_FREE_LINE_ENDS,
        unwrapped=frozenset({"parenthesized_expression", "parenthesized_type"}),
        strings=_verbatim("interpreted_string_literal", "raw_string_literal"),
    ),
    "rust": Rules(strings=_C_RULES.strings, special={"block": _rust_block}),
    "java": JAVA_RULES,
    "kotlin": Rules(
        dropped=_FREE_LINE_ENDS, strings=_verbatim("string_literal", "multiline_string_literal")
    ),
    "c": _C_RULES,
    "cpp": _C_RULES,
    "csharp": Rules(
        strings=_verbatim(
            "string_literal",
            "verbatim_string_literal",
            "raw_string_literal",
            "interpolated_string_expression",
        )
    ),
    "ruby": Rules(
        dropped=_FREE_LINE_ENDS,
        unwrapped=_NOTHING,
        strings={"string": PLAIN_ONLY, **_verbatim("heredoc_body", "regex", "subshell")},
    ),
    "php": Rules(
        strings={
            **dict.fromkeys(("string", "encapsed_string"), PLAIN_ONLY),
            **_verbatim("heredoc_body", "nowdoc_body"),
        }
    ),
    "swift": Rules(
        dropped=_FREE_LINE_ENDS,
        unwrapped=_NOTHING,
        strings=_verbatim("line_string_literal", "multi_line_string_literal", "raw_string_literal"),
    ),
    "scala": Rules(
        dropped=_FREE_LINE_ENDS,
        strings=_verbatim("string", "interpolated_string"),
        special={"indented_block": _scala_block},
    ),
    "bash": Rules(
        dropped=_FREE_LINE_ENDS,
        unwrapped=_NOTHING,
        strings=_verbatim("string", "raw_string", "heredoc_body"),
    ),
}


def tokens(part: Part) -> Iterator[bytes]:
    """Yield the tokens of one definition; opening and closing ones begin with a parenthesis."""
    rules = _RULES[part.language.grammar]
    if part.section:
        yield literal("section", part.section)
    stack: list[Item] = list(reversed(part.nodes))
    while stack:
        item = stack.pop()
        if isinstance(item, bytes):
            yield item
        elif item.child_count == 0:
            yield from _leaf(item, rules)
        else:
            stack += reversed(_items(item, rules, part.omitted))


def _items(node: "Node", rules: Rules, omitted: Collection[int]) -> "list[Item]":
    kind = node.type
    if kind in rules.strings:
        return string_items(node, rules.strings[kind])
    read = rules.special.get(kind, node_items)
    return read(node, rules, omitted)


def _leaf(node: "Node", rules: Rules) -> Iterator[bytes]:
    kind, text = node.type, node.text or b""
    if not node.is_named:
        yield literal("", text)
    elif kind == "jsx_text":
        words = b" ".join(text.split())
        if words or b"\n" not in text:
            yield literal(kind, words)
    elif kind in rules.strings:
        yield literal("string", unquoted(text, rules.strings[kind]))
    elif kind == "preproc_arg":
        yield from macro_tokens(text)
    elif _NUMBER.match(text):
        yield literal(kind, _number(kind, text.lower()))
    else:
        yield literal(kind, text)


def _number(kind: str, text: bytes) -> bytes:
    """Return a number in lower case, and without idle zeros where every number is a float."""
    found = _DECIMAL.fullmatch(text) if kind == "number" else None
    if not found or found[2] is None:
        return text
    fraction = found[2].rstrip(b"0")
    whole = found[1] or b"0"
    return whole + (b"." + fraction if fraction else b"") + (found[3] or b"").replace(b"+", b"")
