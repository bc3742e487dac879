"""Stored texts as parts of a line: what the program says in it is said by the program alone.

Anybody who may write to a remote chooses names, hosts, doors and messages of commits. In a line
the round and square brackets, and the commas that part what stands in them, are the program's.
"""

from __future__ import annotations

from git_knowl.model.entry import HOWS
from git_knowl.model.faults import KEBAB_CASE, TIME

#: Brackets of every width that could be taken for those of the program.
_OPENING = "([\uff08\uff3b\u2768\u2772\u27e6\u3010\u3014\u3016\u3018\u301a\u2045\u207d\u208d"
_CLOSING = ")]\uff09\uff3d\u2769\u2773\u27e7\u3011\u3015\u3017\u3019\u301b\u2046\u207e\u208e"
_BRACES = str.maketrans(dict.fromkeys(_OPENING, "{") | dict.fromkeys(_CLOSING, "}"))
#: What joins words of the program, or ends a text in quotes.
_JOINTS = frozenset(',;"\uff0c\uff1b\u3001\ufe50\ufe54')
_QUOTES = str.maketrans('"', "'")
#: More of a text would push what stands behind it out of sight.
MOST = 200
NO_DOOR = "unknown door"
NO_TIME = "unknown time"


def braced(text: str) -> str:
    """Return a stored text as one stretch of a line: blanks joined, braces for its brackets."""
    told = " ".join(text.translate(_BRACES).split())
    return told if len(told) <= MOST else f"{told[: MOST - 1]}…"


def named(text: str) -> str:
    """Return what somebody calls himself, in quotes where it could pass for more than a name."""
    told = braced(text)
    return told if told and _JOINTS.isdisjoint(told) else quoted(told)


def quoted(text: str) -> str:
    """Return a stored text in quotes that it cannot end."""
    return f'"{braced(text).translate(_QUOTES)}"'


def host(text: str) -> str:
    """Return the name of an agent host, in quotes where it is none that this program writes."""
    is_name = KEBAB_CASE.fullmatch(text) and len(text) <= MOST
    return text if is_name else f"host {quoted(text)}"


def door(text: str) -> str:
    """Return how a person let a text in, if it is a way that this program knows."""
    return text if text in HOWS else NO_DOOR


def time(text: str) -> str:
    """Return a time, if it is one."""
    return text if TIME.fullmatch(text) else NO_TIME
