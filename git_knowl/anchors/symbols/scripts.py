"""The script blocks of Vue and Svelte files, cut out with everything else blanked."""

import re
from typing import NamedTuple

_BLOCK = re.compile(
    rb"<!--.*?-->|<(script|style|template)\b([^>]*)>(.*?)</\1\s*>", re.DOTALL | re.IGNORECASE
)
_VISIBLE = re.compile(rb"[^\r\n]")


class Script(NamedTuple):
    """One block: the attributes of its tag, and a text as long as the file with the block in it."""

    tag: str
    text: bytes


def scripts(data: bytes) -> list[Script]:
    """Return the script blocks of a file in order; lines and offsets stay as they are."""
    found = []
    start = 0
    while block := _BLOCK.search(data, start):
        start = block.end()
        if (block[1] or b"").lower() == b"template":
            start = _template_end(data, block)
        if (block[1] or b"").lower() == b"script":
            before = _VISIBLE.sub(b" ", data[: block.start(3)])
            found.append(Script(block[2].decode("utf-8", "replace"), before + block[3]))
    return found


def _template_end(data: bytes, block: re.Match[bytes]) -> int:
    """Return where a template ends that may hold others."""
    depth = 0
    for tag in re.finditer(rb"<(/?)template\b[^>]*?(/?)>", data[block.start() :], re.IGNORECASE):
        depth += -1 if tag[1] else 0 if tag[2] else 1
        if depth == 0:
            return block.start() + tag.end()
    return block.end()
