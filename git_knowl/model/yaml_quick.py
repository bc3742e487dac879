"""The form in which entries are stored, read without a YAML parser.

Filling the cache reads every document of the store, and nearly all of them are as `yaml_writer`
left them: two levels of block style, one expression a line. Reading such lines takes a fifth of a
parser's time. It is a short cut and no second reader: what is not unmistakably of that form,
errors among it, is left to `yaml_reader`, and a property test holds that both give the same value.
"""

import re
from typing import Any

from git_knowl.model.yaml_words import resolve

#: Beyond ASCII: breaks, other space, marks, halves. One look at a text, since a class with them in
#: every scalar would take longer to compile than a hundred documents to read.
_TOLD = re.compile("[\x80-\xa0\u2000-\u200f\u2028-\u202f\ud800-\udfff\ufeff\ufffe\uffff]")
_CONTROL = r"\x00-\x1f\x7f"
#: What may end a plain scalar, or make something else of it.
_SIGNS = r"""!"#$%&*,:=?\[\\\]^`{|}~"""
_KEY = r"[a-z_][a-z0-9_]{0,39}"
_PLAIN = rf"[^{_CONTROL}{_SIGNS}0-9 ().<>@+;'-][^{_CONTROL}{_SIGNS}]*(?<! )|-?[0-9]+"
_QUOTED = rf'"[^{_CONTROL}"\\]*(?:\\["\\nt][^{_CONTROL}"\\]*)*"'
_SCALAR = rf"(?:{_QUOTED}|{_PLAIN})"
_PAIR = rf"{_KEY}: {_SCALAR}"

_LINE = re.compile(
    rf"(  - |  |- |)(?:({_KEY}):(?: (?=\S)|$))?(?:({_SCALAR})"
    rf"|\[((?:{_SCALAR}(?:, {_SCALAR})*)?)\]|\{{((?:{_PAIR}(?:, {_PAIR})*)?)\}})?"
)
_SCALARS = re.compile(_SCALAR)
_PAIRS = re.compile(rf"({_KEY}): ({_SCALAR})")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t"}

_WAITING: Any = object()


class _OtherForm(Exception):
    """The text is not of the stored form, or not certainly so."""


def read_quick(text: str) -> dict[str, Any] | None:
    """Return the mapping of a text in the stored form, None for any other text."""
    if not text.isascii() and _TOLD.search(text):
        return None
    outline = _Outline()
    try:
        for line in text.removesuffix("\n").split("\n"):
            found = _LINE.fullmatch(line)
            if found is None:
                return None
            indent, key, *value = found.groups()
            outline.take(indent, key, _value(*value))
    except _OtherForm:
        return None
    return outline.top if outline.waiting is None else None


class _Outline:
    """The values so far: ``waiting`` is the mapping whose last key has no value yet."""

    __slots__ = ("_inner", "_items", "_nested", "top", "waiting")

    def __init__(self) -> None:
        self.top: dict[str, Any] = {}
        self.waiting: dict[str, Any] | None = None
        self._items: list[Any] | None = None
        self._inner: dict[str, Any] | None = None
        self._nested: list[Any] | None = None

    def take(self, indent: str, key: str | None, value: Any) -> None:
        """Add a line: an item starts with a hyphen, below the top key or below an inner one."""
        if indent == "":
            self._items = self._inner = None
            self._put(self.top, key, value)
        elif indent == "  ":
            if self.waiting is self.top:
                self._inner = self._fill(self.top, {})
            self._put(self._inner, key, value)
        elif indent == "- ":
            if self.waiting is self.top:
                self._items = self._fill(self.top, [])
            self._add_item(key, value)
        else:
            if self.waiting is self._inner:
                self._nested = self._fill(self._inner, [])
            self._append(self._nested, key, value)

    def _add_item(self, key: str | None, value: Any) -> None:
        if key is None:
            self._inner = None
            self._append(self._items, key, value)
        else:
            self._inner = {}
            self._append(self._items, None, self._inner)
            self._put(self._inner, key, value)

    def _put(self, holder: dict[str, Any] | None, key: str | None, value: Any) -> None:
        if self.waiting is not None or holder is None or key is None or key in holder:
            raise _OtherForm
        holder[key] = value
        self._nested = None
        self.waiting = holder if value is _WAITING else None

    def _append(self, holder: list[Any] | None, key: str | None, value: Any) -> None:
        if self.waiting is not None or holder is None or key is not None or value is _WAITING:
            raise _OtherForm
        holder.append(value)

    def _fill(self, holder: Any, value: Any) -> Any:
        if holder is None:
            raise _OtherForm
        holder[next(reversed(holder))] = value
        self.waiting = None
        return value


def _value(scalar: str | None, texts: str | None, pairs: str | None) -> Any:
    if scalar is not None:
        return _scalar(scalar)
    if texts is not None:
        return [_scalar(item) for item in _SCALARS.findall(texts)]
    if pairs is None:
        return _WAITING
    items = _PAIRS.findall(pairs)
    made = {key: _scalar(item) for key, item in items}
    if len(made) < len(items):
        raise _OtherForm
    return made


def _scalar(text: str) -> str | int | bool | None:
    if text[0] != '"':
        return resolve(text)
    inside = text[1:-1]
    return _ESCAPE.sub(_unescaped, inside) if "\\" in inside else inside


def _unescaped(found: re.Match[str]) -> str:
    return _ESCAPED.get(found[1], found[1])
