"""Lines of text as snippets compare them: trailing space and the indent they share do not count."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches

#: In longer files nobody looks for what is merely like the quote.
_MOST_LINES = 20_000
_NEAR = 12
_LEAST_ALIKE = 0.5
_LIKE_LINE = 0.6


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a file: where they begin, counted from 1, their folded text, and how alike it is."""

    line: int
    text: str
    alike: float = 1.0

    @property
    def length(self) -> int:
        """How many lines these are."""
        return self.text.count("\n") + 1

    @property
    def lines(self) -> str:
        """The line numbers, as people name them."""
        if self.length == 1:
            return f"line {self.line}"
        return f"lines {self.line}-{self.line + self.length - 1}"


def lines_of(content: bytes) -> list[str]:
    """Return the lines of a text; only a line feed ends one, as for git."""
    lines = content.decode("utf-8", "replace").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def fold(lines: Sequence[str]) -> str:
    """Return lines without trailing space and without the indent that all of them have.

    Folding twice changes nothing.
    """
    ended = [line.rstrip() for line in lines]
    indents = [line[: len(line) - len(line.lstrip())] for line in ended if line]
    shared = len(_shared(min(indents, default=""), max(indents, default="")))
    return "\n".join(line[shared:] for line in ended)


def _shared(one: str, other: str) -> str:
    """Return what two texts begin with; of the first and last of many, what all begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    end = next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))
    return one[:end]


def digest(text: str) -> str:
    """Return the SHA-256 of folded lines."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def places(lines: Sequence[str], text: str) -> Iterator[Place]:
    """Yield where a folded text stands, from the top down."""
    wanted = [line.strip() for line in text.split("\n")]
    bare = [line.strip() for line in lines]
    count = len(wanted)
    for start in range(len(bare) - count + 1):
        # The first line decides nearly always, and comparing it costs no slice.
        if bare[start] == wanted[0] and bare[start : start + count] == wanted:
            found = fold(lines[start : start + count])
            if found == text:
                yield Place(start + 1, found)


def place_of_digest(lines: Sequence[str], sha256: str, count: int) -> Place | None:
    """Return where so many lines stand whose folded text has a digest."""
    for start in range(len(lines) - count + 1):
        found = fold(lines[start : start + count])
        if digest(found) == sha256:
            return Place(start + 1, found)
    return None


def nearest(lines: Sequence[str], text: str) -> Place | None:
    """Return the lines most like a text that is not there; None when nothing is like it."""
    if not lines or len(lines) > _MOST_LINES:
        return None
    wanted = [line.strip() for line in text.split("\n")]
    bare = [line.strip() for line in lines]
    start = _likely_start(bare, wanted)
    if start is None:
        return None
    first, last = _stretch(bare, wanted, start)
    found = fold(lines[first:last])
    alike = SequenceMatcher(None, text, found, autojunk=False).ratio()
    return Place(first + 1, found, alike) if found and alike >= _LEAST_ALIKE else None


def _likely_start(bare: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Return where most lines of a text would place its beginning."""
    offsets: dict[str, list[int]] = {}
    for offset, line in enumerate(wanted):
        if any(map(str.isalnum, line)):
            offsets.setdefault(line, []).append(offset)
    votes = Counter(at - offset for at, line in enumerate(bare) for offset in offsets.get(line, ()))
    if votes:
        return max(0, votes.most_common(1)[0][0])
    longest = max(wanted, key=len)
    alike = get_close_matches(longest, dict.fromkeys(bare), 1, _LIKE_LINE)
    return max(0, bare.index(alike[0]) - wanted.index(longest)) if alike else None


def _stretch(bare: Sequence[str], wanted: Sequence[str], start: int) -> tuple[int, int]:
    """Return the stretch that a text became; lines put in between make it longer."""
    low = max(0, start - _NEAR)
    near = bare[low : start + len(wanted) + _NEAR]
    blocks = SequenceMatcher(None, wanted, near, autojunk=False).get_matching_blocks()
    if blocks[0].size == 0:
        return start, min(len(bare), start + len(wanted))
    head, tail = blocks[0], blocks[-2]
    first = max(0, low + head.b - head.a)
    rest = len(wanted) - tail.a - tail.size
    return first, max(first + 1, min(len(bare), low + tail.b + tail.size + rest))
