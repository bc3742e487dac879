"""Which texts say nearly the same: a hint for the person who decides, never a reason to merge.

Token set similarity cannot tell a statement from its negation (73 of 100 measured), so 70 to 90
means "look at both". Imports rapidfuzz: keep it off the short paths.
"""

from collections.abc import Hashable, Mapping
from typing import TypeVar

from rapidfuzz import fuzz, process, utils

Key = TypeVar("Key", bound=Hashable)

FLOOR = 70

_ALL_COMPARED = 500
_FEATURES = 12
_STEM = 5
_SHORTEST_WORD = 4


def similar(
    text: str, candidates: Mapping[Key, str], limit: int, floor: float = FLOOR
) -> list[tuple[Key, float]]:
    """Return up to ``limit`` (key, similarity of 100) at or above the floor, the best first.

    Among more than 500 candidates only the 500 that share most of the text's longest words are
    compared, which keeps 10,000 of them well under a third of a second.
    """
    found = process.extract(
        text,
        _nearest(text, candidates),
        scorer=fuzz.token_set_ratio,
        processor=utils.default_process,
        limit=limit,
        score_cutoff=floor,
    )
    return [(key, score) for _candidate, score, key in found]


def are_equal(one: str, other: str) -> bool:
    """Tell whether two texts say the same but for case and punctuation.

    A similarity of 100 does not: there one text has all words of the other.
    """
    return bool(utils.default_process(one) == utils.default_process(other))


def _nearest(text: str, candidates: Mapping[Key, str]) -> Mapping[Key, str]:
    if len(candidates) <= _ALL_COMPARED:
        return candidates
    features = _features(text)
    shared = {
        key: sum(feature in lowered for feature in features)
        for key, lowered in ((key, told.lower()) for key, told in candidates.items())
    }
    kept = sorted(filter(shared.__getitem__, shared), key=shared.__getitem__, reverse=True)
    return {key: candidates[key] for key in kept[:_ALL_COMPARED]}


def _features(text: str) -> list[str]:
    """Return the beginnings of the longest words; where words have no spaces, pairs of letters."""
    words = sorted(set(utils.default_process(text).split()), key=lambda word: (-len(word), word))
    pieces = [piece for word in words for piece in _pieces(word)]
    return list(dict.fromkeys(pieces))[:_FEATURES]


def _pieces(word: str) -> list[str]:
    if word.upper() == word.lower() and not word.isdigit():
        return [word[place : place + 2] for place in range(len(word) - 1)]
    return [word[:_STEM]] if len(word) >= _SHORTEST_WORD else []
