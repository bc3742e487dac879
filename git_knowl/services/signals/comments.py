"""Comments in the code that call it a workaround: found in the present files, by their words."""

from __future__ import annotations

import re

from git_knowl.plumbing.grep import Hit, find_lines, line_author
from git_knowl.plumbing.messages import read_messages
from git_knowl.plumbing.repository import Repository
from git_knowl.services.filters.noise import count_words
from git_knowl.services.signals.flags import Candidate
from git_knowl.services.signals.rules import COMMENT, Signal

#: So many comments are worth asking who wrote them, and where only young ones count, so many.
MOST = 20
ASKED_OF = 100
WORDS = 6
_ASKED = r"(#|//|/\*|--|;|<!--|^ *\*).*\b(HACK|XXX|WORKAROUND|[Ww]ork-?around)\b"
_LEADER = re.compile(r"^.*?(?:#+|//+|/\*+|--+|;+|<!--|\*)\s*(?=\S*\s*\w)")
_CLOSER = re.compile(r"\s*(?:\*/|-->)\s*$")


def comments(repo: Repository, head: str, start: int | None = None) -> list[Candidate]:
    """Return the comments that say most, each as a candidate of the commit that wrote it.

    With ``start``, in seconds since the epoch, only those written since then.
    """
    told = [(hit, text) for hit in find_lines(repo, head, _ASKED) if (text := comment_text(hit))]
    told.sort(key=lambda one: -count_words(one[1]))
    asked = told[: MOST if start is None else ASKED_OF]
    found = [(line_author(repo, head, hit), hit, text) for hit, text in asked]
    written = [(oid, hit, text) for oid, hit, text in found if oid]
    messages = {one.oid: one for one in read_messages(repo, list({oid for oid, *_ in written}))}
    return [
        Candidate(
            0,
            messages[oid],
            Signal(COMMENT, text, hit.text.strip(), "background", 1 + count_words(text) / 20),
            (hit.path,),
        )
        for oid, hit, text in written
        if oid in messages and messages[oid].committed >= (start or 0)
    ][:MOST]


def comment_text(hit: Hit) -> str:
    """Return the words of the comment, or nothing where they are too few to say anything."""
    text = _CLOSER.sub("", _LEADER.sub("", hit.text, count=1)).strip()
    return text if count_words(text) >= WORDS else ""
