"""What people and agents looked for and did not find, and how one of it becomes a flag."""

from __future__ import annotations

from dataclasses import dataclass, replace

from git_knowl.errors import KnowlError
from git_knowl.services.context import Context
from git_knowl.services.flag import Flagged, flag
from git_knowl.services.use import gather, used
from git_knowl.services.use_log import key_of
from git_knowl.store.use import Question, Used

#: So many letters of a key are shown, and enough to name one.
SHORT_KEY = 8


class MissError(KnowlError):
    """A question that cannot be found, or that nobody knows the words of."""


@dataclass(frozen=True, slots=True)
class Missed:
    """A question that was turned into a flag."""

    question: Question
    raised: Flagged


def misses(ctx: Context) -> list[Question]:
    """Return the questions that were asked in vain, the most frequent first."""
    found = [one for one in used(ctx).questions.values() if one.missed]
    found.sort(key=lambda one: (one.missed, one.last, one.key), reverse=True)
    return found


def flag_miss(ctx: Context, key: str, words: str = "") -> Missed:
    """Flag a question that was asked in vain, in words or in its own if they are known.

    Raises MissError for a key of none, and where neither gives the words.
    """
    question = find_miss(ctx, key)
    text = words.strip() or question.text
    if not text:
        raise MissError(
            f"of the question {question.key[:SHORT_KEY]} only a hash is kept, expected its words",
            "put them behind the key; 'git config knowl.keepQuestions true' keeps them from now on",
        )
    times = "once" if question.missed == 1 else f"{question.missed} times"
    raised = flag(ctx, f"Looked for {times}, and nothing is known: {text}")
    made = Question(question.key, flag=raised.flag.id, text=question.text)
    gather(ctx, Used({}, {question.key: made}))
    return Missed(replace(question, flag=raised.flag.id), raised)


def find_miss(ctx: Context, key: str) -> Question:
    """Return the question that was asked in vain of a key, its beginning, or its very words."""
    known = {one.key: one for one in misses(ctx)}
    asked = key_of(ctx, key)
    if asked in known:
        return known[str(asked)]
    found = [one for one in known if len(key) >= SHORT_KEY and one.startswith(key)]
    if len(found) != 1:
        raise MissError(
            f"expected the key of one question that found nothing, got '{key}'",
            "'git knowl search --misses' lists them",
        )
    return known[found[0]]
