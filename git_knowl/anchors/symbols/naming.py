"""What a definition is called: plain names by the field ``name``, the rest by rules of their kind.

Parts of a name are joined by dots in every language.
"""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from git_knowl.model import limits

if TYPE_CHECKING:
    from tree_sitter import Node

DEFAULT = "default"
_SEPARATORS = re.compile(r"::|\\|(?<=[\w?!=])#(?![0-9]+$)")
#: Ten times what an anchor may name, for the sake of type arguments.
_LONGEST = 10 * limits.SYMBOL
_DOTTED = re.compile(r"\w+(?:\.\w+)*")
_ARGUMENTS = re.compile(r"<[^<>]*>")
_EMBEDDED = frozenset({"type_identifier", "qualified_type", "generic_type", "pointer_type"})
_NAMES = frozenset(
    {
        "identifier",
        "field_identifier",
        "type_identifier",
        "simple_identifier",
        "property_identifier",
        "private_property_identifier",
        "shorthand_property_identifier_pattern",
        "constant",
    }
)


def names_of(node: "Node") -> list[str]:
    """Return the names a definition gives, qualified as far as it says; none without a name."""
    rule = _RULES.get(node.type, _by_field)
    return [name for name in map(plain, rule(node)) if name]


def plain(text: str) -> str:
    """Return a name in the one spelling: dots between its parts, no type arguments or quotes.

    Nothing is returned for what no anchor could name, however short it may become.
    """
    if len(text) > _LONGEST:
        return ""
    if not text.startswith("operator"):
        while _ARGUMENTS.search(text):
            text = _ARGUMENTS.sub("", text)
    return _SEPARATORS.sub(".", "".join(text.split()).strip("'\"")).strip(".")


def text_of(node: "Node | None") -> str:
    """Return the text of a node, '' for none."""
    return (node.text or b"").decode("utf-8", "replace") if node else ""


def _by_field(node: "Node") -> list[str]:
    name = node.child_by_field_name("name")
    if name is None:
        declarators = node.children_by_field_name("declarator")
        return [found for one in declarators if (found := _declared(one))]
    if name.type.endswith("pattern") and not name.type.startswith("shorthand"):
        return _names_in(name)
    return [text_of(name)]


def _every_name(node: "Node") -> list[str]:
    return [text_of(name) for name in node.children_by_field_name("name")] or _by_field(node)


def _names_in(node: "Node") -> list[str]:
    """Return every name that a pattern binds, in order."""
    names, open_nodes = [], [node]
    while open_nodes:
        inner = open_nodes.pop()
        if inner.type in _NAMES:
            names.append(text_of(inner))
        else:
            open_nodes += reversed(inner.named_children)
    return names


def _declared(node: "Node") -> str:
    """Return the name at the bottom of a C declarator: ``*names[]`` declares ``names``."""
    while (inner := _inner(node)) is not None:
        node = inner
    if node.type in ("operator_cast", "abstract_function_declarator"):
        return f"operator {text_of(node.child_by_field_name('type'))}"
    return text_of(node)


def _inner(node: "Node") -> "Node | None":
    if node.type == "operator_cast":
        return None
    if node.type.endswith("declarator"):
        named = [child for child in node.named_children if child.type != "attribute_declaration"]
        return node.child_by_field_name("declarator") or (named[0] if named else None)
    if node.type == "template_function":
        return node.child_by_field_name("name")
    return None


def _assigned(node: "Node") -> list[str]:
    """Return what the left side of an assignment names: names and dotted paths, no subscripts."""
    left = node.child_by_field_name("left")
    if left is None:
        return []
    if left.type in ("pattern_list", "tuple_pattern", "left_assignment_list"):
        return [text_of(one) for one in left.named_children if one.type in _NAMES]
    if left.type == "type":
        return [text_of(left)]
    return [text_of(left)] if left.type in (*_NAMES, "member_expression") else []


def _go_method(node: "Node") -> list[str]:
    receiver = text_of(node.child_by_field_name("receiver")).strip("()")
    kind = re.sub(r"\[.*", "", receiver).split()
    return [f"{kind[-1].lstrip('*') if kind else ''}.{text_of(node.child_by_field_name('name'))}"]


def _go_embedded(node: "Node") -> list[str]:
    kind = node.child_by_field_name("type")
    embedded = kind is not None and kind.type in _EMBEDDED
    return [text_of(kind).lstrip("*").rpartition(".")[2]] if embedded else []


def _rust_impl(node: "Node") -> list[str]:
    kind = node.child_by_field_name("type")
    return [text_of(kind).removeprefix("&").rpartition("::")[2] if kind else ""]


def _kotlin_property(node: "Node") -> list[str]:
    if node.child_by_field_name("name"):
        return _swift_property(node) or _by_field(node)
    holders = ("variable_declaration", "multi_variable_declaration")
    return [
        text_of(name)
        for child in node.named_children
        if child.type in holders
        for name in _first_names(child)
    ]


def _first_names(node: "Node") -> list["Node"]:
    if node.type == "multi_variable_declaration":
        return [name for child in node.named_children for name in _first_names(child)]
    return [child for child in node.named_children if child.type == "identifier"][:1]


def _swift_property(node: "Node") -> list[str]:
    names = node.children_by_field_name("name")
    return [
        text_of(bound) for name in names if (bound := name.child_by_field_name("bound_identifier"))
    ]


