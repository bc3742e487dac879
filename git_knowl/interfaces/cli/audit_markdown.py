"""The audit as the text of a comment on a pull request: what it turns suspect, and why.

Every word that comes from the store or from history stands in a code span, where hosts make no
links, mentions or images of it, and which it cannot end.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from git_knowl.interfaces.cli import output
from git_knowl.interfaces.cli.entry_text import said_of
from git_knowl.model.status import SUSPECT, UNKNOWN
from git_knowl.model.text import for_terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from git_knowl.services.audit.audit import Audit
    from git_knowl.services.findings import Finding

#: Hosts take some 65,000 characters; nobody reads more entries than these in a comment.
ENTRIES = 30
ANCHORS = 5
LENGTH = 400
SHORT = 10


def markdown_text(done: Audit, found: Iterable[Finding]) -> str:
    """Return the comment; entries that sleep or were so before the base are left out."""
    by_entry: dict[str, list[Finding]] = {}
    for one in found:
        if one.counts:
            by_entry.setdefault(one.entry.row.id, []).append(one)
    groups = list(by_entry.values())
    blocks = [heading(done, groups)]
    blocks += ["\n".join(entry_lines(group)) for group in groups[:ENTRIES]]
    if len(groups) > ENTRIES:
        blocks.append(f"and {len(groups) - ENTRIES} more")
    return "\n\n".join(blocks)


def heading(done: Audit, groups: list[list[Finding]]) -> str:
    """Return the sentence that says it all."""
    counts = dict.fromkeys((SUSPECT, UNKNOWN), 0)
    for group in groups:
        counts[group[0].entry.verdict.status] += 1
    told = [
        f"{output.counted(number, 'entry', 'entries')} {status}"
        for status, number in counts.items()
        if number
    ]
    since = f" since {code(done.base[:SHORT])}" if done.base else ""
    if not told:
        return (
            f"**git knowl**: nothing turned suspect{since}."
            if since
            else ("**git knowl**: nothing is suspect.")
        )
    return f"**git knowl**: {', '.join(told)}{since}."


def entry_lines(group: list[Finding]) -> Iterator[str]:
    """Yield an entry as an item of a list, with its evidence below."""
    row = group[0].entry.row
    yield f"- {group[0].entry.verdict.status}: {code(row.name)}: {code(row.description)}"
    for one in group[:ANCHORS]:
        said = "; ".join(said_of(one.anchor)) or one.anchor.status
        yield f"  - {code(one.anchor.target)}: {code(said)}"
    if len(group) > ANCHORS:
        yield f"  - and {len(group) - ANCHORS} more"


def code(text: str) -> str:
    """Return text as a code span: one line, its fence longer than any run of backticks inside."""
    line = for_terminal(" ".join(text.split()), single_line=True) or " "
    cut = line if len(line) <= LENGTH else f"{line[:LENGTH]}…"
    fence = "`" * (max(map(len, re.findall("`+", cut)), default=0) + 1)
    return f"{fence} {cut} {fence}" if "`" in cut else f"{fence}{cut}{fence}"
