"""The symbols of one file: what they are called, which nodes make them up, which one is meant.

The same qualified name several times (overloads, a property and its setter, one method in two impl
blocks) is one symbol; ``NAME#2`` is the second of them alone.
"""

import functools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from git_knowl.anchors.symbols import naming
from git_knowl.anchors.symbols.belonging import Sections, attributes_of, handed_to
from git_knowl.anchors.symbols.grammars import SymbolsUnavailable, load
from git_knowl.anchors.symbols.languages import Language, is_host, language_of, script_language
from git_knowl.anchors.symbols.scripts import scripts
from git_knowl.anchors.symbols.trees import errors_in, tree_of

if TYPE_CHECKING:
    from tree_sitter import Node, Query

_BOM = b"\xef\xbb\xbf"
_BESIDE = re.compile(rb"(?:\s|#[^\n]*|//[^\n]*|/\*.*?\*/)*+", re.DOTALL)
_BLANKS = re.compile(rb"\s*+")
_NTH = re.compile(r"(.+)#([1-9][0-9]{0,3})")
_CALLABLES = frozenset(
    {"arrow_function", "function_expression", "generator_function", "class", "object"}
)


_MEMBERS = frozenset({"pair", "method_definition", "property_signature", "method_signature"})


@dataclass(frozen=True, slots=True)
class Part:
    """One definition of a symbol: its nodes, attributes first, without those named in ``omitted``.

    ``own`` is the node that gives the name, with ``omitted`` inside the same statement as others.
    ``is_torn`` tells that text next to it could not be read, which may be a part of it. ``section``
    is the word before all the members it is among, such as ``private``.
    """

    language: Language
    nodes: tuple["Node", ...]
    own: "Node"
    is_scope: bool
    is_declaration: bool = False
    is_torn: bool = False
    omitted: frozenset[int] = frozenset()
    section: bytes = b""

    @property
    def first(self) -> int:
        """The line the definition begins in."""
        node = self.own if self.omitted else self.nodes[0]
        return node.start_point[0] + 1

    @property
    def last(self) -> int:
        """The line the definition ends in."""
        row, column = (self.own if self.omitted else self.nodes[-1]).end_point
        return row + 1 if column else row

    @property
    def is_broken(self) -> bool:
        """Whether the text in it, or right beside it, is none of the language."""
        return self.is_torn or any(node.has_error for node in self.nodes)


@dataclass(frozen=True, slots=True)
class Symbol:
    """A qualified name and all its definitions in the file, in order."""

    name: str
    parts: tuple[Part, ...]

    @property
    def is_broken(self) -> bool:
        """Whether a definition holds text that is none of the language."""
        return any(part.is_broken for part in self.parts)

    @property
    def lines(self) -> int:
        """How many lines the definitions have together."""
        return sum(part.last - part.first + 1 for part in self.parts)

    @property
    def length(self) -> int:
        """How many bytes the definitions have together."""
        nodes = (node for part in self.parts for node in part.nodes)
        return sum(node.end_byte - node.start_byte for node in nodes)

    @property
    def is_scope(self) -> bool:
        """Whether it holds members, as a class does."""
        return any(part.is_scope for part in self.parts)


@dataclass(frozen=True, slots=True)
class Outline:
    """All symbols of a file by name, and the texts in it that no grammar could read.

    ``others`` are longer names that tell some parts of a symbol apart, as ``String.trimmed``.
    """

    symbols: dict[str, Symbol]
    broken: tuple[str, ...] = field(default=())
    others: dict[str, Symbol] = field(default_factory=dict)

    def find(self, name: str) -> Symbol | None:
        """Return the symbol of exactly that name, or one of several by ``NAME#2``."""
        found = self._named(name)
        if found or not (nth := _NTH.fullmatch(name)):
            return found
        several = self._named(nth[1])
        parts = several.parts if several else ()
        number = int(nth[2])
        return Symbol(name, (parts[number - 1],)) if number <= len(parts) else None

    def complete(self, name: str) -> list[str]:
        """Return the names that the given one may stand for: itself, or those that end in it."""
        nth = _NTH.fullmatch(name)
        asked = naming.plain(nth[1] if nth else name)
        number = f"#{nth[2]}" if nth else ""
        matching = [
            f"{one}{number}"
            for one in ([asked] if self._named(asked) else [*self.symbols, *self.others])
            if one == asked or one.endswith(f".{asked}")
        ]
        return [one for one in matching if self.find(one)]

    def _named(self, name: str) -> Symbol | None:
        return self.symbols.get(name) or self.others.get(name)

    def may_hide(self, name: str) -> bool:
        """Tell whether a symbol may stand in a text that could not be read."""
        last = re.escape(re.sub(r"#[0-9]+$", "", name).rpartition(".")[2])
        return any(re.search(rf"(?<!\w){last}(?!\w)", text) for text in self.broken)


