"""The package keeps the shape that keeps it readable; complexity and parameters are ruff's."""

from __future__ import annotations

from statistics import median

import pytest

from tests.support.project import PACKAGE, package_modules
from tests.support.shape import Shape, measure

#: The doors: only here may everything be caught, to become an exit code.
CATCH_EVERYTHING = {"__main__.py", "interfaces/mcp/server.py"}

SHAPES: dict[str, Shape] = {
    str(path.relative_to(PACKAGE)): measure(path) for path in package_modules()
}
FUNCTIONS = {
    f"{path.rpartition('/')[0]}/{name}": size
    for path, shape in SHAPES.items()
    for name, size in shape.functions.items()
}


def test_no_function_is_over_50_code_lines() -> None:
    assert {name: size for name, size in FUNCTIONS.items() if size > 50} == {}


def test_functions_are_short_in_the_main() -> None:
    sizes = sorted(FUNCTIONS.values())

    assert median(sizes) <= 8
    assert sizes[int(len(sizes) * 0.9)] <= 25


def test_no_module_is_over_400_lines() -> None:
    assert {name: shape.lines for name, shape in SHAPES.items() if shape.lines > 400} == {}


def test_modules_are_short_in_the_main() -> None:
    sizes = sorted(shape.lines for shape in SHAPES.values() if shape.code > 2)

    assert median(sizes) <= 150
    assert sizes[int(len(sizes) * 0.9)] <= 300


def test_only_doors_catch_everything() -> None:
    broad = {name: shape.broad for name, shape in SHAPES.items() if shape.broad}

    assert set(broad) <= CATCH_EVERYTHING, broad


def test_checkers_are_silenced_at_most_once_in_400_lines() -> None:
    silenced = {name: shape.suppressions for name, shape in SHAPES.items() if shape.suppressions}
    code = sum(shape.code for shape in SHAPES.values())

    assert sum(silenced.values()) <= max(code // 400, 1), silenced


@pytest.mark.parametrize(
    ("source", "size"),
    [
        ("def f():\n    return 1\n", 2),
        ('def f():\n    """Say\n\n    it.\n    """\n    # why\n\n    return 1\n', 2),
        ("def f(\n    a,\n):\n    return a\n", 4),
    ],
)
def test_code_lines_leave_out_words(tmp_path, source: str, size: int) -> None:
    path = tmp_path / "m.py"
    path.write_text(source, encoding="utf-8")

    assert list(measure(path).functions.values()) == [size]
