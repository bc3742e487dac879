"""The block that tells an agent what is known here: a line an entry, what needs checking first.

Then comes what is near the work of this worktree, then what was of use, then the rest by name.

It is a projection, built afresh from the cache and the present verdicts: the same bytes for the
same input. Entry text is data: nothing in it can close the block or hide in it.
"""

from __future__ import annotations

from git_knowl.model.limits import INDEX_DEFAULT_BUDGET
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from git_knowl.model.text import for_agent, unmarked
from git_knowl.model.tiers import TIERS
from git_knowl.plumbing.listing import tree_blobs
from git_knowl.services.index_rank import Ranking
from git_knowl.services.index_text import CLOSING, OPENING
from git_knowl.store.cache_tiers import Admitted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from git_knowl.plumbing.repository import Repository
    from git_knowl.store.cache import CacheReader, EntryRow

    #: Tells which of some guideline files the asking checkout holds.
    Held = Callable[[list[str]], set[str]]

#: Hosts cut or hide a longer block.
MOST_CHARACTERS = 9_000
#: So many lines are looked at first, which is enough for the usual budget; more never fit.
FEW_LINES = 100
MOST_LINES = 400
MOST_PLACES = 10
#: So many of the fullest places are looked at; listing their entries makes some of them less full.
COUNTED_PLACES = 50
LABEL_CHARACTERS = 60
CUT = "…"
#: What a path may hold beside letters and digits and stand without quotes.
PLAIN = frozenset("._-+@~/" + CUT)
QUOTE, INSTEAD = '"', "'"
#: What the tail may come to: every place with its counts, and the words around them.
TAIL_CHARACTERS = MOST_PLACES * (LABEL_CHARACTERS + 32) + 100
#: What name and description of a line may take, and what is left to the description of a long
#: name; `git knowl show` prints the whole. With a mark it is 30 tokens in the mean, by a tokenizer.
LINE_TOKENS, FEWEST_TOKENS = 24, 12
ALL = float("inf")
ASCII_PER_TOKEN = 4
OTHERS_PER_TOKEN = 1.1

TYPES = ("project", "reference", "feedback")
#: What is said of entries that are left out for their tier; how many there may be is generous.
KEPT_OUT = "\n{} kept from agents by knowl.trust.\n"
KEPT_CHARACTERS = len(KEPT_OUT) + 20
#: What all but lines and tail may come to: opening, closing, three headings with their breaks.
FRAME = len(OPENING) + len(CLOSING) + KEPT_CHARACTERS + sum(len(kind) + 3 for kind in TYPES)
UNRANKED = Ranking({}, {}, {})


class Line:
    """An entry as the block lists it; lines sort by urgency, then by rank, then by name.

    Most of the lines are only sorted, so what they say is made when somebody asks.
    """

    __slots__ = ("_row", "_text", "rank", "status", "type")

    def __init__(self, row: EntryRow, status: str, ranking: Ranking = UNRANKED) -> None:
        self._row = row
        self._text = ""
        self.type = row.type
        self.status = status
        self.rank = (urgency(row, status), *ranking.of(row), row.name)

    @property
    def place(self) -> str:
        """What the tail calls the place of the entry."""
        return place_label(self._row.place, self.type)

    @property
    def text(self) -> str:
        """The line, with its end."""
        if not self._text:
            most = max(FEWEST_TOKENS, LINE_TOKENS - estimate(self._row.name))
            self._text = line_text(self._row, self.status, most)
        return self._text