def is_supported(path: str, data: bytes = b"") -> bool:
    """Tell whether symbols can be looked for in a file of that name."""
    return is_host(path) or language_of(path, data) is not None


def outline(path: str, data: bytes) -> Outline:
    """Return the symbols of a file; raises SymbolsUnavailable where nobody can look for any."""
    text = data.removeprefix(_BOM).replace(b"\r\n", b"\n")
    if is_host(path):
        blocks = [(script_language(tag), block) for tag, block in scripts(text)]
    else:
        language = language_of(path, data)
        if language is None:
            raise SymbolsUnavailable("no grammar for this kind of file")
        blocks = [(language, text)]
    found: dict[str, list[Part]] = {}
    others: dict[str, list[Part]] = {}
    broken: list[str] = []
    for language, block in blocks:
        root = tree_of(language.grammar, block)
        errors = errors_in(root)
        for name, part in _Walk(language, block, errors).over(root):
            found.setdefault(name, []).append(part)
            if longer := naming.extended(name, part.own):
                others.setdefault(longer, []).append(part)
        broken += map(naming.text_of, errors)
    return Outline(_symbols(found), tuple(broken), _symbols(others))


def _symbols(found: dict[str, list[Part]]) -> dict[str, Symbol]:
    return {name: Symbol(name, _real(parts)) for name, parts in found.items()}


def _real(parts: list[Part]) -> tuple[Part, ...]:
    """Leave out mere declarations beside a definition."""
    definitions = tuple(part for part in parts if not part.is_declaration)
    return definitions or tuple(parts)


@dataclass(slots=True)
class _Frame:
    """A node that is open while the walk goes through what is inside."""

    node: "Node"
    role: str
    names: tuple[str, ...] = ()
    is_local: bool = False
    prefixes: tuple[str, ...] = ("",)


class _Walk:
    """One pass over the definitions of a tree, outer ones first."""

    def __init__(self, language: Language, text: bytes, errors: list["Node"]) -> None:
        self._language = language
        self._text = text
        self._starts = [error.start_byte for error in errors]
        self._ends = [error.end_byte for error in errors]
        self._open: list[_Frame] = []

    def over(self, root: "Node") -> list[tuple[str, Part]]:
        """Return every name with a definition of it, in the order of the file."""
        captured = _captures(self._language, root)
        found: list[tuple[str, list[Node], Node]] = []
        for node, role in captured:
            while self._open and node.end_byte > self._open[-1].node.end_byte:
                self._open.pop()
            found += self._enter(node, role)
        return list(self._parts(found))

    def _enter(self, node: "Node", role: str) -> list[tuple[str, list["Node"], "Node"]]:
        wrappers = self._around(node, role)
        prefixes = self._prefixes()
        # A property of an object that has no name, as an argument, has none to be found by either.
        is_nameless = node.type in _MEMBERS and not prefixes[0]
        names = [] if is_nameless else self._names(node, role)
        qualified = tuple(
            f"{before}.{name}" if before else name for before in prefixes for name in names
        )
        is_local = role in ("body", "lambda") or (role in ("wrapper", "value") and self._is_local)
        was_local = self._is_local
        self._open.append(_Frame(node, role, qualified, is_local, qualified[:1] or prefixes))
        if role in ("space", "lambda") or (was_local and not self._counts_locally(node, role)):
            return []
        return [(name, [*wrappers, node], node) for name in qualified]

    def _names(self, node: "Node", role: str) -> list[str]:
        if role == "lambda":
            return []
        if role == "wrapper":
            return _default_export(node)
        if role in ("scope", "value") and node.type.endswith("_specifier") and not _has_body(node):
            return []
        names = naming.receiver_names(node)
        if node.type == "assignment" and self._language.grammar == "ruby":
            return [name for name in names if name[:1].isupper()]
        return names

    @property
    def _is_local(self) -> bool:
        return bool(self._open) and self._open[-1].is_local

    def _prefixes(self) -> tuple[str, ...]:
        return self._open[-1].prefixes if self._open else ("",)

    def _wrappers(self) -> list["Node"]:
        found: list[Node] = []
        for frame in reversed(self._open):
            if frame.role != "wrapper" or frame.names:
                break
            found.insert(0, frame.node)
        return found

    def _around(self, node: "Node", role: str) -> list["Node"]:
        """Return what stands around a definition and belongs to it, outer nodes first."""
        found = self._wrappers()
        if self._language.grammar == "ruby" and (found or role == "body"):
            return [*handed_to(found[0] if found else node), *found]
        return found

    def _counts_locally(self, node: "Node", role: str) -> bool:
        if role != "value":
            return True
        value = node.child_by_field_name("value") or node.child_by_field_name("right")
        return value is not None and value.type in _CALLABLES

    def _parts(self, found: list[tuple[str, list["Node"], "Node"]]) -> Iterator[tuple[str, Part]]:
        inside: dict[int, set[int]] = {}
        sections = Sections(self._language)
        for _, chain, node in found:
            if len(chain) > 1:
                inside.setdefault(chain[0].id, set()).add(node.id)
        for name, chain, node in found:
            outer = chain[0]
            omitted = inside.get(outer.id, set()) - {node.id}
            if omitted and _leans_on_position(outer):
                omitted = set()
            nodes = (*attributes_of(self._language, node, outer), outer)
            is_scope = node.type in self._language.scopes or node.type == "object"
            declares = node.type in self._language.declares and not _has_value(node)
            is_torn = self._is_torn(nodes[0].start_byte, outer.end_byte)
            marks = (is_scope, declares, is_torn, frozenset(omitted), sections.of(outer, node))
            yield name, Part(self._language, nodes, node, *marks)

    def _is_torn(self, start: int, end: int) -> bool:
        """Tell whether nothing but comments stands between a definition and broken text.

        Text that is broken has words in it, so only the nearest before and behind can be so near.
        """
        behind = bisect_right(self._ends, start)
        if behind and _BESIDE.fullmatch(self._text, self._ends[behind - 1], start) is not None:
            return True
        ahead = bisect_left(self._starts, end, behind)
        return ahead < len(self._starts) and _is_blank(self._text, end, self._starts[ahead])


