"""What comes in at the command line: a payload, a body, from a file or standard input."""

from __future__ import annotations

import json
import sys
from typing import Any

from git_knowl.errors import KnowlError
from git_knowl.services.files import FileError

#: More than any payload within the limits; keeps a wrong file from filling the memory.
MOST = 4 * 1024 * 1024


class InputError(KnowlError):
    """Input that cannot be read as what it should be."""


def read_bytes(source: str) -> bytes:
    """Return the content of a file, or of standard input for ``-``; raises FileError."""
    try:
        if source == "-":
            data = sys.stdin.buffer.read(MOST + 1)
        else:
            with open(source, "rb") as file:
                data = file.read(MOST + 1)
    except OSError as error:
        raise FileError(f"cannot read '{source}': {error.strerror}") from error
    if len(data) > MOST:
        raise InputError(f"'{source}': expected at most {MOST} bytes, got more")
    return data


def read_text(source: str) -> str:
    """Return UTF-8 text with line feeds, a byte order mark taken off; raises InputError."""
    try:
        text = read_bytes(source).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"'{source}': expected UTF-8, byte {error.start} is not") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_json(source: str) -> Any:
    """Return the value of a JSON text; raises InputError with line and column."""
    try:
        return json.loads(read_text(source))
    except json.JSONDecodeError as error:
        found = f"{error.msg[0].lower()}{error.msg[1:]}"
        raise InputError(
            f"'{source}': expected JSON: {found} in line {error.lineno}, column {error.colno}",
            "'git knowl schema capture' shows what is expected",
        ) from error
    except RecursionError as error:
        raise InputError(f"'{source}': expected JSON: it is nested too deeply") from error
    except ValueError as error:
        raise InputError(f"'{source}': expected JSON: a number in it is too long") from error
