"""What the store has to say on a question of the user: a few entries, or nothing."""

from __future__ import annotations

from git_knowl.services.agents.cards import card
from git_knowl.services.index import line_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.services.agents.memory import Memory
    from git_knowl.services.agents.touching import Asked

HEADING = "Entries that may bear on the question:\n"
MOST = 3
#: An entry that fits much worse than the best one does not fit confidently.
NEAR = 0.7
#: Of a longer text, such as a pasted log, nothing can be said to be the question.
LONGEST = 4_000
SHORTEST = 8


def recall(asked: Asked, memory: Memory, prompt: str) -> str:
    """Return the entries that confidently fit a question and were not told for one before."""
    question = prompt.strip()
    if not SHORTEST <= len(question) <= LONGEST or not asked.cache.size():
        return ""
    from git_knowl.services.search import search  # noqa: PLC0415 - for questions alone

    found = search(asked.cache, question, MOST)
    if not found.confident:
        return ""
    near = [hit.id for hit in found.hits if hit.score >= NEAR * found.hits[0].score]
    rows = {row.id: row for row in asked.admitted(near) if not row.conflict}
    fitting = [rows[one] for one in near if one in rows]
    new = [row for row in fitting if not memory.knows(f"?{row.id}", row.digest)]
    statuses = asked.statuses(new) if new else {}
    return card(HEADING, [line_text(row, statuses[row.id]) for row in new])
