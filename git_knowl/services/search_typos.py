"""Which known words a misspelt one may have meant.

Most questions of an agent's user find nothing and have a word that nobody wrote, so this is on the
path of a hook: no package is loaded, and of a thousand known words a few are compared.
"""

from __future__ import annotations

from git_knowl.store import search_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from git_knowl.store.cache import CacheReader

#: Percentage of equal characters, in order, that makes a known word the likely correction.
LIKENESS = 80
MOST_CORRECTIONS = 3


def corrections(cache: CacheReader, words: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return for words that nobody wrote the known ones they may have meant, if there are any."""
    found = {word: alike(cache, word) for word in words}
    return {word: meant for word, meant in found.items() if meant}


def alike(cache: CacheReader, word: str) -> tuple[str, ...]:
    """Return the known words most like a word, the nearest first; few err in the first letter.

    Two letters that changed places make a short word less alike than a long one; nothing else is
    forgiven in one, as ``fact`` and ``fast`` are both words.
    """
    # Words of entries that went are known for a while longer: this one may be such a word itself.
    known = [one for one in search_index.known_words(cache, word[0]) if one != word]
    near = sorted(nearest(word, known), key=lambda pair: -pair[1])[:MOST_CORRECTIONS]
    return tuple(one for one, _ in near) or tuple(filter(swaps(word).__contains__, known))


def nearest(word: str, known: Iterable[str]) -> Iterator[tuple[str, float]]:
    """Yield those of the known words that are enough alike, with how much of 100 they are."""
    held = dict.fromkeys(map(ord, word))
    for one in known:
        total = len(word) + len(one)
        # What is left without the characters of the word is in no sequence that both have.
        shared = len(one) - len(one.translate(held))
        if 200 * min(shared, len(word)) >= LIKENESS * total:
            likeness = 200 * longest_common(word, one) / total
            if likeness >= LIKENESS:
                yield one, likeness


def longest_common(one: str, other: str) -> int:
    """Return the length of the longest sequence of characters that both have in this order.

    A bit stands for each character of the one, and is cleared when the sequence has come to it.
    """
    places: dict[str, int] = {}
    for at, char in enumerate(one):
        places[char] = places.get(char, 0) | 1 << at
    every = left = (1 << len(one)) - 1
    for char in other:
        met = left & places.get(char, 0)
        left = ((left + met) | (left - met)) & every
    return len(one) - left.bit_count()


def swaps(word: str) -> set[str]:
    """Return a word with any two neighbours behind its first letter in each other's place."""
    places = range(1, len(word) - 1)
    return {f"{word[:at]}{word[at + 1]}{word[at]}{word[at + 2 :]}" for at in places}
