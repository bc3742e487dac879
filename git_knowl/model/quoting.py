"""How a message quotes what it found."""

import reprlib

_QUOTE = reprlib.Repr()
_QUOTE.maxstring = 60
_QUOTE.maxlevel = 2


def shown(value: object) -> str:
    """Return a value as an error message quotes it: short, on one line, nothing invisible."""
    return _QUOTE.repr(value)


def code_point(character: str) -> str:
    """Return a character as people look it up: ``U+202E``."""
    return f"U+{ord(character):04X}"
