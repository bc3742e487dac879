"""What comes in at the command line: a payload, a body, from a file or standard input."""

from __future__ import annotations

import sys
from typing import Any

from git_knowl.errors import KnowlError
from git_knowl.model.json_reader import JsonError
from git_knowl.model.json_reader import read_json as parse_json
from git_knowl.model.quoting import byte_found
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
        raise FileError(
            f"cannot read '{source}': {error.strerror}",
            "name a file that you may read, or '-' for standard input",
        ) from error
    if len(data) > MOST:
        raise InputError(
            f"'{source}': expected at most {MOST} bytes, got more",
            "see that it is the right file; a payload is best kept to ten items",
        )
    return data


def read_text(source: str) -> str:
    """Return UTF-8 text with line feeds, a byte order mark taken off; raises InputError."""
    data = read_bytes(source)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        found = byte_found(error.object, error.start)
        raise InputError(
            f"'{source}': expected UTF-8, got {found}", "save the text as UTF-8 and repeat"
        ) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_json(source: str) -> Any:
    """Return the value of a JSON text in which every key stands once; raises InputError."""
    try:
        return parse_json(read_text(source))
    except JsonError as error:
        raise InputError(
            f"'{source}': expected JSON: {error}",
            "'git knowl schema capture' shows what is expected",
        ) from error