def _first_identifier(node: "Node") -> list[str]:
    found = node.child_by_field_name("name") or node.child_by_field_name("type")
    if found:
        return [text_of(found)]
    return [text_of(child) for child in node.named_children if child.type in _NAMES][:1]


def _swift_cases(node: "Node") -> list[str]:
    names = node.children_by_field_name("name")
    plain_names = [text_of(name) for name in names if name.type == "simple_identifier"]
    return plain_names or _first_identifier(node)


def _fixed(name: str) -> Callable[["Node"], list[str]]:
    return lambda _node: [name]


def _property(node: "Node") -> list[str]:
    """Kotlin, Swift and C# call their properties alike; only C# names them by an identifier."""
    name = node.child_by_field_name("name")
    if name is None or name.type == "pattern":
        return _kotlin_property(node)
    return [text_of(name)]


def _function(node: "Node") -> list[str]:
    """Swift's operators have no name but their sign, and its types are called ``name`` too."""
    name = node.child_by_field_name("name")
    if name is not None and name.type != "user_type":
        return [text_of(name)]
    signs = [text_of(child) for child in node.children if not child.is_named]
    return [signs[signs.index("func") + 1]] if "func" in signs[:-1] else _by_field(node)


def _pair(node: "Node") -> list[str]:
    return [text_of(node.child_by_field_name("key"))]


def _php_element(node: "Node") -> list[str]:
    name = node.child_by_field_name("name")
    return [text_of(name or node.named_child(0)).lstrip("$")]


def _pattern(node: "Node") -> list[str]:
    pattern = node.child_by_field_name("pattern") or node.child_by_field_name("name")
    return _names_in(pattern) if pattern else []


def _script_field(node: "Node") -> list[str]:
    return [text_of(node.child_by_field_name("property"))]


def _ruby_symbol(node: "Node") -> list[str]:
    return [text_of(node).lstrip(":")]


def _operator(node: "Node") -> list[str]:
    return [f"operator{text_of(node.child_by_field_name('operator'))}"]


def _destructor(node: "Node") -> list[str]:
    return [f"~{text_of(node.child_by_field_name('name'))}"]


def _definition(node: "Node") -> list[str]:
    """Return the name of a function; in C it stands at the bottom of the declarator."""
    name = node.child_by_field_name("name")
    if name:
        return [text_of(name)]
    declarator = node.child_by_field_name("declarator")
    return [_declared(declarator)] if declarator else []


def _declaration(node: "Node") -> list[str]:
    """Return what a C declaration declares."""
    return [_declared(one) for one in node.children_by_field_name("declarator")]


def _field_declaration(node: "Node") -> list[str]:
    if node.children_by_field_name("declarator"):
        return _declaration(node)
    if node.child_by_field_name("name"):
        return _every_name(node)
    return _go_embedded(node)


def _type_definition(node: "Node") -> list[str]:
    return _declaration(node) or _by_field(node)


def _namespace(node: "Node") -> list[str]:
    """Return the name of a namespace in braces; one for the whole file is no part of names."""
    has_body = node.child_by_field_name("body") is not None
    return [text_of(node.child_by_field_name("name"))] if has_body else []


_RULES: dict[str, Callable[["Node"], list[str]]] = {
    "assignment": _assigned,
    "assignment_expression": _assigned,
    "type_alias_statement": _assigned,
    "const_spec": _every_name,
    "var_spec": _every_name,
    "field_definition": _script_field,
    "field_declaration": _field_declaration,
    "impl_item": _rust_impl,
    "property_declaration": _property,
    "function_declaration": _function,
    "enum_entry": _swift_cases,
    "secondary_constructor": _fixed("constructor"),
    "init_declaration": _fixed("init"),
    "deinit_declaration": _fixed("deinit"),
    "subscript_declaration": _fixed("subscript"),
    "indexer_declaration": _fixed("this"),
    "operator_declaration": _operator,
    "destructor_declaration": _destructor,
    "protocol_property_declaration": _swift_property,
    "type_alias": _first_identifier,
    "pair": _pair,
    "simple_symbol": _ruby_symbol,
    "const_element": _php_element,
    "property_element": _php_element,
    "val_definition": _pattern,
    "var_definition": _pattern,
    "val_declaration": _every_name,
    "var_declaration": _every_name,
    "function_definition": _definition,
    "declaration": _declaration,
    "type_definition": _type_definition,
    "namespace_definition": _namespace,
    "namespace_declaration": _namespace,
}


def extended(name: str, node: "Node") -> str | None:
    """Return a Kotlin extension by what it extends, as ``String.ext``; None for all others."""
    if node.type not in ("function_declaration", "property_declaration"):
        return None
    dots = [place for place, child in enumerate(node.children) if child.type == "."]
    if not dots or not node.children[dots[0] - 1].type.endswith("_type"):
        return None
    receiver = plain(text_of(node.children[dots[0] - 1])).rstrip("?")
    before, dot, last = name.rpartition(".")
    return f"{before}{dot}{receiver}.{last}" if _DOTTED.fullmatch(receiver) else None


def receiver_names(node: "Node") -> list[str]:
    """Return the name of a method with its receiver, as Go writes it; of others the plain one."""
    return _go_method(node) if node.child_by_field_name("receiver") else names_of(node)
