"""How deep a value may be nested that somebody else wrote: frontmatter can hold no more."""

from __future__ import annotations

from typing import Any

#: As deep as YAML is read here; JSON itself knows no limit.
DEEPEST = 32


def is_too_deep(value: object) -> bool:
    """Tell whether lists and objects stand in each other deeper than frontmatter may hold them."""
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for one in level for inner in inside(one)]
        if not level:
            return False
    return True


def inside(value: object) -> list[Any]:
    """Return what a list or object holds."""
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
