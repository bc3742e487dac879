"""The labelled set put together: every format, in every context it is documented for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tests.bench.secrets import keys, services, vendors
from tests.bench.secrets.formats import Format
from tests.bench.secrets.making import Maker

#: The part of a template that must not survive; a tag of XML has no hole in it.
_HIDDEN = re.compile(r"<([^<>]*\{[^<>]*)>")
_SHORTEST_PIECE = 5
_PIECES = 3

FORMATS: tuple[Format, ...] = (
    *(*vendors.CLOUDS, *vendors.CODE),
    *(*services.MESSAGES, *services.MONEY, *services.MODELS, *services.WATCH, *services.TEAMS),
    *(*keys.PRIVATE, *keys.TOKENS, *keys.ADDRESSES, *keys.FILES, *keys.PASSWORDS),
)


@dataclass(frozen=True)
class Planted:
    """A text with secrets in it: what must go, and where it came from."""

    format: Format
    context: str
    text: str
    hidden: tuple[str, ...]

    def is_hidden(self, masked: str) -> bool:
        """Tell whether no part of any secret that is worth anything is left."""
        return not any(piece in masked for value in self.hidden for piece in pieces(value))


def pieces(value: str) -> Iterator[str]:
    """Yield every run of a third of a value."""
    size = max(_SHORTEST_PIECE, len(value) // _PIECES)
    return (value[place : place + size] for place in range(max(1, len(value) - size + 1)))


def planted(seeds: Iterable[int] = range(3), formats: Iterable[Format] = FORMATS) -> list[Planted]:
    """Return every format in every context, once a seed."""
    return [
        plant(one, where, place, seed)
        for seed in seeds
        for one in formats
        for where, place in one.places.items()
    ]


def plant(one: Format, where: str, place: str, seed: int) -> Planted:
    """Return one format in one context."""
    maker = Maker(f"{seed}/{one.provider}/{one.template}")
    hidden: list[str] = []

    def filled(mark: re.Match[str]) -> str:
        hidden.append(maker.fill(mark[1]))
        return hidden[-1]

    if _HIDDEN.search(one.template):
        text = maker.fill(_HIDDEN.sub(filled, one.template))
    else:
        text = maker.fill(one.template)
        hidden.append(text)
    return Planted(one, where, place.replace("@", text), tuple(hidden))
