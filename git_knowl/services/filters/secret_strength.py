"""How random a value is: words and numbers, something like `hunter2`, or generated.

Measured by the length of the runs a value falls into (a word with or without its capital, capitals,
digits, signs): in short values that separates `Tr0ub4dor&3` from `argon2id` and `RetryHandler`
where entropy per character does not.
"""

import re

PLAIN, MIXED, RANDOM = range(3)

_SHORTEST_MIXED = 6
_SHORTEST_RANDOM = 8
_LONG = 16
#: Of a longer value only the beginning is judged.
READ = 256
_FEWEST_DIGITS = 2
_FEWEST_RUNS = 4
_LONGEST_RUN = 3  # characters on average

_JOINTS = r"[-_./:,|()\[\]{}=+\\\s]+"
_EDGES = "!?*~#$%^&@"
_RUN = r"[A-Z]?[a-z]+|[A-Z]+|\d+|[^A-Za-z\d]"
# A word of a passphrase, and none of those that numbers follow in the names of algorithms.
_SPELT = r"(?!(?i:sha|aes|rsa|utf|hmac|base|port|level|version)$)[A-Z]?[a-z]{2,}"
# Words with digits in them that stand in ordinary sentences about secrets.
_TERM = (
    r"(?i:sha\d+(?:sum)?|crc\d+|o?auth\d|base\d+(?:url)?|utf\d+(?:mb\d)?|ed\d+|argon2(?:id?|d)|"
    r"pbkdf2|aes\d+(?:gcm|cbc)?|v\d+(?:alpha|beta|rc)\d+|\d+t\d*z?|uuidv?\d|"
    r"\d+(?:bit|bits|byte|bytes|char|chars|day|days|hour|hours|min|mins|sec|secs)|"
    r"\d+[a-z]{1,3}|[a-z]{1,3}\d+)"
)


def strength(value: str) -> int:
    """Return PLAIN for words and numbers, MIXED for `hunter2`, RANDOM for generated values."""
    value = value[:READ]
    if not value.isascii():
        if any(char.isalpha() and char.lower() == char.upper() for char in value):
            return PLAIN  # letters without case, as in Chinese, do not stand in passwords
        value = "".join(map(_latin, value))
    return max(_strength(piece.strip(_EDGES)) for piece in re.split(_JOINTS, value))


def is_passphrase(value: str) -> bool:
    """Tell whether words and a number are joined as people make passwords: `maple-33-Harbor`."""
    pieces = re.split(r"[-_.+]", value[:READ].strip(_EDGES))
    words = [piece for piece in pieces if re.fullmatch(_SPELT, piece)]
    numbers = [piece for piece in pieces if re.fullmatch(r"\d{2,}", piece)]
    return len(words) > 1 and len(numbers) > 0 and len(words) + len(numbers) == len(pieces)


def _strength(piece: str) -> int:
    if len(piece) < _SHORTEST_MIXED or re.fullmatch(_TERM, piece):
        return PLAIN
    runs = len(re.findall(_RUN, piece))
    if _is_generated(piece, runs):
        return RANDOM
    return MIXED if runs > 1 and not piece.isalpha() else PLAIN


def _is_generated(piece: str, runs: int) -> bool:
    size = len(piece)
    if runs >= _FEWEST_RUNS and size <= runs * _LONGEST_RUN:
        return size >= _SHORTEST_RANDOM
    digits = sum(char.isdigit() for char in piece)
    return size >= _LONG and _FEWEST_DIGITS <= digits < size


def _latin(char: str) -> str:
    """Return a letter of the same case that the patterns know."""
    if char.isascii() or not char.isalpha():
        return char
    return "A" if char.isupper() else "a"
