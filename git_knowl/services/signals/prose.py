"""Running prose in the body of a commit: what is left without lists, code, quotes and trailers.

The length of that text is the best single sign that a commit says why (docs/signals.md).
"""

from __future__ import annotations

import re

from git_knowl.services.filters.noise import count_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_FENCE = re.compile(r"\s*(?:```|~~~)")
_ITEM = re.compile(r"\s*(?:[-*+•]|\(?\d{1,3}[.)]|\[[ xX]\])\s")
_CODE = re.compile(r"(?: {4}|\t)")
_NO_PROSE = re.compile(r"\s*(?:>|\||#|\$ |https?://\S+$|={3,}|-{3,}|~{3,}|\*{3,})")
_TRAILER = re.compile(r"[A-Za-z][A-Za-z0-9-]*(?: #|: ?)\S|\(cherry picked from commit ")
_REVERTED = re.compile(r"(?:This reverts commit|Reverts?:?) +[0-9a-f]{7,64}\b[^.]*\.?")


def prose(body: str) -> str:
    """Return the sentences of a message's body, one paragraph a line."""
    paragraphs = re.split(r"\n[ \t]*\n", _without_code(body.replace("\r\n", "\n")))
    kept = [
        " ".join(_sentences(paragraph.split("\n")))
        for place, paragraph in enumerate(paragraphs)
        if not (place and _is_trailers(paragraph))
    ]
    told = "\n".join(line for line in kept if line)
    return _REVERTED.sub("", told).strip()


def words(body: str) -> int:
    """Return how many words of running prose a body holds."""
    return count_words(prose(body))


def _without_code(body: str) -> str:
    """Return the body without what stands between fences."""
    kept: list[str] = []
    inside = False
    for line in body.split("\n"):
        if _FENCE.match(line):
            inside = not inside
        elif not inside:
            kept.append(line)
    return "\n".join(kept)


def _is_trailers(paragraph: str) -> bool:
    lines = paragraph.strip().split("\n")
    return all(_TRAILER.match(line) or line[:1].isspace() for line in lines)


def _sentences(lines: list[str]) -> Iterator[str]:
    """Yield the lines of running text; what continues a list item belongs to the item."""
    in_item = False
    for line in lines:
        if _ITEM.match(line):
            in_item = True
        elif in_item and line[:1].isspace():
            continue
        elif not (_CODE.match(line) or _NO_PROSE.match(line)) and line.strip():
            in_item = False
            yield line.strip()
