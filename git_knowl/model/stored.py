"""Stored texts as parts of a line: what the program says in it is said by the program alone.

Anybody who may write to a remote chooses names, hosts, doors and messages of commits. In a line
the round and square brackets, and the commas that part what stands in them, are the program's.
"""

from __future__ import annotations

import functools
import re

from git_knowl.model.entry import HOWS
from git_knowl.model.faults import TIME
from git_knowl.model.text import BLANK, MARKS

#: The hosts that this program writes by itself; every other name may say anything.
HOSTS = frozenset(("claude", "codex", "cursor", "gemini", "copilot", "opencode", "aider"))
_BRACES = {**dict.fromkeys("([", "{"), **dict.fromkeys(")]", "}")}
_CLOSING = frozenset(("Pe", "Pf"))
#: Words of Unicode's names: pieces of brackets are none by their category.
_BRACKETS = re.compile(r"BRACKET|PARENTHESIS|(?:LEFT|RIGHT) CORNER$")
_DOUBLE = re.compile(r"(?!.*SINGLE).*QUOTATION|.*DOUBLE PRIME")
#: What joins words of the program, or ends a text in quotes.
_JOINTS = re.compile(r"\b(?:SEMI)?(?:COMMA|COLON)\b(?! QUOTATION)")
_ASCII_JOINTS = frozenset(',;"')
#: One who is called by a single word, or by several before his address or alone.
_PERSON = re.compile(r"[^\s<>]+(?: <[^\s<>]*>)?|[^<>@]+(?: <[^\s<>]*>)?")
_WORD = re.compile(r"\w+:?")
_LABEL = re.compile(r"[a-z]+(?:-[a-z]+)*")
#: More of a text would push what stands behind it out of sight.
MOST = 200
NO_DOOR = "unknown door"
NO_TIME = "unknown time"


def braced(text: str) -> str:
    """Return a stored text as one stretch of a line: blanks joined, braces for its brackets."""
    told = " ".join("".join(map(_folded, text)).split())
    return told if len(told) <= MOST else f"{told[: MOST - 1]}…"


def named(text: str) -> str:
    """Return what somebody calls himself, in quotes where it could pass for more than a name."""
    told = braced(text)
    return told if _is_name(told) else quoted(told)


def counted(text: str) -> str:
    """Return what is counted, in quotes where it is more than one word."""
    return text if _LABEL.fullmatch(text) else quoted(text)


def quoted(text: str) -> str:
    """Return a stored text in quotes that it cannot end."""
    told = "".join("'" if _is_quote(char) else char for char in braced(text))
    return f'"{told}"'


def host(text: str) -> str:
    """Return the name of an agent host, in quotes where it is none that this program writes."""
    return text if text in HOSTS else f"host {quoted(text)}"


def door(text: str) -> str:
    """Return how a person let a text in, if it is a way that this program knows."""
    return text if text in HOWS else NO_DOOR


def time(text: str) -> str:
    """Return a time, if it is one."""
    return text if TIME.fullmatch(text) else NO_TIME


def _is_name(told: str) -> bool:
    if not _PERSON.fullmatch(told) or any(map(_is_joint, told)):
        return False
    return MARKS.isdisjoint(_WORD.findall(told.partition(" <")[0].lower()))


@functools.lru_cache(maxsize=1024)
def _folded(char: str) -> str:
    """Return a character as it may stand in a line: braces for brackets of every width."""
    if char.isascii():
        return _BRACES.get(char, char)
    category, name = _unicode(char)
    if char == BLANK:
        return " "
    is_bracket = category in ("Ps", "Pe") and "QUOTATION" not in name
    if not char.isprintable() or not (is_bracket or _BRACKETS.search(name)):
        return char
    is_right = "RIGHT" in name and category not in ("Ps", "Pi")
    return "}" if category in _CLOSING or is_right else "{"


def _is_quote(char: str) -> bool:
    return char == '"' if char.isascii() else bool(_DOUBLE.match(_unicode(char)[1]))


def _is_joint(char: str) -> bool:
    if char.isascii():
        return char in _ASCII_JOINTS
    return _is_quote(char) or bool(_JOINTS.search(_unicode(char)[1]))


@functools.lru_cache(maxsize=1024)
def _unicode(char: str) -> tuple[str, str]:
    """Return the category and the name of a character, '' for one that has none."""
    from unicodedata import category, name  # noqa: PLC0415 - few texts need it

    return category(char), name(char, "")
