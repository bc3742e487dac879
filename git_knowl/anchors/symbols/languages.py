"""The languages symbols are found in, one literal table: what a grammar calls its definitions.

A file is of a language by its suffix, or by the interpreter in its first line.
"""

import os
import re
from typing import NamedTuple

_Kinds = frozenset[str]
_NONE: _Kinds = frozenset()


class Language(NamedTuple):
    """How definitions of one language appear in the trees of its grammar.

    ``bodies`` are functions: variables inside are theirs, and no symbols. ``scopes`` hold members,
    ``values`` are variables, constants, fields and the like, ``spaces`` name what is inside and are
    no symbols. ``wrappers`` stand around definitions and belong to them, ``attributes`` stand
    before them and do too, with ``said`` only where their text begins so. ``lambdas`` are functions
    without a name. ``declares`` are definitions that step back where the same file has the real
    one. ``patterns`` are queries for what a kind alone does not tell, by the same roles.
    """

    grammar: str
    suffixes: tuple[str, ...]
    bodies: _Kinds
    scopes: _Kinds = _NONE
    values: _Kinds = _NONE
    spaces: _Kinds = _NONE
    wrappers: _Kinds = _NONE
    attributes: _Kinds = _NONE
    said: re.Pattern[bytes] | None = None
    lambdas: _Kinds = _NONE
    declares: _Kinds = _NONE
    patterns: str = ""
    interpreters: tuple[str, ...] = ()


def _kinds(text: str) -> _Kinds:
    return frozenset(text.split())


PYTHON = Language(
    "python",
    (".py", ".pyi", ".pyw"),
    bodies=_kinds("function_definition"),
    scopes=_kinds("class_definition"),
    values=_kinds("assignment type_alias_statement"),
    wrappers=_kinds("decorated_definition"),
    interpreters=("python", "python3"),
)
JAVASCRIPT = Language(
    "javascript",
    (".js", ".mjs", ".cjs", ".jsx"),
    bodies=_kinds("function_declaration generator_function_declaration method_definition"),
    scopes=_kinds("class_declaration"),
    values=_kinds("variable_declarator field_definition pair assignment_expression"),
    wrappers=_kinds("export_statement lexical_declaration variable_declaration"),
    lambdas=_kinds("arrow_function function_expression generator_function class"),
    interpreters=("node", "deno", "bun"),
)
TYPESCRIPT = JAVASCRIPT._replace(
    grammar="typescript",
    suffixes=(".ts", ".mts", ".cts"),
    scopes=JAVASCRIPT.scopes
    | _kinds("abstract_class_declaration interface_declaration enum_declaration"),
    values=_kinds(
        "variable_declarator public_field_definition pair assignment_expression"
        " type_alias_declaration method_signature abstract_method_signature enum_assignment"
        " property_signature function_signature"
    ),
    spaces=_kinds("internal_module module"),
    wrappers=JAVASCRIPT.wrappers | _kinds("ambient_declaration"),
    attributes=_kinds("decorator"),
    interpreters=(),
)
TSX = TYPESCRIPT._replace(grammar="tsx", suffixes=(".tsx",))
_C_VALUES = _kinds(
    "declaration type_definition field_declaration enumerator preproc_def preproc_function_def"
)
_C_SCOPES = _kinds("struct_specifier union_specifier enum_specifier")
_C_DECLARES = _kinds("declaration field_declaration")
_C_PRAGMA = re.compile(rb"#\s*pragma\s+(?:omp|acc)\b")
# A block of `extern "C"` is no part of what stands in it; one before a single definition is.
_LINKED = "(linkage_specification body: [(function_definition) (declaration)]) @wrapper"
_RUBY_ACCESSORS = """
((call method: (identifier) @_kind arguments: (argument_list (simple_symbol) @value)) @wrapper
  (#match? @_kind "^attr_(reader|writer|accessor)$"))
"""

