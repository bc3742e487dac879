"""What the store has to say on a question of the user: a few entries, or nothing.

It ranks as `git knowl search` does, by the same functions, and notes the question as that does.
"""

from __future__ import annotations

from git_knowl.services import use_log
from git_knowl.services.agents.cards import card
from git_knowl.services.agents.journal import once
from git_knowl.services.index import line_text
from git_knowl.services.search import Scope, exact_ids
from git_knowl.services.search_fold import ranked
from git_knowl.store.superseded import superseded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_knowl.services.agents.memory import Memory
    from git_knowl.services.agents.touching import Asked
    from git_knowl.store.cache import EntryRow

    #: An entry that fits, with the line that tells it.
    Fitting = tuple[EntryRow, str]

HEADING = "Entries that may bear on the question:\n"
MOST = 3
#: An entry that fits much worse than the best one does not fit confidently.
NEAR = 0.7
#: Of a longer text, such as a pasted log, the first part stands for the question.
LONGEST, FIRST_PART = 4_000, 500
#: Less than this is "yes" or "go on", unless it is written without blanks, or the very name.
SHORTEST, SHORTEST_DENSE = 8, 4
#: From here on are the scripts of Chinese, Japanese and Korean.
DENSE = "\u2e80"


def recall(asked: Asked, memory: Memory, prompt: str) -> str:
    """Return the entries that confidently fit a question and were not told for one before."""
    question = prompt.strip()
    if len(question) > LONGEST:
        once(asked.ctx, memory, "all but the first part of a long prompt")
        question = first_part(question)
    if not (asked.has_personal or asked.cache.size()) or not is_question(asked, question):
        return ""
    whole = asked.has_personal or asked.settings.get("knowl.semantic", "").lower() == "everywhere"
    found = in_both(asked, question) if whole else in_store(asked, question)
    new = [one for one in found or () if not memory.knows(f"?{one[0].id}", one[0].digest)]
    note(asked, question, [row.id for row, _ in new], missed=found is None)
    return card(HEADING, [line for _, line in new])


def first_part(text: str) -> str:
    """Return the beginning of a text, to the end of a word if it has words."""
    head, space, _ = text[:FIRST_PART].rpartition(" ")
    return head if space else text[:FIRST_PART]


def is_question(asked: Asked, text: str) -> bool:
    """Tell whether a text says enough to look for: by its length, its script, or as a name."""
    if len(text) >= SHORTEST:
        return True
    dense = sum(char >= DENSE and char.isalpha() for char in text)
    return dense >= SHORTEST_DENSE or (bool(text) and bool(exact_ids(asked.cache, text)))


def in_store(asked: Asked, question: str) -> list[Fitting] | None:
    """Return what fits in the store of the repository, None where nothing surely does."""
    scope = Scope(hidden=frozenset(superseded(asked.cache)))
    found, _ = ranked(asked.cache, question, MOST, asked.judge, scope)
    if not found.confident:
        return None
    ids = [hit.id for hit in found.hits[: near([hit.score for hit in found.hits])]]
    rows = {row.id: row for row in asked.admitted(ids) if not row.conflict}
    statuses = asked.statuses(rows)
    return [(rows[one], line_text(rows[one], statuses[one])) for one in ids if one in rows]


def in_both(asked: Asked, question: str) -> list[Fitting] | None:
    """Return the same as everybody is told, of the personal store too."""
    from git_knowl.services.personal_block import marked  # noqa: PLC0415 - as there
    from git_knowl.services.personal_search import find_on_the_way  # noqa: PLC0415 - as there
    from git_knowl.services.personal_store import PERSONAL  # noqa: PLC0415 - for few

    asked.admitted(())
    found = find_on_the_way(asked.ctx, question, MOST)
    if not found.confident:
        return None
    fitting = found.listing.entries[: near(found.scores)]
    reaching = (one for one in fitting if one.tier in asked.trusted and not one.row.conflict)
    lines = ((one.row, line_text(one.row, one.verdict.status)) for one in reaching)
    return [(row, marked(line) if row.lane == PERSONAL else line) for row, line in lines]


def near(scores: Sequence[float]) -> int:
    """Return how many of the scores, the best first, are not much worse than the best."""
    return sum(score >= NEAR * scores[0] for score in scores)


def note(asked: Asked, question: str, ids: list[str], *, missed: bool) -> None:
    """Note the question; its words, for who set that, are looked through for secrets first."""
    if "knowl.keepquestions" in asked.settings:
        from git_knowl.services.use import note_lookup  # noqa: PLC0415 - for few

        note_lookup(asked.ctx, question, ids, missed=missed)
        return
    told = use_log.told_lookup(asked.ctx, question, ids, missed=missed)
    if told is not None:
        use_log.add(asked.ctx, told)
