"""Keep secrets out of the store: masked in free text, refused in names, paths, tags and urls.

Runs before the first object, log line or cache row sees a text. A found value becomes a typed
placeholder; everything else stays byte for byte. Standard library only, for the `flag` path.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from git_knowl.errors import KnowlError
from git_knowl.model.light import dataclass
from git_knowl.services.filters.secret_judges import JUDGES
from git_knowl.services.filters.secret_rules import RULES
from git_knowl.services.filters.secret_shapes import Rule
from git_knowl.services.filters.secret_strength import RANDOM, strength

_PLACEHOLDER = r"\[REDACTED:[A-Z_]+\]"
_PUNCTUATION = ".,:;)]}>"
_MARKS = (
    r"^[\s>]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?|"
    r"\*\*|(?:[|>][-+]?|\\|<br ?/?>)[ \t\r]?$"
)
_FENCES = ("```", "~~~")
#: Where a value stands, and the rank of the rule that found it.
_Span = tuple[int, int, int]


def _ranks() -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for rank, rule in enumerate(RULES):
        for gate in rule.gates:
            found.setdefault(gate, []).append(rank)
    return found


def _openings() -> dict[tuple[str, ...], list[str]]:
    found: dict[tuple[str, ...], list[str]] = {}
    for gate in _RANKS:
        found.setdefault(tuple(gate[:3]), []).append(gate)
    return found


#: The rules that each gate opens, by their rank: a gate is looked for once, however many it opens.
_RANKS = _ranks()
#: The gates by their first three letters; shorter ones stand alone, and are looked for always.
_OPENINGS = _openings()
_SHORT = tuple(letters for letters in _OPENINGS if len(letters) < 3)


class SecretError(KnowlError):
    """A secret stands in a field that is shown everywhere and cannot be masked."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One secret: its type and where its value stands, in characters."""

    type: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Scrubbed:
    """A text without secrets, with how many of each type were masked, sorted by type."""

    text: str
    found: tuple[tuple[str, int], ...] = ()


def find(text: str) -> list[Finding]:
    """Return the secrets in the text in order, never overlapping; the most specific type wins."""
    return _find_all((text,))[0]


def scrub(text: str) -> Scrubbed:
    """Return the text with every secret replaced by ``[REDACTED:TYPE]``; idempotent."""
    return scrub_all(text)[0]


def scrub_all(*texts: str) -> list[Scrubbed]:
    """Return the texts of one thing without secrets: what one of them gives away goes from all.

    What a placeholder separates is looked at again until nothing is found: each round masks at
    least one character more, so this ends.
    """
    counts: list[Counter[str]] = [Counter() for _ in texts]
    while any(found := _find_all(texts)):
        for count, findings in zip(counts, found, strict=True):
            count.update(finding.type for finding in findings)
        texts = tuple(map(_masked, texts, found))
    return [Scrubbed(text, tuple(sorted(count.items())))
            for text, count in zip(texts, counts, strict=True)]  # fmt: skip


def left_out(text: str) -> str:
    """Return the text without its secrets and without placeholders, to make a name of."""
    return re.sub(_PLACEHOLDER, " ", scrub(text).text)


def refuse(field: str, text: str) -> None:
    """Raise SecretError when the text holds a secret; it names field and type, never the value."""
    refuse_named([(field, text)], ())


def refuse_named(named: Iterable[tuple[str, str]], free: Iterable[str]) -> None:
    """Raise SecretError for the first (field, text) that `suspicions` tells of."""
    for field, told in suspicions(named, free):
        raise SecretError(
            told, f"take it out of {field}; names, paths, tags and urls are never masked"
        )


def suspicion(field: str, text: str) -> str | None:
    """Return what `refuse` would say, or None for a text that holds no secret."""
    return next((told for _, told in suspicions([(field, text)], ())), None)


