"""Both kinds of error, counted: secrets that stay, and ordinary texts that are touched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from tests.bench.secrets.labelled import Planted

Scrub = Callable[[str], str]


@dataclass
class Missed:
    """How many secrets of each provider there were, and which were left in the text."""

    total: Counter[str] = field(default_factory=Counter)
    left: list[Planted] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of secrets that were caught."""
        return 1 - len(self.left) / self.total.total()

    def by_provider(self) -> list[tuple[str, int, int]]:
        """Return provider, secrets and how many were left, in order of the set."""
        left = Counter(one.format.provider for one in self.left)
        return [(name, count, left[name]) for name, count in self.total.items()]


def missed(scrub: Scrub, texts: Iterable[Planted]) -> Missed:
    """Scrub every planted text and note what stays."""
    found = Missed()
    for one in texts:
        found.total[one.format.provider] += 1
        if not one.is_hidden(scrub(one.text)):
            found.left.append(one)
    return found


def touched(scrub: Scrub, texts: Iterable[str]) -> list[tuple[str, str]]:
    """Return the texts that a scrub changes, before and after."""
    pairs = ((text, scrub(text)) for text in texts)
    return [(text, masked) for text, masked in pairs if masked != text]
