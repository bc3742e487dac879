"""Where a symbol went that is no longer under its name: in the same file, or in another one."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from git_knowl.anchors.symbols.digest import Words, digest_of, likeness, words_of
from git_knowl.anchors.symbols.grammars import SymbolsUnavailable
from git_knowl.anchors.symbols.languages import is_host, language_of
from git_knowl.anchors.symbols.ledger import Ledger, Place
from git_knowl.anchors.symbols.outline import Outline, Symbol

MOST_FILES = 30
MOST_SYMBOLS = 2000
ALIKE = 0.6
# Of a symbol that is shorter or longer by more than this too little can be common.
_LONGEST = 3
_GUESS = 0.99
_SAME_NAME = 0.2


@dataclass(frozen=True, slots=True)
class Lost:
    """A symbol to look for: its former place and name, and what is known of its tree."""

    path: str
    name: str
    digests: frozenset[str]
    words: Words | None
    length: int = 0

    @property
    def last(self) -> str:
        """The name without what it was in."""
        return self.name.partition("#")[0].rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Went:
    """A place where a lost symbol may be; unchanged there with a ``score`` of exactly 1."""

    path: str
    name: str
    score: float

    @property
    def is_same(self) -> bool:
        """Whether the tree is the very same."""
        return self.score == 1


def whereabouts(lost: Lost, ledger: Ledger, places: Iterable[Place]) -> Went | None:
    """Return the best place for a lost symbol: the only one with its tree, else the likeliest."""
    outlines = list(_outlines(ledger, places))
    same = [went for place, there in outlines for went in _unchanged(lost, place, there)]
    if len(same) == 1:
        return same[0]
    guesses = [Went(went.path, went.name, _GUESS) for went in same]
    guesses += [went for place, there in outlines for went in _alike(lost, place, there)]
    return max(guesses, key=lambda went: _rank(lost, went), default=None)


def readable(paths: Iterable[str]) -> list[str]:
    """Return the paths that may hold symbols, not too many of them."""
    return [path for path in paths if is_host(path) or language_of(path, b"")][:MOST_FILES]


def _rank(lost: Lost, went: Went) -> float:
    """Order guesses: half of all symbols that go keep their name and change a little."""
    keeps_name = went.name.rpartition(".")[2] == lost.last
    return went.score + (_SAME_NAME if keeps_name else 0)


def _outlines(ledger: Ledger, places: Iterable[Place]) -> Iterator[tuple[Place, Outline]]:
    for place in places:
        with suppress(SymbolsUnavailable):
            yield place, ledger.outline(place)


def _unchanged(lost: Lost, place: Place, there: Outline) -> Iterator[Went]:
    for symbol in there.symbols.values():
        if symbol.name.rpartition(".")[2] != lost.last or symbol.is_broken:
            continue
        if digest_of(symbol) in lost.digests:
            yield Went(place.path, symbol.name, 1)
        elif len(symbol.parts) > 1:
            yield from _unchanged_parts(lost, place, symbol)


def _unchanged_parts(lost: Lost, place: Place, symbol: Symbol) -> Iterator[Went]:
    for number, part in enumerate(symbol.parts, 1):
        name = f"{symbol.name}#{number}"
        if digest_of(Symbol(name, (part,))) in lost.digests:
            yield Went(place.path, name, 1)


def _alike(lost: Lost, place: Place, there: Outline) -> Iterator[Went]:
    if lost.words is None:
        if lost.name in there.symbols:
            yield Went(place.path, lost.name, ALIKE)
        return
    for symbol in list(there.symbols.values())[:MOST_SYMBOLS]:
        if lost.length / _LONGEST <= symbol.length <= lost.length * _LONGEST:
            score = min(likeness(lost.words, words_of(symbol)), _GUESS)
            if score >= ALIKE:
                yield Went(place.path, symbol.name, score)
