"""Frontmatter as other programs write it: YAML where it is that, else ``key: value`` lines."""

from __future__ import annotations

import re
from typing import Any

from git_knowl.model import limits
from git_knowl.model.fences import FENCE, load, split
from git_knowl.model.yaml_words import YamlError

PAIR = re.compile(r"\s*([A-Za-z][\w-]{0,60})[ \t]*:(?:[ \t]+(.*))?$")
MOST_LINES = 500


def read_front(text: str) -> tuple[dict[str, Any], str]:
    """Return frontmatter, empty where there is none, and the body.

    A pattern such as ``*.ts`` or a colon in a sentence makes it no YAML, as programs write it all
    the same: then every line counts by itself.
    """
    if not FENCE.match(text):
        return {}, text
    try:
        block, body = split(text)
    except YamlError:
        return {}, text
    if len(block.encode("utf-8", "replace")) > limits.FRONTMATTER_BYTES:
        return {}, body
    try:
        return load(block), body
    except YamlError:
        return pairs(block), body


def pairs(block: str) -> dict[str, Any]:
    """Return the keys and plain values of lines, whatever they are nested in."""
    found = (PAIR.match(line) for line in block.split("\n")[:MOST_LINES])
    told = ((one[1], (one[2] or "").strip().strip("'\"")) for one in found if one)
    return {key: value for key, value in told if value}


def text_of(fields: dict[str, Any], key: str) -> str:
    """Return a value as one line of text, "" where there is none; a list is joined by commas."""
    found = fields.get(key)
    if isinstance(found, list):
        return ", ".join(one for one in found if isinstance(one, str))
    return str(found).strip() if isinstance(found, str | int) else ""
