"""How text becomes words of the full-text index: the same rules for entries and for questions.

FTS5 alone finds no part of a run of Chinese, Japanese or Korean, and takes ``retryBudget`` for one
word that nobody types. So such runs become overlapping pairs, and an identifier or path is kept
whole, without its separators, beside its parts: ``retry_budget``, ``retry-budget`` and
``retryBudget`` are one token.
"""

from __future__ import annotations

import re
from functools import cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

#: A question longer than this is cut: every word of it costs look-ups, and few carry the meaning.
LONGEST_QUESTION = 2_000
MOST_WORDS = 32
#: Shorter words have too many neighbours for a typo to be recognised.
SHORTEST_CORRECTABLE = 4

PAIRED = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
CHUNK = re.compile(r"\w+(?:[-./:@#+]+\w+)*")
WORD = re.compile(r"[^\W_]+")
HUMP = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s\b)[a-z])")


def index_text(text: str) -> tuple[str, set[str]]:
    """Return a text with the tokens that help to find it, and its chunks, for `correctable`."""
    folded = _fold(text)
    words, compounds = _split(_without_pairs(folded))
    extras = sorted(token for chunk in compounds for token in _extra_tokens(chunk))
    spaced = folded if folded.isascii() else _paired_run().sub(_spaced_pairs, folded)
    return " ".join((spaced, *extras)), words | compounds


def correctable(chunks: Iterable[str]) -> set[str]:
    """Return the words, in lower case, that a misspelt one may have meant."""
    words = (part.lower() for chunk in chunks for part in _parts(chunk))
    return {word for word in words if is_correctable(word)}


def is_correctable(word: str) -> bool:
    """Tell whether a typo in the word can be recognised: long enough, and not a number."""
    return len(word) >= SHORTEST_CORRECTABLE and not word.isdigit()


def question_words(question: str) -> list[str]:
    """Return the distinct words of a question as asked, in lower case, identifiers in parts."""
    words: list[str] = []
    for piece in _by_script(_fold(question[:LONGEST_QUESTION])):
        words += _pairs(piece) if _is_paired(piece) else _parts(piece)
    return list(dict.fromkeys(word.lower() for word in words))[:MOST_WORDS]


def question_identifiers(question: str) -> list[str]:
    """Return the distinct identifiers and paths of a question as the tokens the index has."""
    chunks = CHUNK.findall(_without_pairs(_fold(question[:LONGEST_QUESTION])))
    parts = [_parts(chunk) for chunk in chunks]
    joined = ["".join(found).lower() for found in parts if len(found) > 1]
    return list(dict.fromkeys(joined))[:MOST_WORDS]


def _fold(text: str) -> str:
    if text.isascii():
        return text
    import unicodedata  # noqa: PLC0415 - for other scripts

    return unicodedata.normalize("NFKC", text)


@cache
def _paired_run() -> re.Pattern[str]:
    """Return what finds a run; it takes a quarter of a bare start to compile, and few need it."""
    return re.compile(f"[{PAIRED}]+")


def _is_paired(piece: str) -> bool:
    return not piece.isascii() and _paired_run().match(piece) is not None


def _by_script(text: str) -> list[str]:
    """Return the runs of a text that become pairs, and what stands between them."""
    return [text] if text.isascii() else re.findall(f"[{PAIRED}]+|[^{PAIRED}]+", text)


def _without_pairs(text: str) -> str:
    return text if text.isascii() else _paired_run().sub(" ", text)


def _split(text: str) -> tuple[set[str], set[str]]:
    """Return the plain words of a text and its other chunks; most words of prose are plain."""
    words: set[str] = set()
    chunks: set[str] = set()
    for token in set(text.split()):
        if token.isalnum() and token.islower():
            words.add(token)
        else:
            chunks.update(CHUNK.findall(token))
    return words, chunks


def _extra_tokens(chunk: str) -> list[str]:
    parts = _parts(chunk)
    if len(parts) == 1:
        return []
    seen = set(WORD.findall(chunk))
    return ["".join(parts).lower(), *(part for part in parts if part not in seen)]


def _parts(chunk: str) -> list[str]:
    return WORD.findall(HUMP.sub(" ", chunk))


def _pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]


def _spaced_pairs(run: re.Match[str]) -> str:
    """Return the pairs of a run and its last character, so that a question of one finds it too."""
    return f" {' '.join(_pairs(run[0]))} {run[0][-1]} "
