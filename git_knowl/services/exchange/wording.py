"""How a text of another system is called here: a name, one line that says when to open it, tags."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from git_knowl.model import limits
from git_knowl.model.faults import LINE
from git_knowl.model.rules import REASON
from git_knowl.services.filters import secrets

#: How long a generated name and a generated description get: an index line is about 30 tokens.
NAME_LENGTH = 60
DESCRIPTION_LENGTH = 180
#: Words that a name of many words can do without.
FILLERS = frozenset(
    ("a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "into", "is", "it",
     "its", "of", "on", "or", "that", "the", "this", "to", "when", "with")
)  # fmt: skip
ENOUGH_WORDS = 7
MOST_TAGS = 3

LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)|\[\[([^\]\n]+)\]\]")
MARKS = re.compile(r"[`*]+|(?<![\w])_+|_+(?![\w])|~~|<!--.*?-->")
LEAD = re.compile(r"^\s*(?:#{1,6}\s+|>\s*|[-*+]\s+|\d{1,9}[.)]\s+|\[[ xX]\]\s+)+")
SENTENCE = re.compile(r"(.+?[.!?])(?=\s|$)")
COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
#: How a rule begins that tells somebody what to do.
DIRECTIVE = re.compile(
    r"(?:always|never|do not|don't|dont|must|should|shall|prefer|avoid|use|ask|only|make sure"
    r"|ensure|no|stop|keep|write|run|follow|be)\b",
    re.IGNORECASE,
)
NO_REASON = (
    "it reads like feedback and gives no reason: with a line 'Why: …' its type can be feedback"
)


def slug(text: str, limit: int = NAME_LENGTH) -> str:
    """Return a text in kebab-case, without fillers where it is long; "" where nothing is left.

    No secret goes into it: without its marks a text may show one that was not seen with them.
    """
    bare = secrets.left_out(flat(text)).casefold()
    plain = unicodedata.normalize("NFKD", bare).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.replace("'", ""))
    if len(words) > ENOUGH_WORDS:
        words = [word for word in words if word not in FILLERS][:ENOUGH_WORDS]
    name = ""
    for word in words:
        longer = f"{name}-{word}" if name else word[:limit]
        if len(longer) > limit:
            break
        name = longer
    return name


def flat(text: str) -> str:
    """Return Markdown as one plain line: no marks, no link targets, nothing that nobody sees."""
    plain = MARKS.sub("", LINK.sub(lambda found: found[1] or found[2] or "", text))
    return " ".join(LINE.sub(" ", plain).split())


def lead_off(line: str) -> str:
    """Return a line without what marks it as a heading, quote or item."""
    return LEAD.sub("", line)


def first_sentence(text: str) -> str:
    """Return the first sentence of a text as one plain line."""
    paragraph: list[str] = []
    for line in COMMENT.sub("", text).split("\n"):
        told = flat(lead_off(line))
        if not told or line.lstrip().startswith(("#", "```", "~~~", "|")):
            if paragraph:
                break
            continue
        paragraph.append(told)
    whole = " ".join(paragraph)
    found = SENTENCE.match(whole)
    return found[1] if found else whole


def cut(text: str, limit: int) -> str:
    """Return a line of at most so many characters, cut after a word."""
    if len(text) <= limit:
        return text
    return f"{text[: limit - 1].rsplit(' ', 1)[0].rstrip(' ,;:-')}…"


def described(topic: str, sentence: str) -> str:
    """Return the line that says when to open a text about a topic, both of them plain."""
    if topic and sentence and not is_said(topic, sentence):
        return cut(f"When it is about {cut(topic, 80)}: {sentence}", DESCRIPTION_LENGTH)
    told = sentence or topic
    return cut(f"When it is about {told[:1].lower()}{told[1:]}" if told else "", DESCRIPTION_LENGTH)


def is_said(topic: str, sentence: str) -> bool:
    """Tell whether a sentence names its topic already."""
    return topic.casefold() in sentence.casefold()


def given_description(text: str) -> str:
    """Return the description somebody wrote, on one line within its limit."""
    return cut(flat(text), limits.DESCRIPTION)


def tags_of(titles: Iterable[str]) -> list[str]:
    """Return the innermost headings as tags."""
    found = [slug(title, limits.TAG) for title in titles]
    return list(dict.fromkeys(filter(None, found)))[-MOST_TAGS:]


def type_of(body: str, *, is_feedback: bool, otherwise: str = "project") -> tuple[str, str | None]:
    """Return the type of a text, and what its reviewer should know of that.

    What somebody told an agent to do is feedback as soon as it says why.
    """
    if not is_feedback:
        return otherwise, None
    return ("feedback", None) if REASON.search(body) else (otherwise, NO_REASON)