def _is_blank(text: bytes, start: int, end: int) -> bool:
    return _BLANKS.fullmatch(text, start, end) is not None


def _default_export(node: "Node") -> list[str]:
    """Return ``default`` for an export of something that has no name of its own."""
    if node.type != "export_statement" or all(child.type != "default" for child in node.children):
        return []
    declared = node.child_by_field_name("declaration")
    return [] if declared and declared.child_by_field_name("name") else [naming.DEFAULT]


def _has_body(node: "Node") -> bool:
    return node.child_by_field_name("body") is not None


def _has_value(node: "Node") -> bool:
    """Tell whether a C declaration defines something: a value, or no function and not extern."""
    if node.type == "field_declaration":
        return all("function_declarator" not in str(one) for one in _declarators(node))
    if any(naming.text_of(child) == "extern" for child in node.named_children):
        return False
    return all("function_declarator" not in str(one) for one in _declarators(node))


def _declarators(node: "Node") -> Iterable["Node"]:
    return node.children_by_field_name("declarator")


def _leans_on_position(node: "Node") -> bool:
    """Tell whether members of a Go group take their value from where they stand."""
    if node.type != "const_declaration":
        return False
    specs = [child for child in node.named_children if child.type == "const_spec"]
    text = node.text or b""
    return b"iota" in text or any(not spec.child_by_field_name("value") for spec in specs)


def _captures(language: Language, root: "Node") -> list[tuple["Node", str]]:
    """Return the nodes that matter with their roles, outer before inner."""
    from tree_sitter import QueryCursor  # noqa: PLC0415

    captured = QueryCursor(_query(language)).captures(root)
    order = ("wrapper", "space", "scope", "body", "value", "lambda")
    pairs = {(node, role) for role in order for node in captured.get(role, ())}
    return sorted(
        pairs, key=lambda pair: (pair[0].start_byte, -pair[0].end_byte, order.index(pair[1]))
    )


@functools.cache
def _query(language: Language) -> "Query":
    from tree_sitter import Query  # noqa: PLC0415

    roles = {
        "wrapper": language.wrappers,
        "space": language.spaces,
        "scope": language.scopes,
        "body": language.bodies,
        "value": language.values,
        "lambda": language.lambdas,
    }
    patterns = [
        f"[{' '.join(f'({kind})' for kind in sorted(kinds))}] @{role}"
        for role, kinds in roles.items()
        if kinds
    ]
    return Query(load(language.grammar), "\n".join([*patterns, language.patterns]))
