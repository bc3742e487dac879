"""A second opinion on whether two texts differ in layout only, without any grammar of ours.

Python is compared as the standard library parses it; other languages word by word, by one
pattern that knows strings, comments and signs.
"""

from __future__ import annotations

import ast
import re
import textwrap
import warnings

_HASH_COMMENTS = (".sh", ".bash", ".rb", ".rake", ".php")
_COMMON = (
    r'(?P<string>"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|`(?:\\.|[^`\\])*`)'
    r"|(?P<comment>//[^\n]*|/\*(?:.|\n)*?\*/|<!--(?:.|\n)*?-->%s)"
    r"|(?P<word>[\w$@]+)|(?P<sign>[^\s\w])"
)
_WORDS = re.compile(_COMMON % "")
_WORDS_HASH = re.compile(_COMMON % r"|(?<![\w$])\#(?!\[)[^\n]*")
_CLOSERS = frozenset(")]}>")


def is_layout_only(path: str, before: bytes, after: bytes) -> bool:
    """Tell whether nothing that runs differs between two versions of a symbol."""
    if before == after:
        return True
    if path.endswith((".py", ".pyi")):
        old, new = _python(before), _python(after)
        if old is not None and new is not None:
            return old == new
    return _words(path, before) == _words(path, after)


class _Bare(ast.NodeTransformer):
    """Takes out docstrings and the annotations of functions and locals."""

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        node.body = [
            ast.Assign([one.target], one.value)
            if isinstance(one, ast.AnnAssign) and one.value
            else one
            for one in _without_docstring(node.body)
        ]
        return self.generic_visit(node)

    visit_FunctionDef = _function  # noqa: N815
    visit_AsyncFunctionDef = _function  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = _without_docstring(node.body)
        return self.generic_visit(node)


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return body[1:] if is_docstring and isinstance(first.value.value, str) else body


def _python(text: bytes) -> str | None:
    source = textwrap.dedent(text.decode("utf-8", "replace"))
    lines = source.split("\n")
    if lines[0][:1] not in " \t" and len(lines) > 1:  # the first line lost its indentation
        source = "\n".join([lines[0], *textwrap.dedent("\n".join(lines[1:])).split("\n")])
        if lines[0].rstrip().endswith(":"):
            source = "\n".join([lines[0], *(f"    {line}" for line in source.split("\n")[1:])])
    for candidate in (
        source,
        f"class X:\n{textwrap.indent(text.decode('utf-8', 'replace'), '    ')}",
    ):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.dump(_Bare().visit(ast.parse(candidate)))
        except (SyntaxError, ValueError):
            continue
    return None


def _words(path: str, text: bytes) -> list[str]:
    pattern = _WORDS_HASH if path.endswith(_HASH_COMMENTS) else _WORDS
    source = text.decode("utf-8", "replace")
    found = [match for match in pattern.finditer(source) if match.lastgroup != "comment"]
    words = [_plain(match[0], match.lastgroup) for match in found]
    kept = []
    for number, word in enumerate(words):
        following = words[number + 1] if number + 1 < len(words) else ""
        if word == "," and following[:1] in _CLOSERS:
            continue
        if word == ";" and path.endswith((".js", ".ts", ".tsx", ".vue", ".mjs", ".jsx")):
            continue
        kept.append(word)
    return kept


def _plain(word: str, group: str | None) -> str:
    return (
        f"'{word[1:-1]}'" if group == "string" and word[0] in "'\"" and word[1:2] != '"' else word
    )
