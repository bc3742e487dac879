"""Markdown taken apart: one block for every top item of a list and every stretch of prose.

Numbered steps that a paragraph announces stay together with it: one alone would say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from git_knowl.services.guideline import FENCE, HEADING

ITEM = re.compile(r"( {0,3})(?:[-*+]|(\d{1,9})[.)])[ \t]+(?:\[[ xX]\][ \t]+)?(\S.*)")
COMMENT_START, COMMENT_END = "<!--", "-->"


@dataclass(slots=True)
class Block:
    """An item with all that belongs to it, or prose, under its headings from the outermost in.

    ``introduced_by`` is the paragraph that announces a list.
    """

    headings: tuple[str, ...]
    is_item: bool
    lines: list[str] = field(default_factory=list)
    introduced_by: str = ""
    has_steps: bool = False

    @property
    def text(self) -> str:
        """What the block says, without the indent of an item and empty lines around it."""
        first, *others = self.lines or [""]
        indent = min((len(one) - len(one.lstrip()) for one in others if one.strip()), default=0)
        return "\n".join((first, *(one[indent:] for one in others))).strip("\n").rstrip()


class Splitter:
    """Reads lines and gives out the blocks they make."""

    def __init__(self) -> None:
        self.stack: list[tuple[int, str]] = []
        self.block: Block | None = None
        self.fence = ""
        self.indent = 0
        self.is_comment = False
        self.was_blank = True

    def take(self, line: str) -> Block | None:
        """Take a line; return the block that it ends."""
        mark = FENCE.match(line.lstrip()) if self.block or not line[:1].isspace() else None
        if self.fence or (mark and not self.is_comment):
            return self._take_fence(line, mark[1] if mark else "")
        if self._is_in_comment(line):
            return None
        heading = HEADING.match(line)
        if heading:
            return self._take_heading(len(heading[1]), heading[2])
        return self._take_text(line)

    def finish(self) -> Block | None:
        """Return the block that is open, and open none."""
        done, self.block = self.block, None
        return done if done and done.text.strip() else None

    def _take_fence(self, line: str, mark: str) -> Block | None:
        done = self.finish() if not self.fence and self._ends_item(line) else None
        if mark and self.fence in ("", mark):
            self.fence = "" if self.fence else mark
        self.was_blank = False
        self._open(is_item=False).lines.append(line)
        return done

    def _is_in_comment(self, line: str) -> bool:
        begins = not self.is_comment and line.lstrip().startswith(COMMENT_START)
        is_inside = self.is_comment or begins
        self.is_comment = is_inside and COMMENT_END not in line
        return is_inside

    def _take_heading(self, level: int, title: str) -> Block | None:
        done = self.finish()
        self.stack = [one for one in self.stack if one[0] < level]
        self.stack.append((level, title))
        return done

    def _take_text(self, line: str) -> Block | None:
        item = ITEM.match(line)
        is_top = item and (self._is_prose() or len(item[1]) <= self.indent)
        if item and is_top and not self._is_step(item):
            return self._take_item(item)
        done = self.finish() if self._ends_item(line) else None
        self.was_blank = not line.strip()
        if line.strip() or self.block:
            self._open(is_item=False).lines.append(line)
        return done

    def _take_item(self, item: re.Match[str]) -> Block | None:
        done = self.finish()
        intro = ""
        if done and not done.is_item and done.text.rstrip().endswith(":"):
            intro, done = done.text, None
        elif done and done.is_item:
            intro = done.introduced_by
        self.indent, self.was_blank = len(item[1]), False
        self.block = Block(self._titles(), is_item=True, lines=[item[3]], introduced_by=intro)
        return done

    def _is_step(self, item: re.Match[str]) -> bool:
        block = self.block
        if not item[2] or block is None or block.is_item:
            return False
        block.has_steps = block.has_steps or block.text.endswith(":")
        return block.has_steps

    def _is_prose(self) -> bool:
        return self.block is None or not self.block.is_item

    def _ends_item(self, line: str) -> bool:
        is_outside = not line[:1].isspace() and bool(line.strip())
        return not self._is_prose() and self.was_blank and is_outside

    def _open(self, *, is_item: bool) -> Block:
        if self.block is None:
            self.block = Block(self._titles(), is_item)
        return self.block

    def _titles(self) -> tuple[str, ...]:
        return tuple(title for _, title in self.stack)


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a document in order; comments are left out."""
    splitter = Splitter()
    for line in text.split("\n"):
        done = splitter.take(line)
        if done:
            yield done
    last = splitter.finish()
    if last:
        yield last
