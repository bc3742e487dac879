"""JSON as people keep it in settings: comments and trailing commas, edited in place.

An edit changes the text at one spot and leaves every other byte as it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field
from typing import Any

from git_knowl.errors import KnowlError
from git_knowl.services.agents.hosts.base import COMMAS, COMMENTS

_BLANK = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_WORD = re.compile(r"[^\s,\]}/]+")
_DEEPEST = 100
_SHOWN = 20
_WAY = "correct the file, then repeat"
#: A string, or a comment, which no string can be mistaken for.
_COMMENTED = re.compile(r'"(?:[^"\\]|\\.)*"|(?P<comment>//[^\n]*|/\*.*?\*/)', re.DOTALL)
_TRAILING = re.compile(r'"(?:[^"\\]|\\.)*"|(?P<comma>,)(?=\s*[\]}])', re.DOTALL)
INDENT = "  "


class SettingsError(KnowlError):
    """Settings that cannot be read, or hold something else where ours would go.

    The words go behind the name of the file: ``of`` puts it there.
    """

    def of(self, path: str) -> SettingsError:
        """Return the same with the name of the file."""
        return SettingsError(f"'{path}': {self.message}", self.hint)


@dataclass
class Node:
    """A value in the text, from ``start`` to ``end``; ``keys`` name the items of an object."""

    start: int
    end: int = 0
    opening: str = ""
    items: list[Node] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    #: Where the key of each item of an object begins, else the item itself.
    starts: list[int] = field(default_factory=list)

    def member(self, text: str, key: str) -> Node | None:
        """Return what an object has under a key; raises SettingsError where it has two of it."""
        if self.keys.count(key) > 1:
            again = self.keys.index(key, self.keys.index(key) + 1)
            raise SettingsError(f"line {line_of(text, self.starts[again])} repeats {key!r}", _WAY)
        return self.items[self.keys.index(key)] if key in self.keys else None


def parse(text: str) -> Node:
    """Return the one value of a text; raises SettingsError."""
    node = _value(text, _skip(text, 0), 0)
    if _skip(text, node.end) != len(text):
        raise _broken(text, node.end)
    return node


def refuse_beyond(text: str, takes: Container[str]) -> None:
    """Raise SettingsError for what a host does not read that takes so much beyond plain JSON."""
    parse(text)
    bare = _COMMENTED.sub(_blanked, text)
    if bare != text and COMMENTS not in takes:
        raise _beyond(text, bare, "a comment")
    plain = _TRAILING.sub(_blanked, bare)
    if plain != bare and COMMAS not in takes:
        raise _beyond(bare, plain, "a trailing comma")
    try:
        json.loads(plain)
    except ValueError as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 1
        raise SettingsError(f"line {line} is no JSON", _WAY) from None


def _blanked(found: re.Match[str]) -> str:
    """Return a string as it is, anything else as blanks, lines kept."""
    return found[0] if found[0].startswith('"') else re.sub(r"[^\n]", " ", found[0])


def _beyond(text: str, plain: str, what: str) -> SettingsError:
    at = next(place for place, (one, two) in enumerate(zip(text, plain, strict=True)) if one != two)
    return SettingsError(
        f"line {line_of(text, at)} has {what}, and its host reads plain JSON only",
        "take it out of the file, then repeat",
    )


def load(text: str, node: Node) -> Any:
    """Return the value of a node."""
    if node.opening == "{":
        return {key: load(text, item) for key, item in zip(node.keys, node.items, strict=True)}
    if node.opening == "[":
        return [load(text, item) for item in node.items]
    return _leaf(text, node)


def append(text: str, path: Sequence[str], item: Any) -> str:
    """Return the text with an item in the list at a path of keys, unless it is there.

    What is missing on the way is made; raises SettingsError where something else is in the way.
    """
    node = parse(text)
    for depth, key in enumerate(path):
        _expect(text, node, "{", path[:depth])
        found = node.member(text, key)
        if found is None:
            made: Any = [item]
            for inner in reversed(path[depth + 1 :]):
                made = {inner: made}
            return _insert(text, node, f"{json.dumps(key)}: ", made)
        node = found
    _expect(text, node, "[", path)
    return text if item in load(text, node) else _insert(text, node, "", item)


def remove(text: str, path: Sequence[str], is_ours: Callable[[Any], bool]) -> str:
    """Return the text without the items of ours in the list at a path, and what that left empty."""
    while True:
        trail = _walk(text, parse(text), path)
        if trail is None or trail[-1].opening != "[":
            return text
        ours = [at for at, item in enumerate(trail[-1].items) if is_ours(load(text, item))]
        if not ours:
            return text
        text = _cut_up(text, trail, path, ours[0])


def _cut_up(text: str, trail: Sequence[Node], path: Sequence[str], at: int) -> str:
    """Cut an item out, or the outermost container that holds nothing else."""
    depth = len(path)
    while depth and len(trail[depth].items) == 1:
        depth -= 1
        at = trail[depth].keys.index(path[depth])
    return _cut(text, trail[depth], at)


def _walk(text: str, node: Node, path: Sequence[str]) -> list[Node] | None:
    trail = [node]
    for key in path:
        found = trail[-1].member(text, key)
        if found is None:
            return None
        trail.append(found)
    return trail


def _cut(text: str, node: Node, at: int) -> str:
    """Return the text without an item and the comma that goes with it."""
    if at:
        return text[: node.items[at - 1].end] + text[node.items[at].end :]
    if len(node.items) > 1:
        return text[: node.starts[0]] + text[node.starts[1] :]
    return text[: node.start + 1] + text[node.end - 1 :]


def _insert(text: str, node: Node, key: str, made: Any) -> str:
    """Return the text with a value as the last of an object or list, indented as its neighbours."""
    outer = _indent(text, node.start)
    inner = outer + INDENT
    if node.starts and "\n" in text[node.start : node.starts[0]]:
        inner = _indent(text, node.starts[0])
    step = inner[len(outer) :] if inner.startswith(outer) and inner != outer else INDENT
    told = json.dumps(made, indent=step, ensure_ascii=False).replace("\n", f"\n{inner}")
    if not node.items:
        kept = text[node.start + 1 : node.end - 1].rstrip()
        return f"{text[: node.start + 1]}{kept}\n{inner}{key}{told}\n{outer}{text[node.end - 1 :]}"
    end = node.items[-1].end
    after = _skip(text, end)
    comma = ","
    if text[after : after + 1] == ",":  # a trailing one
        end, comma = after + 1, ""
    return f"{text[:end]}{comma}\n{inner}{key}{told}{text[end:]}"


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _expect(text: str, node: Node, opening: str, path: Sequence[str]) -> None:
    if node.opening != opening:
        wanted = "an object" if opening == "{" else "a list"
        line, name = line_of(text, node.start), ".".join(path) or "the whole"
        found = _excerpt(text[node.start : node.end])
        raise SettingsError(f"line {line} has {found} where '{name}' would be {wanted}", _WAY)


def _excerpt(found: str) -> str:
    plain = " ".join(found.split())
    return f"'{plain[:_SHOWN]}…'" if len(plain) > _SHOWN else f"'{plain}'"


def _value(text: str, at: int, depth: int) -> Node:
    opening = text[at : at + 1]
    if depth > _DEEPEST:
        raise SettingsError(f"line {line_of(text, at)} is nested too deeply", _WAY)
    if opening in ("{", "["):
        return _container(text, at, depth)
    node = Node(at, _leaf_end(text, at))
    _leaf(text, node)
    return node


def _container(text: str, at: int, depth: int) -> Node:
    node = Node(at, opening=text[at])
    closing = "}" if node.opening == "{" else "]"
    at = _skip(text, at + 1)
    while text[at : at + 1] != closing:
        node.starts.append(at)
        if closing == "}":
            key = Node(at, _leaf_end(text, at))
            node.keys.append(str(_leaf(text, key)))
            at = _skip(text, key.end)
            if text[at : at + 1] != ":":
                raise _broken(text, at)
            at = _skip(text, at + 1)
        node.items.append(_value(text, at, depth + 1))
        at = _skip(text, node.items[-1].end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != closing:
            raise _broken(text, at)
    node.end = at + 1
    return node


def _leaf(text: str, node: Node) -> Any:
    try:
        return json.loads(text[node.start : node.end])
    except ValueError:
        raise _broken(text, node.start) from None


def _leaf_end(text: str, at: int) -> int:
    found = (_STRING if text[at : at + 1] == '"' else _WORD).match(text, at)
    if found is None:
        raise _broken(text, at)
    return found.end()


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _broken(text: str, at: int) -> SettingsError:
    return SettingsError(f"line {line_of(text, at)} is no JSON", _WAY)


def line_of(text: str, at: int) -> int:
    """Return the number of the line at a place in a text."""
    return text.count("\n", 0, at) + 1
