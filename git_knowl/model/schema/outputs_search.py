"""What `search` prints with ``--json``: what was found, and what was looked for in vain."""

from typing import Literal

from git_knowl.model.schema import words
from git_knowl.model.schema.outputs import EntryLine, Shape
from git_knowl.model.schema.words import Open


class Fit(Open):
    """Why an entry fits: what it is called, or how much of the question it covers.

    ``meaning`` is how like the question it is in meaning, where that was compared.
    """

    exact: Literal["name", "path"] | None
    share: float
    relevance: float
    words: tuple[str, ...]
    meaning: float | None = None


class FoundLine(EntryLine):
    """One entry that a search found; the higher the score, the better it fits.

    ``older`` names suspect entries on the same subject that are left out for it, ``gone`` says why
    it is not live any more; ``fit`` is there with `--explain`.
    """

    score: float
    older: tuple[str, ...] = ()
    gone: str | None = None
    fit: Fit | None = None


class Search(Shape):
    """Entries that a search found, the best first; ``corrected`` are words taken for others."""

    confident: bool
    entries: tuple[FoundLine, ...]
    corrected: dict[str, tuple[str, ...]] = {}


class Miss(Open):
    """A question that found nothing: how often, of how many times, and when last.

    ``text`` is its words where they are kept, ``flag`` what was made of it.
    """

    key: str
    missed: int
    asked: int
    last: words.Time
    text: str | None
    flag: words.Id | None


class Misses(Open):
    """What was looked for in vain: `search --misses`."""

    format: Literal[1]
    misses: tuple[Miss, ...]
