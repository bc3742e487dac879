"""The shape of source files: how long functions and modules are, and what they catch or silence."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
BROAD = {"", "Exception", "BaseException"}
SUPPRESSION = re.compile(r"#\s*(?:type:\s*ignore|noqa)\b")


@dataclass(frozen=True)
class Shape:
    """What is measured of one module.

    ``functions`` holds the code lines of each function: the signature counts, docstrings,
    comments and blank lines do not. ``broad`` are the lines of handlers that catch everything and
    do not raise it again.
    """

    lines: int
    code: int
    functions: dict[str, int]
    broad: list[int]
    suppressions: int


def measure(path: Path) -> Shape:
    """Read one Python module."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    silent = _docstring_lines(tree) | _empty_lines(source)
    lines = len(source.splitlines())
    return Shape(
        lines=lines,
        code=lines - len(silent),
        functions={f"{path.name}:{f.lineno} {f.name}": _span(f, silent) for f in _functions(tree)},
        broad=[handler.lineno for handler in _handlers(tree) if _swallows_everything(handler)],
        suppressions=len(SUPPRESSION.findall(source)),
    )


def _functions(tree: ast.Module) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def _span(node: Function, silent: set[int]) -> int:
    return len(set(range(node.lineno, (node.end_lineno or node.lineno) + 1)) - silent)


def _handlers(tree: ast.Module) -> Iterator[ast.ExceptHandler]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler))


def _swallows_everything(handler: ast.ExceptHandler) -> bool:
    caught = ast.unparse(handler.type) if handler.type else ""
    raises = (node for node in ast.walk(handler) if isinstance(node, ast.Raise))
    return caught in BROAD and not any(node.exc is None for node in raises)


def _docstring_lines(tree: ast.Module) -> set[int]:
    """Return the lines of every string that stands as a statement of its own."""
    lines: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return lines


def _empty_lines(source: str) -> set[int]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = {
        token.start[0]
        for token in tokens
        if token.type == tokenize.COMMENT and token.line.lstrip().startswith("#")
    }
    return comments | {n for n, line in enumerate(source.splitlines(), 1) if not line.strip()}
