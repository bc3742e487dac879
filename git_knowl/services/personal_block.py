"""The personal entries in the block for agents, behind those of the repository."""

from __future__ import annotations

from git_knowl.services.context import Context
from git_knowl.services.index import (
    CLOSING,
    MOST_CHARACTERS,
    Line,
    estimate,
    framed,
)
from git_knowl.services.personal import PERSONAL, list_personal

HEADING = "\npersonal, for every repository:\n"
REST = "{} more personal: `git knowl ls` lists them.\n"
ROOM = len(HEADING) + len(REST) + 20
#: The share of the budget that personal entries get even where the repository fills all of it.
SHARE = 4


def with_personal(ctx: Context, block: str, budget: int) -> str:
    """Return a block with lines for the personal entries, as far as the budget goes.

    Texts of tiers that do not reach agents are left out, as are those of the repository.
    """
    found = [one for one in list_personal(ctx).entries if one.tier in ctx.settings.trust]
    lines = sorted((Line(one.row, one.verdict.status) for one in found), key=lambda one: one.rank)
    if not lines:
        return block
    own = block.removesuffix(CLOSING)
    tokens = max(budget / SHARE, budget - estimate(own))
    text = _told([marked(line.text) for line in lines], tokens, MOST_CHARACTERS - len(block) - ROOM)
    return f"{own}{text}{CLOSING}" if block else framed(text)


def marked(line: str) -> str:
    """Return the line of an entry with the mark that it is personal."""
    return f"{line.removesuffix(chr(10))} [{PERSONAL}]\n"


def _told(lines: list[str], tokens: float, characters: int) -> str:
    shown: list[str] = []
    for line in lines:
        tokens -= estimate(line)
        characters -= len(line)
        if tokens < 0 or characters < 0:
            break
        shown.append(line)
    rest = len(lines) - len(shown)
    return "".join((HEADING, *shown, REST.format(rest) if rest else ""))
