"""The frontmatter of a document: found between its fences, and read without a parser if possible.

Every command reads entries and few write any, so the YAML packages are loaded for text that is not
as we write it, and in `document` to write.
"""

import re
from typing import Any

from git_knowl.model.yaml_quick import read_quick
from git_knowl.model.yaml_words import YamlError

FENCE = re.compile(r"^---[ \t]*(?:\n|\Z)", re.MULTILINE)


def split(text: str) -> tuple[str, str]:
    """Return the text between the fences, and all that follows but the last line end.

    Raises YamlError when a fence is missing.
    """
    first = FENCE.match(text)
    if first is None:
        raise YamlError("no '---' line at the beginning")
    last = FENCE.search(text, first.end())
    if last is None:
        raise YamlError("no second '---' line")
    return text[first.end() : last.start()], text[last.end() :].removesuffix("\n")


def load(block: str) -> dict[str, Any]:
    """Return the frontmatter as a mapping; raises YamlError when it is anything else."""
    fields = read_quick(block)
    if fields is None:
        from git_knowl.model.yaml_reader import read_yaml  # noqa: PLC0415 - text of other hands

        fields = read_yaml(block)
    if not isinstance(fields, dict):
        raise YamlError("no mapping")
    return fields
