"""How a message quotes what it found."""

import reprlib

_QUOTE = reprlib.Repr()
_QUOTE.maxstring = 60

#: What a value that is no text is called; the words of JSON where it has any.
_CONSTANTS = {None: "null", True: "true", False: "false"}


def shown(value: object) -> str:
    """Return a value as an error message quotes it: short, on one line, nothing invisible."""
    if isinstance(value, str):
        return _QUOTE.repr(value)
    if isinstance(value, bool) or value is None:
        return _CONSTANTS[value]
    if isinstance(value, int | float):
        return f"{value:.15g}" if isinstance(value, float) else _QUOTE.repr(value)
    return "an object" if isinstance(value, dict) else "a list"


def code_point(character: str) -> str:
    """Return a character as people look it up: ``U+202E``."""
    return f"U+{ord(character):04X}"


def byte_found(data: bytes, place: int) -> str:
    """Return a byte and where it stands as a message tells it: ``0xff in byte 12``."""
    return f"0x{data[place]:02x} in byte {place + 1}"
