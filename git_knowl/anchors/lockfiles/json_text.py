"""JSON lockfiles: each is one object, read by the parser of the standard library."""

import json
from typing import Any

from git_knowl.anchors.lockfiles.listing import LockfileError


def load(text: str) -> dict[str, Any]:
    """Return the object a lockfile consists of; raises LockfileError for anything else."""
    try:
        lockfile = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise LockfileError(f"not valid JSON in {place}") from error
    except (ValueError, RecursionError) as error:
        raise LockfileError("not valid JSON, or nested beyond reason") from error
    if not isinstance(lockfile, dict):
        raise LockfileError("expected a JSON object")
    return lockfile


def objects(value: object) -> dict[str, dict[str, Any]]:
    """Return those members of a JSON value that are objects themselves."""
    members = value.items() if isinstance(value, dict) else ()
    return {key: member for key, member in members if isinstance(member, dict)}


def records(value: object) -> list[dict[str, Any]]:
    """Return those items of a JSON value that are objects."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def string(value: object) -> str | None:
    """Return the value if it is a text that is not empty."""
    return value if isinstance(value, str) and value else None


def format_number(value: object) -> str | None:
    """Return the number of a format as it stands in messages; None where there is none."""
    return None if value is None else str(value)
