"""Files of this repository that a text of another system names: anchors where there is no doubt.

A guessed anchor raises false alarms, so only a tracked path that is written out in backticks or as
a link becomes one; what else looks like a path is a hint for whoever reviews the text.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from git_knowl.model import limits
from git_knowl.plumbing.listing import tracked_paths
from git_knowl.services.context import Context

#: More than so many files in one text are a table of contents rather than evidence.
MOST_ANCHORS = 5
MOST_HINTS = 3
CODE = re.compile(r"(?<!`)`([^`\n]{1,300})`(?!`)")
LINK = re.compile(r"\]\(<?([^)>\s]{1,300})>?\)")
BARE = re.compile(r"(?<![\w`/.@:-])@?((?:\.{1,2}/)?[\w.-]+(?:/[\w.-]+)+)")
PLACE = re.compile(r"(?::\d+(?:[-:]\d+)?|#L?[\w.-]+)\Z")
LIKE_A_FILE = re.compile(r"[\w.-]*[A-Za-z_][\w-]*\.[A-Za-z][A-Za-z0-9]{0,9}\Z")


@dataclass(frozen=True, slots=True)
class Mentioned:
    """Anchors as a payload asks for them, and what a person may want to anchor."""

    anchors: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()


class Paths:
    """The tracked files of the repository an import goes into, listed once."""

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx

    @cached_property
    def tracked(self) -> frozenset[str]:
        """Every tracked path."""
        return frozenset(tracked_paths(self._ctx.repo))

    @cached_property
    def by_base(self) -> Mapping[str, list[str]]:
        """Tracked paths by their last name."""
        found: dict[str, list[str]] = {}
        for path in self.tracked:
            found.setdefault(posixpath.basename(path), []).append(path)
        return found

    @cached_property
    def folders(self) -> frozenset[str]:
        """Every folder that holds a tracked file."""
        return frozenset(
            "/".join(parts[:end])
            for parts in (path.split("/") for path in self.tracked)
            for end in range(1, len(parts))
        )

    def is_here(self, path: str) -> bool:
        """Tell whether a tracked file can be read in the caller's files."""
        return self._ctx.world.blobs([path])[path].state == "present"


def mentioned(text: str, paths: Paths, folder: str | None) -> Mentioned:
    """Return the files that a text names; links begin in ``folder``, where it has one here."""
    sure = dict.fromkeys(path for path in marked(text, paths, folder) if is_anchor(path, paths))
    kept = list(sure)[:MOST_ANCHORS]
    others = [path for path in sure if path not in kept]
    others += [path for path in guessed(text, paths, folder) if path not in sure]
    return Mentioned(tuple(f"file:{path}" for path in kept), tuple(hints(others, paths)))


def is_anchor(path: str, paths: Paths) -> bool:
    """Tell whether a path can be an anchor."""
    return path in paths.tracked and len(path) <= limits.PATH and paths.is_here(path)


def marked(text: str, paths: Paths, folder: str | None) -> Iterator[str]:
    """Yield what stands in backticks or in a link, as a path from the top."""
    for found in CODE.finditer(text):
        yield from_top(found[1])
    for found in LINK.finditer(text):
        target = from_top(found[1])
        inside = posixpath.normpath(posixpath.join(folder, found[1])) if folder else target
        yield PLACE.sub("", inside) if PLACE.sub("", inside) in paths.tracked else target


def from_top(written: str) -> str:
    """Return a path as somebody wrote it, without a line, a leading slash or a mark."""
    plain = PLACE.sub("", written.strip().lstrip("@"))
    return posixpath.normpath(plain.lstrip("/")) if plain.strip("/.") else ""


def guessed(text: str, paths: Paths, folder: str | None) -> Iterator[str]:
    """Yield paths that a text may mean: written bare, cut short, or whole folders."""
    found = [from_top(one[1]) for one in BARE.finditer(text)]
    for path in dict.fromkeys((*marked(text, paths, folder), *found)):
        named = [path] if path in paths.tracked or path in paths.folders else []
        yield from named or ending(path, paths)


def ending(path: str, paths: Paths) -> list[str]:
    """Return the one tracked file whose path ends like this, if there is just one."""
    if not LIKE_A_FILE.search(path):
        return []
    same = paths.by_base.get(posixpath.basename(path), [])
    found = [one for one in same if one.endswith(f"/{path}")]
    return found if len(found) == 1 else []


def hints(others: list[str], paths: Paths) -> Iterator[str]:
    """Yield what a reviewer may want to anchor, in one sentence."""
    told = [f"tree:{one}" if one in paths.folders else f"file:{one}" for one in others]
    if told:
        more = f" and {len(told) - MOST_HINTS} more" if len(told) > MOST_HINTS else ""
        yield f"names {', '.join(told[:MOST_HINTS])}{more}: anchor what the text rests on"
