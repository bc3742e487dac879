"""What a reader finds in the files of an import, before anybody asks whether the store takes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from git_knowl.errors import KnowlError
from git_knowl.model.entry import Entry


class ImportPathError(KnowlError):
    """A path that holds nothing to import."""


@dataclass(frozen=True, slots=True)
class Whole:
    """An entry as `export` wrote it; ``lane`` is None where the place does not tell."""

    shown: str
    entry: Entry
    lane: str | None


@dataclass(frozen=True, slots=True)
class Plain:
    """The frontmatter that somebody wrote without this program, the body under ``body``."""

    shown: str
    fields: Mapping[str, Any]
    origin: str


@dataclass(frozen=True, slots=True)
class Foreign:
    """A text of another system, worded as the fields of a new entry; name and anchors may change.

    ``identity`` is what makes it the same text when it is imported again, wherever it stands then;
    ``replaces`` are the identities of texts it took the place of. ``folder`` is where its links
    begin, from the top of the work tree, None outside. ``hints`` are for whoever reviews it.
    """

    shown: str
    fields: Mapping[str, Any]
    identity: Mapping[str, str]
    folder: str | None = None
    hints: tuple[str, ...] = ()
    replaces: tuple[Mapping[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A document that cannot be read; ``error`` says why."""

    shown: str
    error: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that is passed over on purpose; ``reason`` says why."""

    shown: str
    reason: str


Found: TypeAlias = Whole | Plain | Foreign | Unreadable | LeftOut
