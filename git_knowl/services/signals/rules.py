"""Which commits are worth a flag: rules that were read against real histories (docs/signals.md).

A rule with two numbers held its value on histories it was not made on; cue words and tuned scores
fell apart there, so words only rank what `mine` proposes.
"""

from __future__ import annotations

import re

from git_knowl.model.light import dataclass
from git_knowl.services.filters.noise import count_words
from git_knowl.services.signals.prose import prose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.plumbing.messages import Message

TRAILER = "trailer"
REVERT = "revert"
PROSE = "prose"
REASON = "reason"
CHAIN = "chain"
COMMENT = "comment"
DEPENDENCY = "dependency"

#: At least so many words of prose ...
WORDS = 40
#: ... over at most so many changed lines.
LINES = 60
#: A revert says nothing without a sentence of its own.
REVERT_WORDS = 8
#: The wider net of `mine` needs a consequence besides.
WIDE_WORDS = 30
#: One more changed line weighs like this many in the rank.
_FEW_LINES = 10

# Patterns are compiled when they are asked for: a commit with a trailer asks for hardly any, and
# compiling all of them would take a third of a bare start of every hook.
_BOT = (
    r"\[bot\]|(?<![a-z])bot(?![a-z])|dependabot|renovate|greenkeeper|snyk|weblate|mergify"
    r"|github-actions|pre-commit-ci|copybara|semantic-release"
)
_REVERT = r"revert(?:s|ed)?\b"
_AREA = r"(?:[\w./*-]+(?:\([^)]*\))?!?: *)?"  # an area, or a conventional type with its scope
_FIX = rf"{_AREA}(?:hot|bug)?-?fix(?:es|ed|ing)?\b"
#: A new feature explains itself to its users; hardly any such commit was worth keeping.
_FEATURE = rf"{_AREA}(?:feat|add|allow|support|introduce|implement)(?:s|ed|ing)?\b"
_SURPRISE = (
    r"\bturns? out\b|\bthe (?:issue|problem|(?:root )?cause) (?:is|was)\b|\bsurpris|\bunexpec"
)
_DIRECTIVE = r"\b(?:do not|don't|never|must|always|from now on|avoid)\b"
#: Families of words that tell a consequence, a constraint, or where the trouble comes from.
_CUES = (
    _SURPRISE,
    r"\bcaus(?:es?|ed|ing)\b|\bleav(?:es|ing)\b|\bresults? in\b|\bmeans that\b|\bleads? to\b",
    r", so\b|\btherefore\b|\bhence\b|\bthus\b",
    r"\bmust(?: not|n't)?\b|\bcannot\b|\bcan't\b|\bneeds? to\b|\brequires?\b",
    r"\bdo(?:es)? not\b|\bdon't\b|\bdoesn't\b|\bnever\b|\bavoid(?:s|ed)?\b",
    r"\bupstream\b|\bbrowsers?\b|\bdrivers?\b|\bservers?\b|\bcompilers?\b|\bkernels?\b",
    r"\bWindows\b|\bmacOS\b|\bLinux\b|\bCVE-\d|\bRFC ?\d|\bv?\d+\.\d+(?:\.\d+)?\b",
    r"\bbreaks?\b|\bbroke\b|\bregress|\bdeadlock|\brace condition\b|\bcorrupt",
    r"\binstead of\b|\brather than\b|\bwork(?:s|ed|ing)? ?around\b",
)


@dataclass(frozen=True, slots=True)
class Signal:
    """Why a commit is worth a flag: the rule, the sentence for the flag and the prose behind it."""

    rule: str
    summary: str
    quote: str
    cue: str
    score: float = 0.0


def is_bot(message: Message) -> bool:
    """Tell whether a program wrote the commit, by the names and addresses on it."""
    return any(
        _says(_BOT, name) for name in (message.author, message.author_email, message.committer)
    )


def is_fix(message: Message) -> bool:
    """Tell whether the subject calls the commit a fix."""
    return _begins(_FIX, message.subject)


def signals(message: Message) -> list[Signal]:
    """Return what a commit itself gives reason to flag: each trailer, else at most one rule."""
    text = prose(message.body)
    if message.flags:
        return [Signal(TRAILER, told, text, _cue(f"{told} {text}")) for told in message.flags]
    if is_bot(message) or len(message.parents) > 1:
        return []
    rule = _rule(message, count_words(text))
    return [Signal(rule, message.subject, text, _cue(text))] if rule else []


def wide_signals(message: Message) -> list[Signal]:
    """Return what `mine` proposes of a commit, with the rank: the narrow rules and a wider net."""
    found = signals(message)
    text = prose(message.body)
    count = count_words(text)
    is_wide = count >= WIDE_WORDS and message.changes and any(_says(cue, text) for cue in _CUES)
    if not found and is_wide and not is_bot(message) and len(message.parents) <= 1:
        found = [Signal(REASON, message.subject, text, _cue(text))]
    return [
        Signal(one.rule, one.summary, one.quote, one.cue, _score(one, message, count))
        for one in found
    ]


def _rule(message: Message, words: int) -> str | None:
    is_revert = _begins(_REVERT, message.subject) or "This reverts commit" in message.body
    if is_revert and words >= REVERT_WORDS:
        return REVERT
    is_small = bool(message.changes) and message.lines is not None and message.lines <= LINES
    is_other = is_revert or _begins(_FEATURE, message.subject)
    return PROSE if words >= WORDS and is_small and not is_other else None


def _score(signal: Signal, message: Message, words: int) -> float:
    """Return the rank: words for each changed line first, then the consequences told."""
    lines = LINES if message.lines is None else message.lines
    density = words / (_FEW_LINES + lines)
    families = sum(_says(cue, signal.quote) for cue in _CUES)
    asked = {TRAILER: 100.0, REVERT: 1.0}.get(signal.rule, 0.0)
    return round(asked + density + families, 3)


def _cue(text: str) -> str:
    if _says(_SURPRISE, text):
        return "surprise"
    return "directive" if _says(_DIRECTIVE, text) else "background"


def _begins(pattern: str, text: str) -> bool:
    return re.match(pattern, text, re.IGNORECASE) is not None


def _says(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None