LANGUAGES: tuple[Language, ...] = (
    PYTHON,
    JAVASCRIPT,
    TYPESCRIPT,
    TSX,
    Language(
        "go",
        (".go",),
        bodies=_kinds("function_declaration method_declaration"),
        scopes=_kinds("type_spec type_alias"),
        values=_kinds("const_spec var_spec field_declaration method_elem"),
        wrappers=_kinds("const_declaration var_declaration type_declaration"),
        attributes=_kinds("comment"),
        said=re.compile(rb"//(?:go:|export )"),
        lambdas=_kinds("func_literal"),
    ),
    Language(
        "rust",
        (".rs",),
        bodies=_kinds("function_item"),
        scopes=_kinds("struct_item enum_item union_item trait_item"),
        values=_kinds(
            "const_item static_item type_item associated_type macro_definition enum_variant"
            " field_declaration function_signature_item"
        ),
        spaces=_kinds("impl_item mod_item"),
        attributes=_kinds("attribute_item"),
        lambdas=_kinds("closure_expression"),
    ),
    Language(
        "java",
        (".java",),
        bodies=_kinds("method_declaration constructor_declaration compact_constructor_declaration"),
        scopes=_kinds(
            "class_declaration interface_declaration enum_declaration record_declaration"
            " annotation_type_declaration enum_constant"
        ),
        values=_kinds("variable_declarator annotation_type_element_declaration"),
        wrappers=_kinds("field_declaration constant_declaration"),
        lambdas=_kinds("lambda_expression block static_initializer"),
    ),
    Language(
        "kotlin",
        (".kt", ".kts"),
        bodies=_kinds("function_declaration secondary_constructor"),
        scopes=_kinds("class_declaration object_declaration enum_entry"),
        values=_kinds("property_declaration type_alias"),
        lambdas=_kinds("lambda_literal anonymous_function anonymous_initializer"),
    ),
    Language(
        "c",
        (".c",),
        bodies=_kinds("function_definition"),
        scopes=_C_SCOPES,
        values=_C_VALUES,
        attributes=_kinds("preproc_call"),
        said=_C_PRAGMA,
        declares=_C_DECLARES,
    ),
    Language(
        "cpp",
        (".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp"),
        bodies=_kinds("function_definition"),
        scopes=_C_SCOPES | _kinds("class_specifier"),
        values=_C_VALUES | _kinds("alias_declaration concept_definition"),
        spaces=_kinds("namespace_definition"),
        wrappers=_kinds("template_declaration"),
        attributes=_kinds("preproc_call"),
        said=_C_PRAGMA,
        lambdas=_kinds("lambda_expression"),
        declares=_C_DECLARES,
        patterns=_LINKED,
    ),
    Language(
        "csharp",
        (".cs", ".csx"),
        bodies=_kinds(
            "method_declaration constructor_declaration destructor_declaration"
            " local_function_statement operator_declaration indexer_declaration"
            " conversion_operator_declaration"
        ),
        scopes=_kinds(
            "class_declaration struct_declaration interface_declaration record_declaration"
            " enum_declaration"
        ),
        values=_kinds(
            "variable_declarator property_declaration event_declaration delegate_declaration"
            " enum_member_declaration"
        ),
        spaces=_kinds("namespace_declaration"),
        wrappers=_kinds("field_declaration event_field_declaration variable_declaration"),
        lambdas=_kinds("lambda_expression anonymous_method_expression accessor_list"),
    ),
    Language(
        "ruby",
        (".rb", ".rake", ".gemspec"),
        bodies=_kinds("method singleton_method"),
        scopes=_kinds("class module"),
        values=_kinds("assignment"),
        lambdas=_kinds("do_block block lambda"),
        patterns=_RUBY_ACCESSORS,
        interpreters=("ruby",),
    ),
    Language(
        "php",
        (".php", ".phtml"),
        bodies=_kinds("function_definition method_declaration"),
        scopes=_kinds("class_declaration interface_declaration trait_declaration enum_declaration"),
        values=_kinds("const_element property_element enum_case"),
        spaces=_kinds("namespace_definition"),
        wrappers=_kinds("const_declaration property_declaration"),
        lambdas=_kinds("anonymous_function arrow_function"),
        interpreters=("php",),
    ),
    Language(
        "swift",
        (".swift",),
        bodies=_kinds(
            "function_declaration init_declaration deinit_declaration subscript_declaration"
        ),
        scopes=_kinds("class_declaration protocol_declaration"),
        values=_kinds(
            "property_declaration typealias_declaration enum_entry protocol_function_declaration"
            " protocol_property_declaration"
        ),
        lambdas=_kinds("lambda_literal computed_property"),
    ),
    Language(
        "scala",
        (".scala", ".sc", ".sbt"),
        bodies=_kinds("function_definition"),
        scopes=_kinds(
            "class_definition object_definition trait_definition enum_definition"
            " given_definition full_enum_case"
        ),
        values=_kinds(
            "val_definition var_definition val_declaration var_declaration type_definition"
            " function_declaration simple_enum_case"
        ),
        lambdas=_kinds("lambda_expression"),
    ),
    Language(
        "bash",
        (".sh", ".bash", ".zsh", ".ksh"),
        bodies=_kinds("function_definition"),
        values=_kinds("variable_assignment"),
        wrappers=_kinds("declaration_command"),
        interpreters=("sh", "bash", "dash", "zsh", "ksh"),
    ),
)

#: Files that hold the code of another language in ``<script>`` blocks.
HOSTS = (".vue", ".svelte")

_BY_SUFFIX = {suffix: language for language in LANGUAGES for suffix in language.suffixes}
_BY_INTERPRETER = {name: language for language in LANGUAGES for name in language.interpreters}
_SHEBANG = re.compile(rb"#![ \t]*(?:\S*/)?([^/\s]+)(?:[ \t]+(?:-\S+[ \t]+)*([^/\s]+))?")


def language_of(path: str, data: bytes) -> Language | None:
    """Return the language a file is written in; None when it is none of the table's."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix:
        return _BY_SUFFIX.get(suffix)
    found = _SHEBANG.match(data)
    if not found:
        return None
    program = found[2] if found[1] == b"env" else found[1]
    return _BY_INTERPRETER.get((program or b"").decode("ascii", "replace"))


def is_host(path: str) -> bool:
    """Tell whether a file holds its code in script blocks."""
    return os.path.splitext(path)[1].lower() in HOSTS


def script_language(tag: str) -> Language:
    """Return the language of a script block by the attributes of its tag."""
    found = re.search(r"""\blang\s*=\s*["']?(\w+)""", tag)
    return {"ts": TYPESCRIPT, "typescript": TYPESCRIPT, "tsx": TSX}.get(
        found[1].lower() if found else "", JAVASCRIPT
    )
