"""Checked fields: plain nested mappings, as YAML and JSON give them, on their way to values.

Reading is tolerant where a newer program may have written: whatever nobody asked for is left over
and can be kept.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, overload

from git_knowl.errors import KnowlError
from git_knowl.model.quoting import shown
from git_knowl.model.yaml_words import LONGEST_KEY

T = TypeVar("T")

_ABSENT: Any = object()


class DocumentError(KnowlError):
    """A document that is no entry; ``field`` is the path to what is wrong: ``anchors.0.path``."""

    def __init__(self, field: str, expected: str, got: str = "nothing") -> None:
        super().__init__(
            f"{field}: expected {expected}, got {got}", "'git knowl schema entry' lists every field"
        )
        self.field = field
        self.expected = expected


class Fields:
    """One mapping on its way to a value: hands out checked fields; what is left over is extra."""

    def __init__(self, found: object, at: str = "") -> None:
        if not isinstance(found, Mapping):
            raise DocumentError(at or "frontmatter", "a mapping of keys to values", shown(found))
        self._left = dict(found)
        self._at = at

    def path(self, key: str) -> str:
        """Return how messages name a field."""
        return f"{self._at}.{key}" if self._at else key

    def text(self, key: str) -> str:
        """Return a field that must be there, as text."""
        found = self._left.pop(key, _ABSENT)
        return _as_text(found, self.path(key))

    @overload
    def text_or(self, key: str, default: None = None) -> str | None: ...
    @overload
    def text_or(self, key: str, default: str) -> str: ...
    def text_or(self, key: str, default: str | None = None) -> str | None:
        """Return a field as text, or the default where it is missing or empty."""
        found = self._left.pop(key, None)
        return default if found is None else _as_text(found, self.path(key))

    def number(self, key: str) -> int:
        """Return a field that must be there, as a whole number."""
        found = self.number_or(key)
        if found is None:
            raise DocumentError(self.path(key), "a whole number")
        return found

    @overload
    def number_or(self, key: str, default: None = None) -> int | None: ...
    @overload
    def number_or(self, key: str, default: int) -> int: ...
    def number_or(self, key: str, default: int | None = None) -> int | None:
        """Return a field as a whole number, or the default."""
        found = self._left.pop(key, None)
        if found is None:
            return default
        if isinstance(found, bool) or not isinstance(found, int):
            raise DocumentError(self.path(key), "a whole number", shown(found))
        return found

    def is_set(self, key: str) -> bool:
        """Return a true-or-false field, false where it is missing."""
        found = self._left.pop(key, None)
        if found is None:
            return False
        if not isinstance(found, bool):
            raise DocumentError(self.path(key), "true or false", shown(found))
        return found

    def one(self, key: str, make: "Callable[[Fields], T]") -> T | None:
        """Return the value made from a nested mapping, or None where it is missing."""
        found = self._left.pop(key, None)
        return None if found is None else make(Fields(found, self.path(key)))

    def many(self, key: str, make: "Callable[[Fields], T]") -> tuple[T, ...]:
        """Return the values made from a list of mappings."""
        return tuple(make(Fields(item, at)) for item, at in self._listed(key))

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts."""
        return tuple(_as_text(item, at) for item, at in self._listed(key))

    def rest(self) -> dict[str, Any]:
        """Return what nobody asked for; raises for a key in it that no document can hold."""
        _refuse_long_keys(self._left, self._at)
        return self._left

    def _listed(self, key: str) -> Iterable[tuple[object, str]]:
        found = self._left.pop(key, None)
        if found is None:
            found = []
        if not isinstance(found, list | tuple):
            raise DocumentError(self.path(key), "a list", shown(found))
        return [(item, f"{self.path(key)}.{place}") for place, item in enumerate(found)]


def _refuse_long_keys(left: Mapping[str, Any], at: str) -> None:
    # Documents refuse them while they are read; drafts and exports are JSON, which has any key.
    waiting: list[object] = [left] if left else []
    while waiting:
        found = waiting.pop()
        if isinstance(found, Mapping):
            _check_keys(found, at)
            waiting += found.values()
        elif isinstance(found, list):
            waiting += found


def _check_keys(found: Mapping[str, Any], at: str) -> None:
    for key in found:
        if len(key) > LONGEST_KEY:
            expected = f"keys of at most {LONGEST_KEY} characters"
            raise DocumentError(at or "frontmatter", expected, f"{shown(key)} of {len(key)}")


def _as_text(found: object, at: str) -> str:
    # A number or truth value has one spelling in our YAML, so it is text somebody left unquoted.
    if isinstance(found, str):
        return found
    if isinstance(found, bool):
        return "true" if found else "false"
    if isinstance(found, int):
        return str(found)
    raise DocumentError(at, "text", "nothing" if found is _ABSENT else shown(found))


def plain(value: Any, keys: tuple[str, ...]) -> dict[str, Any]:
    """Return those fields of a value that say something, then what it has besides."""
    return filled({key: getattr(value, key) for key in keys}, value.extra)


def filled(known: Mapping[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is not empty, in its order, then the keys that are not known."""
    said = {key: value for key, value in known.items() if not _goes_unsaid(value)}
    return {**said, **{key: value for key, value in extra.items() if key not in known}}


def _goes_unsaid(value: Any) -> bool:
    return value is None or value is False or value == []
