"""What belongs to a definition and stands outside of it: attributes before it, its section.

A section is what a line such as ``private:`` makes of all the members after it.
"""

from bisect import bisect_left
from typing import TYPE_CHECKING

from git_knowl.anchors.symbols.languages import Language

if TYPE_CHECKING:
    from tree_sitter import Node

_RUBY_WORDS = frozenset({b"public", b"private", b"protected", b"module_function"})
_MOST_CALLS = 10
_RUBY_MEMBERS = ("method", "simple_symbol")


def attributes_of(language: Language, own: "Node", outer: "Node") -> list["Node"]:
    """Return the attributes before a statement, and before its part that gives the name."""
    found = _before(language, outer)
    return found if own == outer else [*found, *_before(language, own)]


def handed_to(node: "Node") -> list["Node"]:
    """Return the calls that a definition of Ruby is an argument of, outer ones first.

    These are its modifiers: ``private def f``, ``memoize def f``.
    """
    found: list[Node] = []
    while (holder := node.parent) is not None and holder.type == "argument_list":
        if holder.parent is None or holder.parent.type != "call" or len(found) == _MOST_CALLS:
            break
        node = holder.parent
        found.insert(0, node)
    return found


def _before(language: Language, node: "Node") -> list["Node"]:
    found: list[Node] = []
    before = node.prev_named_sibling if language.attributes else None
    while before is not None:
        if before.type in language.attributes and _says(language, before):
            found.append(before)
        elif "comment" not in before.type:
            break
        before = before.prev_named_sibling
    return found[::-1]


def _says(language: Language, node: "Node") -> bool:
    return language.said is None or language.said.match(node.text or b"") is not None


class Sections:
    """The sections of one file's classes, each class read once."""

    def __init__(self, language: Language) -> None:
        self._grammar = language.grammar
        self._marks: dict[int, tuple[list[int], list[bytes]]] = {}

    def of(self, outer: "Node", own: "Node") -> bytes:
        """Return the word that the section of a member begins with, b"" where it says nothing.

        ``own`` is the node that gives the name, ``outer`` the statement it is in.
        """
        holder = outer.parent
        if holder is not None and holder.type == "field_declaration":
            outer, holder = holder, holder.parent
        if holder is None or not self._may_count(holder, own):
            return b""
        starts, words = self._marks_of(holder)
        place = bisect_left(starts, outer.start_byte)
        word = words[place - 1] if place else b""
        return b"" if word == self._default(holder) else word

    def _marks_of(self, holder: "Node") -> tuple[list[int], list[bytes]]:
        """Return where the sections of a holder begin, and with which word."""
        if holder.id not in self._marks:
            marks = [child for child in holder.children if self._is_mark(child)]
            starts = [child.start_byte for child in marks]
            self._marks[holder.id] = starts, [child.text or b"" for child in marks]
        return self._marks[holder.id]

    def _may_count(self, holder: "Node", own: "Node") -> bool:
        if self._grammar == "ruby":
            return own.type in _RUBY_MEMBERS
        return self._grammar == "cpp" and holder.type == "field_declaration_list"

    def _is_mark(self, node: "Node") -> bool:
        if self._grammar == "ruby":
            return node.type == "identifier" and node.text in _RUBY_WORDS
        return node.type == "access_specifier"

    def _default(self, holder: "Node") -> bytes:
        is_class = holder.parent is not None and holder.parent.type == "class_specifier"
        return b"private" if is_class else b"public"
