"""What this clone remembers of its own use: counts by entry, and questions that were asked.

Counts are lines ``ID SHOWN READ USEFUL WRONG LAST`` in ``use/counts``, one file, as they are added
by the hundred; ``use/since`` tells when counting began. Questions are JSON lines in
``use/questions``, the latest of them. All of it may be lost, and a line that nobody can read counts
for nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from git_knowl.model.ids import ALPHABET
from git_knowl.plumbing import refs
from git_knowl.store.view import View

COUNTS = "use/counts"
SINCE = "use/since"
QUESTIONS = "use/questions"
#: So many are kept, those of which something was heard last.
MOST_QUESTIONS = 500
MOST_COUNTED = 20_000
_ID_LETTERS = 26
_FIELDS = ("key", "asked", "missed", "last", "text", "flag")


@dataclass(frozen=True, slots=True)
class Tally:
    """How often an entry was shown in answers, read whole, and judged; ``last`` is when."""

    shown: int = 0
    read: int = 0
    useful: int = 0
    wrong: int = 0
    last: str = ""

    def plus(self, other: Tally) -> Tally:
        """Return both together."""
        return Tally(
            self.shown + other.shown,
            self.read + other.read,
            self.useful + other.useful,
            self.wrong + other.wrong,
            max(self.last, other.last),
        )


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody looked for: how often, how often in vain, and when last.

    ``key`` stands for the words, of which ``text`` is kept only where the user set that; ``flag``
    is the flag that was made of it.
    """

    key: str
    asked: int = 0
    missed: int = 0
    last: str = ""
    text: str | None = None
    flag: str | None = None

    def plus(self, other: Question) -> Question:
        """Return both together."""
        return Question(
            self.key,
            self.asked + other.asked,
            self.missed + other.missed,
            max(self.last, other.last),
            other.text or self.text,
            other.flag or self.flag,
        )


@dataclass(frozen=True, slots=True)
class Used:
    """Counts by entry, questions by key, and when counting began ("" for never)."""

    tallies: Mapping[str, Tally]
    questions: Mapping[str, Question]
    since: str = ""

    def plus(self, other: Used) -> Used:
        """Return both together."""
        begun = [one.since for one in (self, other) if one.since]
        return Used(
            _sums(self.tallies, other.tallies),
            _sums(self.questions, other.questions),
            min(begun, default=""),
        )


@dataclass(frozen=True, slots=True)
class AddUse:
    """Add counts and questions to what is remembered."""

    used: Used

    def apply(self, view: View) -> None:
        """Stage the files that change."""
        tree = view.tree(refs.STATE)
        if self.used.tallies:
            counted = _tallies(tree.read(COUNTS))
            tree.stage(COUNTS, _tally_lines(_sums(counted, self.used.tallies)))
        if self.used.since and tree.find(SINCE) is None:
            tree.stage(SINCE, f"{self.used.since}\n".encode())
        if self.used.questions:
            known = _questions(tree.read(QUESTIONS))
            tree.stage(QUESTIONS, _question_lines(_sums(known, self.used.questions)))


def read_used(view: View) -> Used:
    """Return all that is remembered."""
    tree = view.tree(refs.STATE)
    since = (tree.read(SINCE) or b"").decode("ascii", "replace").strip()
    return Used(_tallies(tree.read(COUNTS)), _questions(tree.read(QUESTIONS)), since)


def _sums(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(first)
    for key, one in second.items():
        found[key] = found[key].plus(one) if key in found else one
    return found


def is_id(text: object) -> bool:
    """Tell whether a text has the letters and the length of an id."""
    return isinstance(text, str) and len(text) == _ID_LETTERS and not text.strip(ALPHABET)


def _tallies(data: bytes | None) -> dict[str, Tally]:
    found = {}
    for line in (data or b"").decode("ascii", "replace").splitlines():
        identifier, *counts = line.split(" ")
        if is_id(identifier) and len(counts) > 4 and all(one.isdecimal() for one in counts[:4]):
            shown, read, useful, wrong = map(int, counts[:4])
            found[identifier] = Tally(shown, read, useful, wrong, counts[4])
    return found


def _tally_lines(tallies: Mapping[str, Tally]) -> bytes:
    latest = sorted(tallies.items(), key=lambda pair: pair[1].last)[-MOST_COUNTED:]
    lines = (
        f"{key} {one.shown} {one.read} {one.useful} {one.wrong} {one.last}\n"
        for key, one in sorted(latest)
    )
    return "".join(lines).encode("ascii", "replace")


def _questions(data: bytes | None) -> dict[str, Question]:
    lines = (data or b"").decode("utf-8", "replace").split("\n")
    return {one.key: one for one in _parsed(lines)}


def _parsed(lines: Iterable[str]) -> Iterator[Question]:
    for line in filter(None, lines):
        try:
            told = json.loads(line)
        except ValueError:
            continue
        if isinstance(told, dict) and is_question(told):
            yield Question(**{key: told[key] for key in _FIELDS if key in told})


def is_question(told: Mapping[str, Any]) -> bool:
    """Tell whether fields are those of a question."""
    kinds = {"key": str, "asked": int, "missed": int, "last": str}
    texts = (told.get("text"), told.get("flag"))
    return all(isinstance(told.get(key), kind) for key, kind in kinds.items()) and all(
        one is None or isinstance(one, str) for one in texts
    )


def _question_lines(questions: Mapping[str, Question]) -> bytes:
    latest = sorted(questions.values(), key=lambda one: one.last)[-MOST_QUESTIONS:]
    lines = (json.dumps(asdict(one), sort_keys=True, ensure_ascii=False) for one in latest)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
