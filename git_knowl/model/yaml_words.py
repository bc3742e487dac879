"""What every reader of YAML here agrees on: what a plain word stands for, and how to refuse.

It is apart from `yaml_reader` so that the short cut beside it loads no parser.
"""

import re
from typing import Any, TypeAlias

#: Both parsers have their own class for the place of an event.
Mark: TypeAlias = Any

CONSTANTS = {"true": True, "false": False, "null": None, "~": None, "": None}
#: Written with every character escaped, a key must stay under the 1,024 of a simple key.
LONGEST_KEY = 100
#: The one spelling of a whole number: not octal, not grouped, and never over 64 bits.
NUMERIC = "-0123456789"
WHOLE_NUMBER = re.compile(r"-?[1-9][0-9]{0,17}|0")


class YamlError(ValueError):
    """Text that is no YAML, or YAML of a kind that has no place in frontmatter.

    The message is a phrase for what was found, such as ``an alias in line 3``; the first line of a
    document is its fence.
    """

    def __init__(self, found: str, mark: Mark | None = None) -> None:
        super().__init__(f"{found} in line {mark.line + 2}" if mark else found)


def resolve(plain: str) -> str | int | bool | None:
    """Return what a scalar without quotes stands for."""
    if plain in CONSTANTS:
        return CONSTANTS[plain]
    if plain[0] in NUMERIC and WHOLE_NUMBER.fullmatch(plain):
        return int(plain)
    return plain
