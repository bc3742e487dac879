"""The personal entries in the block for agents, behind those of the repository.

Loads what a warm block loads, no more: `index_block` brings verdicts up to date first.
"""

from __future__ import annotations

import os

from git_knowl.anchors.freshness import PERSONAL_FILE, warm_statuses
from git_knowl.model.status import ACTIVE
from git_knowl.plumbing import refs
from git_knowl.plumbing.repository import NotARepository
from git_knowl.services.index import FRAME, MOST_CHARACTERS, Line, estimate, framed
from git_knowl.services.index_text import CLOSING, OPENING
from git_knowl.store.cache import CacheMovedError, open_warm
from git_knowl.store.cache_tiers import Admitted, are_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_knowl.plumbing.repository import Repository
    from git_knowl.store.cache import CacheReader
    from git_knowl.store.cache_file import Tips

HEADING = "\npersonal, for every repository:\n"
REST = "{} more personal: `git knowl ls` lists them.\n"
MARK = " [personal]"
ROOM = len(HEADING) + len(REST) + 20
#: The share of the budget that personal entries get even where the repository fills all of it.
SHARE = 4


def with_personal(block: str, lines: list[Line], budget: int) -> str:
    """Return a block with lines for the personal entries, as far as the budget goes."""
    if not lines:
        return block
    own = block.removesuffix(CLOSING)
    tokens = max(budget / SHARE, budget - estimate(own.removeprefix(OPENING)))
    room = MOST_CHARACTERS - (len(block) or FRAME) - ROOM
    text = _told([marked(line.text) for line in lines], tokens, room)
    return f"{own}{text}{CLOSING}" if block else framed(text)


def personal_lines(
    own: CacheReader, personal: CacheReader, statuses: Mapping[str, str], trusted: tuple[str, ...]
) -> list[Line]:
    """Return a line for every personal entry that reaches agents, the most urgent first.

    Those that an entry of the repository has the name of are left out.
    """
    rows = Admitted(personal, trusted).all_rows()
    hidden = own.named(row.own_name for row in rows)
    shown = (row for row in rows if row.own_name not in hidden)
    lines = [Line(row, statuses.get(row.id, ACTIVE)) for row in shown]
    return sorted(lines, key=lambda line: line.rank)


def warm_lines(
    repo: Repository, tips: Tips, place: str, now: str, trusted: tuple[str, ...]
) -> list[Line] | None:
    """Return the same, or None when something must be read, judged or told first.

    ``tips`` are those of the repository, whose entries hide personal ones.
    """
    try:
        other = repo.other(place)
    except NotARepository:
        return None
    if os.path.realpath(other.common_dir) == os.path.realpath(repo.common_dir):
        return []
    theirs = refs.tips(other)
    statuses = warm_statuses(repo, theirs, refs.checked_out(repo)[0], now, PERSONAL_FILE)
    own, personal = open_warm(repo, tips), open_warm(other, theirs)
    try:
        if own is None or personal is None or statuses is None:
            return None
        is_known = are_known(other, personal, now, trusted)
        return personal_lines(own, personal, statuses, trusted) if is_known else None
    except CacheMovedError:
        return None


def marked(line: str) -> str:
    """Return the line of an entry with the mark that it is personal."""
    return f"{line.removesuffix(chr(10))}{MARK}\n"


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
