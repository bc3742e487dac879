"""Faults of single values, as every rule words them: ``field: expected …, got …``.

An empty list means that all is well.
"""

import re
from collections.abc import Sequence

from git_knowl.model import limits
from git_knowl.model.characters import UNFIT_FOR_BODY, UNFIT_FOR_LINE
from git_knowl.model.ids import is_id
from git_knowl.model.quoting import shown
from git_knowl.model.text import refusal

KEBAB_CASE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
KEBAB_CASE_WORDS = "kebab-case (lower-case letters and digits, joined by single hyphens)"
LINE = re.compile(f"[{UNFIT_FOR_LINE}]")
BODY = re.compile(f"[{UNFIT_FOR_BODY}]")
TIME = re.compile(
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
    r"T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)Z"
)
SHA256 = re.compile(r"[0-9a-f]{64}")


def name_faults(field: str, name: str) -> list[str]:
    """Return what is wrong with the name of an entry."""
    if not KEBAB_CASE.fullmatch(name):
        return [f"{field}: expected {KEBAB_CASE_WORDS}, got {shown(name)}"]
    return length_faults(field, name, limits.NAME)


def line_faults(field: str, text: str, limit: int) -> list[str]:
    """Return what is wrong with a field of one line: empty, too long, or hidden characters."""
    if not text.strip():
        return [f"{field}: expected text, got {'blanks' if text else 'nothing'}"]
    expected = "one line without control or invisible characters"
    return length_faults(field, text, limit) + unfit_faults(field, text, LINE, expected)


def body_faults(field: str, text: str, limit: int) -> list[str]:
    """Return what is wrong with text of many lines.

    Of the control characters it may hold line feed and tab.
    """
    if not text.strip():
        return [f"{field}: expected text, got {'blanks' if text else 'nothing'}"]
    expected = "no control characters but line feed and tab"
    return length_faults(field, text, limit) + unfit_faults(field, text, BODY, expected)


def path_faults(field: str, path: str) -> list[str]:
    """Return what is wrong with a path from the top of the work tree."""
    found = line_faults(field, path, limits.PATH)
    if not found and not is_path(path):
        found.append(f"{field}: expected a path from the top of the work tree, got {shown(path)}")
    return found


def length_faults(field: str, text: str, limit: int) -> list[str]:
    """Return that a text is too long."""
    if len(text) <= limit:
        return []
    return [f"{field}: expected at most {limit} characters, got {len(text)}"]


def unfit_faults(field: str, text: str, unfit: re.Pattern[str], expected: str) -> list[str]:
    """Return the first character that a text must not hold."""
    found = unfit.search(text)
    if found is None:
        return []
    return [f"{field}: {refusal(found[0], expected)}"]


def choice_faults(field: str, value: str, choices: Sequence[str]) -> list[str]:
    """Return that a value is none of its choices."""
    if value in choices:
        return []
    return [f"{field}: expected one of {', '.join(choices)}, got {shown(value)}"]


def form_faults(field: str, value: str, form: re.Pattern[str], expected: str) -> list[str]:
    """Return that a value has another form than it must."""
    return [] if form.fullmatch(value) else [f"{field}: expected {expected}, got {shown(value)}"]


def time_faults(field: str, value: str) -> list[str]:
    """Return what is wrong with a time."""
    return form_faults(field, value, TIME, "a time such as 2026-11-29T10:00:00Z")


def id_faults(field: str, value: str) -> list[str]:
    """Return what is wrong with the id of an entry."""
    return [] if is_id(value) else [f"{field}: expected a lower-case ULID, got {shown(value)}"]


def is_path(path: str) -> bool:
    """Tell whether a text is a path from the top of the work tree that stays in it."""
    names = path.split("/")
    return not any(name in ("", ".", "..") or name.lower() == ".git" for name in names)


def too_many(field: str, limit: int, count: int) -> str:
    """Return that a list has too many items."""
    return f"{field}: expected at most {limit}, got {count}"
