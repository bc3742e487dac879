"""The block that tells an agent what is known here: a line an entry, what needs checking first.

It is a projection, built afresh from the cache and the present verdicts: the same bytes for the
same input. Entry text is data: nothing in it can close the block or hide in it.
"""

from __future__ import annotations

from git_knowl.model.limits import INDEX_DEFAULT_BUDGET
from git_knowl.model.status import ACTIVE, SUSPECT, UNKNOWN
from git_knowl.model.text import for_agent, unmarked
from git_knowl.model.tiers import TIERS
from git_knowl.plumbing.listing import tree_blobs
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
#: What the tail may come to: every place with its counts, and the words around them.
TAIL_CHARACTERS = MOST_PLACES * (LABEL_CHARACTERS + 30) + 100
ASCII_PER_TOKEN = 4
OTHERS_PER_TOKEN = 1.3

TYPES = ("project", "reference", "feedback")
OPENING = """\
<knowledge>
What earlier sessions found out in this repository. Entries marked [suspect], [unknown], [conflict]
or [unattended] are checked before anyone relies on them. The user's word, specifications and
guidelines outrank entries. `git knowl show NAME` prints an entry.
"""
CLOSING = "</knowledge>\n"
#: What is said of entries that are left out for their tier; how many there may be is generous.
KEPT_OUT = "\n{} kept from agents by knowl.trust.\n"
KEPT_CHARACTERS = len(KEPT_OUT) + 20
#: What all but lines and tail may come to: opening, closing, three headings with their breaks.
FRAME = len(OPENING) + len(CLOSING) + KEPT_CHARACTERS + sum(len(kind) + 3 for kind in TYPES)


class Line:
    """An entry as the block lists it; lines sort by urgency, then by name.

    Most of the lines are only sorted, so what they say is made when somebody asks.
    """

    __slots__ = ("_row", "rank", "status", "type")

    def __init__(self, row: EntryRow, status: str) -> None:
        self._row = row
        self.type = row.type
        self.status = status
        self.rank = (urgency(row, status), row.name)

    @property
    def place(self) -> str:
        """What the tail calls the place of the entry."""
        return place_label(self._row.place, self.type)

    @property
    def text(self) -> str:
        """The line, with its end."""
        return line_text(self._row, self.status)


def build(
    cache: CacheReader,
    statuses: Mapping[str, str],
    held: Held,
    budget: int = INDEX_DEFAULT_BUDGET,
    trusted: tuple[str, ...] = TIERS,
) -> str:
    """Return the block for the entries of a cache, or '' when there are none.

    ``statuses`` has the verdict of every entry that is not active; ``held`` is asked for the files
    of promoted entries, which are left out where the checkout holds the guideline; ``budget`` is
    the number of tokens for entry lines; of entries that are not of a ``trusted`` tier only the
    number is told.
    """
    entries = Admitted(cache, trusted)
    left_out = promoted_here(entries, held)
    total, places = census(entries, left_out.values())
    lines = candidates(entries, statuses, left_out, FEW_LINES)
    shown = take(lines, budget)
    if len(shown) == len(lines) < total:
        lines = candidates(entries, statuses, left_out, MOST_LINES)
        shown = take(lines, budget)
    return framed(body(lines, len(shown), total, places) + kept_out(entries.kept_out()))


def candidates(
    cache: Admitted, statuses: Mapping[str, str], left_out: Collection[str], most: int
) -> list[Line]:
    """Return a line for every entry with a mark of urgency, and for others up to ``most``."""
    marked = {row.id: row for row in cache.by_ids(statuses)}
    marked |= {row.id: row for row in cache.conflicts()}
    if len(marked) < most:
        others = cache.first_rows(most + len(marked) + len(left_out))
        marked |= {row.id: row for row in others}
    rows = (row for row in marked.values() if row.id not in left_out)
    lines = [Line(row, statuses.get(row.id, ACTIVE)) for row in rows]
    return sorted(lines, key=lambda line: line.rank)


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


def line_text(row: EntryRow, status: str) -> str:
    """Return the line of an entry with its marks; of a conflicted one only the name is told."""
    name = for_agent(row.name, single_line=True)
    if row.conflict:
        return f"- {name} [conflict]\n"
    marks = [f" [{status}]"] if status != ACTIVE else []
    marks += [" [unattended]"] if row.is_unattended else []
    return f"- {name} — {unmarked(for_agent(row.description, single_line=True))}{''.join(marks)}\n"


def urgency(row: EntryRow, status: str) -> int:
    """Return the rank of what needs checking: suspect, unknown, conflict, the rest."""
    if status in (SUSPECT, UNKNOWN):
        return (SUSPECT, UNKNOWN).index(status)
    return 2 if row.conflict else 3


def place_label(place: str, kind: str) -> str:
    """Return what the tail calls a place; entries without a path are told by their type."""
    label = for_agent(place, single_line=True) or f"other {kind}"
    return label if len(label) <= LABEL_CHARACTERS else f"{label[: LABEL_CHARACTERS - 1]}…"


def estimate(text: str) -> float:
    """Return about how many tokens a text costs a model."""
    ascii_only = len(text.encode("ascii", "ignore"))
    return ascii_only / ASCII_PER_TOKEN + (len(text) - ascii_only) / OTHERS_PER_TOKEN


def _take_away(counts: dict[str, int], place: str) -> None:
    if place in counts:
        counts[place] -= 1