def suspicions(named: Iterable[tuple[str, str]], free: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield every field that holds a secret, and a sentence with its type and never the value.

    A name has no place for what gives a secret away, so a generated value that a text beside it
    (``free``) holds as a secret is one in a name too, in the spelling that a name has.
    """
    given = {value: kind for text in free for kind, value in _generated(text)}
    for field, text in named:
        spelt = _spelt(text)
        types = [one.type for one in find(text)] or [
            kind for value, kind in given.items() if value in spelt
        ]
        if types:
            told = f"expected no secret, found something that looks like {types[0]}"
            yield field, f"{field}: {told}"


def gates_in(lowered: str) -> list[str]:
    """Return the gates of rules that a text in lower case holds.

    All of its triples of letters are taken at once, and only what begins with one is looked for.
    """
    triples = _OPENINGS.keys() & zip(lowered, lowered[1:], lowered[2:], strict=False)
    candidates = (gate for letters in (*_SHORT, *triples) for gate in _OPENINGS[letters])
    return [gate for gate in candidates if gate in lowered]


def _generated(text: str) -> Iterator[tuple[str, str]]:
    """Yield type and value, as a name spells it, of the secrets that something generated."""
    for one in find(text):
        value = text[one.start : one.end]
        if strength(value) == RANDOM and _spelt(value):
            yield one.type, _spelt(value)


def _spelt(text: str) -> str:
    """Return a text as a name spells it: letters and digits in lower case, joined by hyphens."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower()))


def _find_all(texts: Iterable[str]) -> list[list[Finding]]:
    """Return the secrets of each text; the generated values of one are looked for in all."""
    raw = [(text, list(_raw(text))) for text in texts]
    given = {value: rank for text, spans in raw for value, rank in _given(text, spans)}
    return [_settled(text, [*spans, *_copies(text, given)]) for text, spans in raw]


def _raw(text: str) -> Iterator[_Span]:
    for rank in _possible(text.lower()):
        for start, end in _matches(RULES[rank], text):
            yield start, end, rank


def _given(text: str, spans: list[_Span]) -> Iterator[tuple[str, int]]:
    """Yield the generated values of a text with the ranks of their rules.

    Its lines are read as one too: a value may stand below its label, or a sentence be wrapped.
    """
    values = [(text[start:end], rank) for start, end, rank in spans]
    line = _one_line(text)
    if line != text:
        found = ((line[start:end], rank) for start, end, rank in _raw(line))
        values += [one for one in found if " " not in one[0]]
    yield from (one for one in values if strength(one[0]) == RANDOM)


def _one_line(text: str) -> str:
    """Return the lines as one, without indentation, marks of Markdown and YAML, and fences."""
    if "\n" not in text and "**" not in text:
        return text
    lines = (re.sub(_MARKS, "", line).strip() for line in text.split("\n"))
    return " ".join(line for line in lines if line and not line.startswith(_FENCES))


def _masked(text: str, findings: list[Finding]) -> str:
    parts: list[str] = []
    done = 0
    for finding in findings:
        parts += (text[done : finding.start], f"[REDACTED:{finding.type}]")
        done = finding.end
    return "".join((*parts, text[done:]))


def _possible(lowered: str) -> list[int]:
    """Return the ranks of the rules whose pattern is worth compiling, by substrings alone."""
    present = gates_in(lowered)
    return sorted({rank for gate in present for rank in _RANKS[gate]
                   if not RULES[rank].near or _is_near(RULES[rank], gate, lowered)})  # fmt: skip


def _is_near(rule: Rule, gate: str, lowered: str) -> bool:
    return any(
        any(sign in lowered[place : place + rule.reach] for sign in rule.near)
        for place in _places(gate, lowered)
    )


def _places(part: str, text: str) -> Iterator[int]:
    place = text.find(part)
    while place >= 0:
        yield place + len(part)
        place = text.find(part, place + len(part))


def _matches(rule: Rule, text: str) -> Iterator[tuple[int, int]]:
    """Yield the span of each value; after a value that is none, look again from its beginning."""
    pattern = re.compile(rule.pattern)
    judge = JUDGES[rule.judge]
    position = 0
    while match := pattern.search(text, position):
        start, end = _span(match)
        found = end > start and judge(match, text[start:end])
        position = end if found else max(start, match.start() + 1)
        if found:
            yield start, end


def _span(match: re.Match[str]) -> tuple[int, int]:
    groups = match.groupdict()
    if groups.get("quoted") is not None:
        return match.span("quoted")
    if "value" not in groups:
        return match.span()
    start, end = match.span("value")
    if match.string[end : end + 1] == "@":
        return start, end  # in an address, where no sentence ends
    return start, start + len(_western(match["value"]).rstrip(_PUNCTUATION))


def _western(value: str) -> str:
    """Return the value up to the first East Asian letter or mark: those join without spaces."""
    if value.isascii():
        return value
    ends = (place for place, char in enumerate(value) if "\u3000" <= char < "\ufff0")
    return value[: next(ends, None)]


def _copies(text: str, given: Mapping[str, int]) -> Iterator[_Span]:
    """Yield the places where a generated value stands bare, once something gave it away."""
    for value, rank in given.items():
        for after in _places(value, text):
            yield after - len(value), after, rank


def _settled(text: str, raw: list[_Span]) -> list[Finding]:
    """Join what overlaps under its most specific type; leave what touches a placeholder."""
    masked = [match.span() for match in re.finditer(_PLACEHOLDER, text)] if raw else []
    joined: list[_Span] = []
    for start, end, rank in sorted(raw):
        if any(start < stop and begin < end for begin, stop in masked):
            continue
        if joined and start < joined[-1][1]:
            before = joined[-1]
            joined[-1] = (before[0], max(before[1], end), min(before[2], rank))
        else:
            joined.append((start, end, rank))
    return [Finding(RULES[rank].type, start, end) for start, end, rank in joined]
