"""The parts an installation is made of: each knows how a file looks with it, and without it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from git_knowl.services.agents import jsonc

#: Stands in every item of ours in some settings.
SIGN = b"git knowl"
BEGIN = ">>> git-knowl: 'git knowl agent uninstall' takes this block out"
END = "<<< git-knowl"
#: Stands behind BEGIN where the text before ended without a line break, which comes back so.
JOINED = " (and the line break before it)"


class Part(Protocol):
    """Something of ours in a file; a file that is not there is None."""

    def put(self, data: bytes | None) -> bytes:
        """Return the file with the part; doing it twice changes nothing."""

    def take(self, data: bytes) -> bytes | None:
        """Return the file without the part, None where nothing else is left."""

    def is_in(self, data: bytes) -> bool:
        """Tell whether the part is in a file, perhaps in an older form."""


@dataclass(frozen=True)
class Listed:
    """Items in lists of a JSON file: ``items`` has the path of keys of each list, and an item.

    ``is_ours`` recognises an item of any version of ours; ``fixed`` are keys at the top that the
    host insists on where the file is made; ``former`` are lists that older versions had items in.
    """

    items: tuple[tuple[tuple[str, ...], Any], ...]
    is_ours: Callable[[Any], bool]
    fixed: tuple[tuple[str, Any], ...] = ()
    former: tuple[tuple[str, ...], ...] = ()
    #: What the host reads beyond plain JSON.
    takes: frozenset[str] = frozenset()

    def put(self, data: bytes | None) -> bytes:
        """Return the settings with every item; raises SettingsError."""
        text = "" if data is None else _decoded(data)
        if not text.strip():
            text = json.dumps(dict(self.fixed), indent=jsonc.INDENT) + "\n"
        jsonc.refuse_beyond(text, self.takes)
        text = self._without_others(text)
        for path, item in self.items:
            text = jsonc.append(text, path, item)
        return text.encode()

    def _lists(self) -> list[tuple[str, ...]]:
        """Return the lists that may hold an item of ours."""
        return list(dict.fromkeys([*self.former, *(path for path, _ in self.items)]))

    def _without_others(self, text: str) -> str:
        """Take out what an older version put in and this one does not."""
        wanted: dict[tuple[str, ...], list[Any]] = {path: [] for path in self.former}
        for path, item in self.items:
            wanted.setdefault(path, []).append(item)
        for path, items in wanted.items():
            text = jsonc.remove(text, path, self._old(items))
        return text

    def _old(self, items: Sequence[Any]) -> Callable[[Any], bool]:
        return lambda one: self.is_ours(one) and one not in items

    def take(self, data: bytes) -> bytes | None:
        """Return the settings without any item of ours."""
        text = _decoded(data)
        for path in self._lists():
            text = jsonc.remove(text, path, self.is_ours)
        left = jsonc.load(text, jsonc.parse(text))
        return None if left in ({}, dict(self.fixed)) else text.encode()

    def is_in(self, data: bytes) -> bool:
        """Tell whether any item of ours is there; raises SettingsError where that is not clear."""
        if SIGN not in data:
            return False
        text = _decoded(data)
        return any(jsonc.remove(text, path, self.is_ours) != text for path in self._lists())

    def check(self, data: bytes) -> None:
        """Raise SettingsError for settings that the host does not read; an empty file is none."""
        if data.strip():
            jsonc.refuse_beyond(_decoded(data), self.takes)


@dataclass(frozen=True)
class Whole:
    """A file that is ours alone."""

    text: str

    def put(self, data: bytes | None) -> bytes:
        """Return the file; one that somebody else wrote is in the way."""
        if data is not None and not self.is_in(data):
            raise jsonc.SettingsError(
                "a file of another origin is in the way", "move it elsewhere, then repeat"
            )
        return self.text.encode()

    def take(self, data: bytes) -> bytes | None:
        """Return None, or the file as it is where somebody else wrote it."""
        return None if self.is_in(data) else data

    def is_in(self, data: bytes) -> bool:
        """Tell whether we wrote the file."""
        return b"git knowl agent" in data


@dataclass(frozen=True)
class Kept:
    """A file that is ours alone, and that we write anew whenever it is out of date."""

    head: str

    def put(self, data: bytes | None) -> bytes:
        """Return the file, as it is where it is ours; one of somebody else is in the way."""
        if data is None:
            return self.head.encode()
        return data if self.is_in(data) else Whole(self.head).put(data)

    def take(self, data: bytes) -> bytes | None:
        """Return None, or the file as it is where somebody else wrote it."""
        return None if self.is_in(data) else data

    def is_in(self, data: bytes) -> bool:
        """Tell whether we wrote the file."""
        return data.startswith(self.head.encode())


@dataclass(frozen=True)
class Block:
    """A marked block at the end of a text that others write; ``marks`` open and close a comment."""

    text: str
    marks: tuple[str, str] = ("<!-- ", " -->")

    def put(self, data: bytes | None) -> bytes:
        """Return the text with the block, in the place of an older one if there is one."""
        before = data or b""
        old = self._found(before)
        if old is not None:
            block = self._render((old["joined"] or b"").decode("ascii"))
            return before[: old.start("block")] + block + before[old.end() :]
        if not before:
            return self._render("")
        is_whole = before.endswith(b"\n")
        return before + (b"\n" if is_whole else b"\n\n") + self._render("" if is_whole else JOINED)

    def take(self, data: bytes) -> bytes | None:
        """Return the text without the block and the gap before it."""
        old = self._found(data)
        if old is None:
            return data
        before = data[: old.start("block")].removesuffix(b"\n")
        if old["joined"]:
            before = before.removesuffix(b"\n")
        return before + data[old.end() :] or None

    def is_in(self, data: bytes) -> bool:
        """Tell whether a block of ours is there."""
        return self._found(data) is not None

    def _render(self, joined: str) -> bytes:
        opening, closing = self.marks
        return f"{opening}{BEGIN}{joined}{closing}\n{self.text}{opening}{END}{closing}\n".encode()

    def _found(self, data: bytes) -> re.Match[bytes] | None:
        opening, closing, first, last = (
            re.escape(one.encode()) for one in (*self.marks, BEGIN, END)
        )
        joined = rb"(?P<joined>" + re.escape(JOINED.encode()) + rb")?"
        start = rb"(?P<block>" + opening + first + joined + closing + rb"\n"
        return re.search(start + rb".*?" + opening + last + closing + rb"\n?)", data, re.DOTALL)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise jsonc.SettingsError(
            "no UTF-8 from end to end", "correct the file, then repeat"
        ) from None