def build(
    cache: CacheReader,
    statuses: Mapping[str, str],
    held: Held,
    budget: int = INDEX_DEFAULT_BUDGET,
    trusted: tuple[str, ...] = TIERS,
    ranking: Ranking = UNRANKED,
) -> str:
    """Return the block for the entries of a cache, or '' when there are none.

    ``statuses`` has the verdict of every entry that is not active; ``held`` is asked for the files
    of promoted entries, which are left out where the checkout holds the guideline; ``budget`` is
    the number of tokens for entry lines; of entries that are not of a ``trusted`` tier only the
    number is told, and superseded ones are no part of it.
    """
    entries = Admitted(cache, trusted)
    left_out = promoted_here(entries, held)
    total, places = census(entries, left_out.values())

    def lines_of(most: int) -> list[Line]:
        rows = candidates(entries, {*statuses, *ranking.ids}, len(left_out), most)
        kept = (row for row in rows if row.id not in left_out)
        lines = [Line(row, statuses.get(row.id, ACTIVE), ranking) for row in kept]
        return sorted(lines, key=lambda line: line.rank)

    lines = lines_of(FEW_LINES)
    shown = take(lines, budget)
    if len(shown) == len(lines) < total:
        lines = lines_of(MOST_LINES)
        shown = take(lines, budget)
    return framed(body(lines, len(shown), total, places) + kept_out(entries.kept_out()))


def candidates(
    cache: Admitted, ahead: Collection[str], left_out: int, most: int
) -> Collection[EntryRow]:
    """Return every entry with something to put it ahead, and the first others up to ``most``.

    So many as will be ``left_out`` come on top.
    """
    found = {row.id: row for row in cache.by_ids(ahead)}
    found |= {row.id: row for row in cache.conflicts()}
    if len(found) < most:
        others = cache.first_rows(most + len(found) + left_out)
        found |= {row.id: row for row in others}
    return found.values()


def promoted_here(cache: Admitted, held: Held) -> dict[str, EntryRow]:
    """Return the entries whose present text the checkout has as a guideline."""
    promoted = [row for row in cache.promoted() if row.digest == row.promoted_digest]
    files = sorted({row.promoted_file for row in promoted if row.promoted_file})
    there = held(files) if files else set()
    return {row.id: row for row in promoted if row.promoted_file in there}


def guidelines_at(repo: Repository, head: str | None) -> Held:
    """Return the question which guideline files a commit holds; without a commit, none."""

    def held(files: list[str]) -> set[str]:
        return set(tree_blobs(repo, head, files)) if head else set()

    return held


def census(cache: Admitted, left_out: Iterable[EntryRow]) -> tuple[int, dict[str, int]]:
    """Return the number of entries the block is about, and that of the fullest places."""
    total = cache.size()
    counts: dict[str, int] = {}
    found = [(place_label(place, ""), count) for place, count in cache.places(COUNTED_PLACES)]
    for label, count in found + [(place_label("", kind), n) for kind, n in cache.placeless()]:
        counts[label] = counts.get(label, 0) + count
    for row in left_out:
        total -= 1
        _take_away(counts, place_label(row.place, row.type))
    return total, counts


def framed(text: str) -> str:
    """Return the block around what is known, or '' where nothing is."""
    return f"{OPENING}{text}{CLOSING}" if text else ""


def body(lines: list[Line], shown: int, total: int, places: Mapping[str, int]) -> str:
    """Return the first ``shown`` of the lines, and a tail that counts the rest.

    ``total`` is the number of all entries, listed or not, ``places`` how many of them are where.
    """
    if not total:
        return ""
    sections = [section(kind, lines[:shown]) for kind in TYPES]
    return "".join((*sections, tail(lines, shown, total, places)))


def kept_out(count: int) -> str:
    """Return the sentence that tells how many entries are left out for their tier."""
    return KEPT_OUT.format("1 entry is" if count == 1 else f"{count} entries are") if count else ""


def take(lines: list[Line], budget: int) -> list[Line]:
    """Return the lines that fit into budget and block, stopping at the first that does not."""
    tokens, characters = float(budget), MOST_CHARACTERS - FRAME - TAIL_CHARACTERS
    for at, line in enumerate(lines):
        text = line.text
        tokens -= estimate(text)
        characters -= len(text)
        if tokens < 0 or characters < 0:
            return lines[:at]
    return lines


