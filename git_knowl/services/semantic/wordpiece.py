"""Text as the pieces that the model was trained on (WordPiece, lower case, accents taken off)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

#: A longer run without blank or mark is no word.
LONGEST_WORD = 100
UNKNOWN, START, END = "[UNK]", "[CLS]", "[SEP]"
#: Blocks of characters that are words by themselves.
IDEOGRAPHS = (
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x2CEAF),
    (0x2F800, 0x2FA1F),
)


def read_vocabulary(path: str) -> dict[str, int]:
    """Return the number of every piece: its line in the file."""
    with open(path, encoding="utf-8") as file:
        return {line.rstrip("\n"): number for number, line in enumerate(file)}


def numbers(vocabulary: Mapping[str, int], text: str, most: int) -> list[int]:
    """Return the numbers of the pieces of a text, cut to so many with both ends."""
    found = [one for word in words(text) for one in pieces(vocabulary, word)]
    return [vocabulary[START], *found[: most - 2], vocabulary[END]]


def words(text: str) -> list[str]:
    """Return the words of a text; marks and ideographs stand alone."""
    spread = "".join(spaced(char) for char in text)
    plain = unicodedata.normalize("NFD", spread.lower())
    kept = (char for char in plain if unicodedata.category(char) != "Mn")
    return "".join(f" {char} " if is_mark(char) else char for char in kept).split()


def spaced(char: str) -> str:
    """Return a character as it counts: controls not at all, ideographs by themselves."""
    if char.isspace():
        return " "
    if char == "\ufffd" or unicodedata.category(char).startswith("C"):
        return ""
    is_ideograph = any(first <= ord(char) <= last for first, last in IDEOGRAPHS)
    return f" {char} " if is_ideograph else char


def is_mark(char: str) -> bool:
    """Tell whether a character is punctuation; of ASCII all that is no letter and no digit."""
    if char.isascii():
        return char.isprintable() and not char.isalnum() and not char.isspace()
    return unicodedata.category(char).startswith("P")


def pieces(vocabulary: Mapping[str, int], word: str) -> list[int]:
    """Return the longest known pieces of a word from its beginning on, or that it is unknown."""
    try:
        return list(cut(vocabulary, word if len(word) <= LONGEST_WORD else ""))
    except KeyError:
        return [vocabulary[UNKNOWN]]


def cut(vocabulary: Mapping[str, int], word: str) -> Iterator[int]:
    """Yield the pieces; raises KeyError where none fits, and for no word at all."""
    begin, lead = 0, ""
    while begin < len(word) or not word:
        ends = range(len(word), begin, -1)
        end = next((one for one in ends if lead + word[begin:one] in vocabulary), None)
        if end is None:
            raise KeyError(word)
        yield vocabulary[lead + word[begin:end]]
        begin, lead = end, "##"
