"""JSON as it comes in at a door: every key once, numbers that are some, faults in plain words."""

import json
from collections.abc import Sequence
from typing import Any, NoReturn

from git_knowl.model.quoting import shown

#: What Python's reader complains of, by the beginning of its sentence, in words of our own.
PHRASES = {
    "Expecting value": "a value is missing",
    "Expecting property name": "a key in double quotes is missing",
    "Expecting ',' delimiter": "a comma is missing",
    "Expecting ':' delimiter": "a colon is missing",
    "Illegal trailing comma": "a comma is too much",
    "Unterminated string": "a text has no end",
    "Invalid control character": "a control character is not escaped",
    "Invalid \\": "an escape is none",
    "Extra data": "more follows after the end",
}


class JsonError(ValueError):
    """Text that is no JSON, or JSON that would mean two things; the message is a phrase."""


def read_json(text: str | bytes) -> Any:
    """Return the value of a JSON text; raises JsonError.

    A key that stands twice in one object is refused: readers differ in which of the two counts.
    """
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise JsonError(
            f"{_phrase(error.msg)} in line {error.lineno}, column {error.colno}"
        ) from error
    except RecursionError as error:
        raise JsonError("it is nested too deeply") from error
    except UnicodeDecodeError as error:
        raise JsonError("it is no UTF-8") from error
    except JsonError:
        raise
    except ValueError as error:
        raise JsonError("a number in it is too long") from error


def _phrase(told: str) -> str:
    return next(
        (ours for theirs, ours in PHRASES.items() if told.startswith(theirs)), "it is broken"
    )


def _object(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            raise JsonError(f"the key {shown(key)} is there twice in one object")
        made[key] = value
    return made


def _refuse_constant(word: str) -> NoReturn:
    raise JsonError(f"{word} is no number")
