"""Mechanical doubts about the text of a flag: hints in the capture packet, never a rejection."""

_SHORTEST = 20
_FEWEST_WORDS = 3
_SHARE_OF_LETTERS = 0.4
_LETTERS_PER_EASTERN_WORD = 2
# What somebody is about to do is no finding.
_ANNOUNCEMENTS = (
    *("let me ", "i'll ", "i will ", "i am going to ", "i'm going to ", "now i ", "next i "),
    *("sure, ", "ok, ", "okay, ", "done.", "done,", "great, ", "great! ", "working on "),
)


def doubts(text: str) -> list[str]:
    """Return what speaks against the text as a finding, in words; empty when nothing does."""
    stripped = text.strip()
    found = []
    if _is_short(stripped):
        found.append("too short: expected a sentence")
    if stripped and _share_of_letters(stripped) < _SHARE_OF_LETTERS:
        found.append("hardly any words: looks like output or code")
    if stripped.lower().startswith(_ANNOUNCEMENTS):
        found.append("announces an action: expected what was found out")
    return found


def count_words(text: str) -> int:
    """Return how many words a text has; letters without case, as in Chinese, count two to one."""
    eastern = sum(char.isalpha() and char.lower() == char.upper() for char in text)
    spaced = sum(any(map(_is_cased, word)) for word in text.split())
    return spaced + eastern // _LETTERS_PER_EASTERN_WORD


def _is_short(text: str) -> bool:
    words = count_words(text)
    is_terse = text.isascii() and len(text) < _SHORTEST
    return words < _FEWEST_WORDS or (words == _FEWEST_WORDS and is_terse)


def _is_cased(char: str) -> bool:
    return char.lower() != char.upper()


def _share_of_letters(text: str) -> float:
    visible = [char for char in text if not char.isspace()]
    return sum(char.isalnum() for char in visible) / len(visible)