def section(kind: str, lines: Iterable[Line]) -> str:
    """Return the heading of a type and its lines, or '' without any."""
    texts = [line.text for line in lines if line.type == kind]
    return "".join((f"\n{kind}:\n", *texts)) if texts else ""


def tail(lines: list[Line], shown: int, total: int, places: Mapping[str, int]) -> str:
    """Return the sentence that counts the entries not shown, the fullest places first."""
    if shown == total:
        return ""
    rest = dict(places)
    for line in lines[:shown]:
        _take_away(rest, line.place)
    suspects = count_suspects(lines[shown:])
    doubt = f", {sum(suspects.values())} suspect" if suspects else ""
    counted = sorted((-count, place) for place, count in rest.items() if count > 0)
    parts = [
        f"{place} {-count}" + (f", {suspects[place]} suspect" if place in suspects else "")
        for count, place in counted[:MOST_PLACES]
    ]
    if sum(count for count, _ in counted[:MOST_PLACES]) + total > shown:
        parts.append("and others")
    return f"\n{total - shown} more{doubt}: {'; '.join(parts)}. `git knowl ls` lists them.\n"


def count_suspects(lines: Iterable[Line]) -> dict[str, int]:
    """Return how many of the lines are suspect, by place."""
    counts: dict[str, int] = {}
    for line in lines:
        if line.status == SUSPECT:
            counts[line.place] = counts.get(line.place, 0) + 1
    return counts


def line_text(row: EntryRow, status: str, most: float = ALL) -> str:
    """Return the line of an entry with its marks; of a conflicted one only the name is told.

    Of the description there are ``most`` tokens.
    """
    name = for_agent(row.name, single_line=True)
    if row.conflict:
        return f"- {name} [conflict]\n"
    marks = [f" [{status}]"] if status != ACTIVE else []
    marks += [" [unattended]"] if row.is_unattended else []
    said = unmarked(for_agent(shortened(row.description, most), single_line=True))
    return f"- {name} — {said}{''.join(marks)}\n"


def shortened(text: str, most: float) -> str:
    """Return as much of a text as so many tokens hold, to the end of a word if it has words."""
    if estimate(text) <= most:
        return text
    at = int(most * (ASCII_PER_TOKEN if text.isascii() else OTHERS_PER_TOKEN))
    while estimate(text[: at + 1]) <= most:
        at += 1
    head, space, _ = text[:at].rpartition(" ")
    return f"{head if space else text[:at]}{CUT}"


def urgency(row: EntryRow, status: str) -> int:
    """Return the rank of what needs checking: suspect, unknown, conflict, the rest."""
    if status in (SUSPECT, UNKNOWN):
        return (SUSPECT, UNKNOWN).index(status)
    return 2 if row.conflict else 3


def place_label(place: str, kind: str) -> str:
    """Return what the tail calls a place; entries without a path are told by their type."""
    return plain_label(place) if place else f"other {kind}"


def plain_label(path: str) -> str:
    """Return a path as a word of a sentence of ours: quoted where it could be more than one.

    Nothing in it looks like a mark, an end or a count of ours.
    """
    label = unmarked(for_agent(path, single_line=True))
    if len(label) > LABEL_CHARACTERS:
        label = f"{label[: LABEL_CHARACTERS - 1]}{CUT}"
    if all(char.isalnum() or char in PLAIN for char in label):
        return label
    return f'"{label.replace(QUOTE, INSTEAD)}"'


def estimate(text: str) -> float:
    """Return about how many tokens a text costs a model."""
    ascii_only = len(text.encode("ascii", "ignore"))
    return ascii_only / ASCII_PER_TOKEN + (len(text) - ascii_only) / OTHERS_PER_TOKEN


def _take_away(counts: dict[str, int], place: str) -> None:
    if place in counts:
        counts[place] -= 1
