"""Write a guideline into a file of the work tree, to go through review like any code."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from git_knowl.errors import KnowlError
from git_knowl.plumbing.repository import PathError
from git_knowl.services.context import Context
from git_knowl.services.files import is_git_folder, read_text, replace_file

#: Where a guideline goes when the draft names no file: the first that is there, else the first.
FILES = ("AGENTS.md", "CLAUDE.md")
_SUCH_AS = "name one such as 'docs/guidelines.md', or none"
HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t#]*$")
FENCE = re.compile(r" {0,3}(```|~~~)")


class GuidelineError(KnowlError):
    """A guideline that cannot be written where it should go."""


def check(ctx: Context, guideline: Mapping[str, Any]) -> str:
    """Return the file a guideline would go to, as a path from the top.

    Raises GuidelineError for a file outside the work tree, behind a link, or of a special kind.
    """
    top = ctx.repo.require_work_tree()
    try:
        path = ctx.repo.relative(guideline.get("file") or default_file(top), top)
    except PathError as error:
        raise GuidelineError(f"file: {error.message}", error.hint) from error
    if any(is_git_folder(part) for part in path.split("/")):
        raise GuidelineError(f"file: expected a file of the project, got '{path}'", _SUCH_AS)
    full = os.path.join(top, path)
    if os.path.islink(full) or (os.path.lexists(full) and not os.path.isfile(full)):
        raise GuidelineError(f"file: expected a regular file, '{path or '.'}' is none", _SUCH_AS)
    return path


def write(ctx: Context, guideline: Mapping[str, Any]) -> str:
    """Put the text under its heading and return the file, as a path from the top.

    A text that stands in the file already is left alone, so that repeating is harmless. Raises
    GuidelineError, or FileError where the file cannot be read or written.
    """
    path = check(ctx, guideline)
    full = os.path.join(ctx.repo.require_work_tree(), path)
    old = read_text(full)
    new = insert(old, guideline.get("heading"), str(guideline["text"]))
    if new != old:
        replace_file(full, new)
    return path


def default_file(top: str) -> str:
    """Return the guideline file of a project."""
    for name in FILES:
        full = os.path.join(top, name)
        if os.path.isfile(full) and not os.path.islink(full):
            return name
    return FILES[0]


def insert(old: str, heading: str | None, text: str) -> str:
    """Return the file with the text at the end of its section, or at the end of the file.

    What stood there before keeps its bytes; only empty lines before the text are evened out.
    """
    lines, added = old.split("\n"), text.splitlines()
    plain = [line.removesuffix("\r") for line in lines]
    if holds(plain, added):
        return old
    title = heading.strip("# \t") if heading else ""
    end = section_end(plain, title) if title else len(lines)
    if end is None:
        end, added = len(lines), [f"## {title}", "", *added]
    return put_in(lines, end, added, "\r" if "\r\n" in old else "")


def put_in(lines: Sequence[str], end: int, added: Sequence[str], end_of_line: str) -> str:
    """Return the text of the lines with others before place ``end``, set off by empty lines."""
    before, after = trimmed(lines[:end]), lines[end:]
    put = [*([""] if before else []), *added, *([""] if after else [])]
    new = [*before, *(f"{line}{end_of_line}" for line in put), *after]
    return "\n".join(new if after else [*new, ""])


def holds(lines: Sequence[str], added: Sequence[str]) -> bool:
    """Tell whether the lines stand in the file, one after the other."""
    size = len(added)
    return any(list(lines[i : i + size]) == list(added) for i in range(len(lines) - size + 1))


def section_end(lines: Sequence[str], title: str) -> int | None:
    """Return where the section of a title ends; None when there is no such heading.

    It ends at the next heading of its level or above.
    """
    found = list(headings(lines))
    names = [name.lower() for _, _, name in found]
    if title.lower() not in names:
        return None
    start = names.index(title.lower())
    level = found[start][1]
    later = (place for place, depth, _ in found[start + 1 :] if depth <= level)
    return next(later, len(lines))


def headings(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield place, level and title of the headings; what looks like one in a code fence is none."""
    fence = ""
    for place, line in enumerate(lines):
        mark = FENCE.match(line)
        if mark and fence in ("", mark[1]):
            fence = "" if fence else mark[1]
        found = None if fence else HEADING.match(line)
        if found:
            yield place, len(found[1]), found[2]


def trimmed(lines: Sequence[str]) -> list[str]:
    """Return the lines without the empty ones at their end."""
    kept = list(lines)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept
