"""The body of a stored document, found without a parser and without a pattern."""

from __future__ import annotations

_FENCE = "---"


def body_of(document: bytes) -> str:
    """Return what follows the frontmatter, '' for a document without one."""
    lines = document.decode("utf-8", "replace").removeprefix("\ufeff").splitlines(keepends=True)
    if not lines or lines[0].rstrip() != _FENCE:
        return ""
    for at, line in enumerate(lines[1:], 1):
        if line.startswith(_FENCE) and line.rstrip() == _FENCE:
            return "".join(lines[at + 1 :])
    return ""
