"""The digest of a symbol, and how much two symbols have in common."""

import hashlib
from collections import Counter

from git_knowl.anchors.symbols.normal import tokens
from git_knowl.anchors.symbols.outline import Symbol

Words = Counter[bytes]


def digest_of(symbol: Symbol) -> str:
    """Return the SHA-256 over the nested syntax tree of all the symbol's definitions."""
    state = hashlib.sha256()
    for part in symbol.parts:
        for token in tokens(part):
            state.update(b"%d:" % len(token))
            state.update(token)
        state.update(b"0:")
    return state.hexdigest()


def words_of(symbol: Symbol) -> Words:
    """Return the leaves of a symbol, each with its number: what likeness is measured by."""
    return Counter(
        token for part in symbol.parts for token in tokens(part) if token[:1] not in b"()"
    )


def likeness(one: Words, other: Words) -> float:
    """Return the share of leaves that two symbols have in common, from 0 to 1."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0
