"""JSON records (flags, drafts, tombstones) as bytes, and the checks their readers share."""

from __future__ import annotations

import json

from git_knowl.errors import KnowlError
from git_knowl.model.light import dataclass
from git_knowl.store import layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping
    from typing import Any, Protocol, TypeVar

    from git_knowl.store.view import View

    class Record(Protocol):
        """What every record has."""

        @property
        def id(self) -> str:
            """The id, which is also in the path."""

    RecordT = TypeVar("RecordT", bound=Record)

#: What the values of JSON are called in a message.
_KINDS: dict[type, str] = {
    bool: "true or false",
    int: "a number",
    float: "a number",
    str: "text",
    list: "a list",
    dict: "an object",
}


class RecordError(KnowlError):
    """A record that is not what its reader expects; the message names the field."""


@dataclass(frozen=True, slots=True)
class Damaged:
    """A file of the store that cannot be read, with the reason; it never hides another."""

    path: str
    blob: str
    error: str


def read_all(
    view: View, ref: str, folder: str, decode: Callable[[bytes], RecordT]
) -> Iterator[RecordT | Damaged]:
    """Yield the records of a folder in the order of their ids, which is that of their making."""
    files = sorted(view.tree(ref).files(folder), key=lambda file: file[0].rpartition("/")[2])
    contents = view.read_each([blob for _, blob in files])
    for (path, blob), data in zip(files, contents, strict=True):
        found = data if isinstance(data, KnowlError) else _decoded(folder, path, data, decode)
        yield Damaged(path, blob, found.message) if isinstance(found, KnowlError) else found


def _decoded(
    folder: str, path: str, data: bytes, decode: Callable[[bytes], RecordT]
) -> RecordT | RecordError:
    try:
        record = decode(data)
        check_path(path, layout.record_path(folder, record.id))
    except RecordError as error:
        return error
    return record


def check_path(path: str, expected: str) -> None:
    """Raise RecordError when a file does not stand where its content says."""
    if path != expected:
        raise RecordError(f"the content belongs at {expected}")


def dump(fields: Mapping[str, Any], extra: Mapping[str, Any] | None = None) -> bytes:
    """Return a record as one line of JSON in ASCII, so that any path survives; None is left out.

    ``extra`` are keys that a newer program wrote; they are kept behind the others, as they came.
    """
    told = {key: value for key, value in fields.items() if value is not None}
    told |= {key: value for key, value in (extra or {}).items() if key not in fields}
    return json.dumps(told, separators=(",", ":")).encode("ascii") + b"\n"


def load(data: bytes) -> dict[str, Any]:
    """Return the fields of a record, or raise RecordError."""
    try:
        fields = json.loads(data)
    except ValueError as error:
        raise RecordError("expected a JSON record, got broken JSON") from error
    if not isinstance(fields, dict):
        raise RecordError(f"expected a JSON object, got {kind_of(fields)}")
    return fields


def unknown(fields: Mapping[str, Any], known: Collection[str]) -> dict[str, Any]:
    """Return what a record has besides the keys known here: a newer program wrote it."""
    return {key: value for key, value in fields.items() if key not in known}


def kind_of(value: object) -> str:
    """Return what a value of JSON is, in words; null counts for nothing."""
    return _KINDS.get(type(value), "nothing")


def text(fields: Mapping[str, Any], key: str) -> str:
    """Return a field that must be there as text."""
    value = fields.get(key)
    if not isinstance(value, str):
        raise RecordError(f"{key}: expected text, got {kind_of(value)}")
    return value


def optional(fields: Mapping[str, Any], key: str) -> str | None:
    """Return a field that is text or missing."""
    return None if fields.get(key) is None else text(fields, key)


def texts(fields: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return a field that is a list of texts; a missing one is empty."""
    value = fields.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise RecordError(f"{key}: expected a list of texts")
    return tuple(value)


def mapping(fields: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return a field that is an object; a missing one is empty."""
    value = fields.get(key, {})
    if not isinstance(value, dict):
        raise RecordError(f"{key}: expected an object, got {kind_of(value)}")
    return value
