"""The block that stands in a hook file of somebody else: how it gets in, and out again.

It stands right after the shebang, for whatever others do later may end in `exec` or `exit`. What it
changed can be told from the block alone, so that taking it out restores every byte.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

BEGIN = "# >>> git-knowl: 'git knowl hooks uninstall' takes this block out"
END = "# <<< git-knowl"
MADE = " (and the file)"
MADE_FOLDER = " (and the file, and its folder)"
SHEBANG = b"#!/bin/sh\n"
SHELLS = frozenset(("sh", "bash", "dash", "ash", "ksh", "mksh", "zsh"))

_BLOCK = re.compile(
    re.escape(BEGIN.encode())
    + rb"(?P<made>[^\n]*)\n(?P<line>.*?)\n"
    + re.escape(END.encode())
    + rb"(?P<end>\n?)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Block:
    """Our part of a hook file: its line of shell, and what was made to hold it."""

    line: str
    made: str = ""

    def render(self) -> bytes:
        """Return the block as it stands in the file."""
        return os.fsencode(f"{BEGIN}{self.made}\n{self.line}\n{END}\n")


def find(data: bytes) -> Block | None:
    """Return the block of a file, or None."""
    match = _BLOCK.search(data)
    return Block(os.fsdecode(match["line"]), os.fsdecode(match["made"])) if match else None


def insert(data: bytes | None, block: Block) -> bytes:
    """Return the file with the block, or with its line in the place of an older one."""
    if data is None:
        return SHEBANG + block.render()
    old = _BLOCK.search(data)
    if old is not None:
        new = Block(block.line, os.fsdecode(old["made"])).render()
        return data[: old.start()] + new.removesuffix(b"\n") + old["end"] + data[old.end() :]
    if not data.startswith(b"#!"):
        return block.render() + data
    first, line_end, rest = data.partition(b"\n")
    if not line_end:  # the block ends as the file did, which tells how to take it out
        return first + b"\n" + block.render().removesuffix(b"\n")
    return first + b"\n" + block.render() + rest


def remove(data: bytes) -> bytes:
    """Return the file as it was without the block; of a file that we made, what others added."""
    match = _BLOCK.search(data)
    if match is None:
        return data
    before = data[: match.start()]
    return (before if match["end"] else before.removesuffix(b"\n")) + data[match.end() :]


def is_nothing(data: bytes) -> bool:
    """Tell whether a file that we made holds nothing else by now."""
    return data == SHEBANG


def obstacle(data: bytes) -> str | None:
    """Return why no shell line can be put into a hook with this content, or None."""
    first = data.partition(b"\n")[0]
    if first.endswith(b"\r"):
        return "has Windows line ends, with which no system runs it"
    if not first.startswith(b"#!"):
        return "is no text" if b"\0" in data[:1024] else None
    words = os.fsdecode(first[2:]).split()
    names = [os.path.basename(word) for word in words if not word.startswith("-")]
    if names[:1] == ["env"]:
        names = [name for name in names[1:] if "=" not in name]
    if names[:1] == ["busybox"]:
        names = names[1:]
    name = names[0] if names else "nothing"
    return None if name in SHELLS else f"is written for '{name}', not for a shell"
