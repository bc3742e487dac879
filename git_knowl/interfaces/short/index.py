"""`git knowl index` where nothing has to be read or judged: SQLite, lstat and three git calls.

They find the repository, the settings and the tips. Where a quarter of the tracked files is
anchored or more, up to three others ask git what differs, which then costs less than looking at
each file. Where it matters which entries are signed, one more finds the keys that are allowed.
"""

from __future__ import annotations

import os
import sys

from git_knowl.errors import KnowlError
from git_knowl.interfaces.clock import now
from git_knowl.model.limits import INDEX_BUDGET, INDEX_DEFAULT_BUDGET
from git_knowl.model.tiers import TIERS, parse_tiers
from git_knowl.plumbing import config, refs
from git_knowl.plumbing.repository import discover
from git_knowl.services.index_warm import warm_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.plumbing.repository import Repository


def run(arguments: list[str]) -> int | None:
    """Print the block, or return None when the full command line must do the work.

    Options are its affair too, and settings that need explaining: only the bare verb is answered.
    """
    if arguments:
        return None
    try:
        repo = discover(os.getcwd(), os.environ)
        text = warm_text(repo)
    except (KnowlError, OSError):
        return None
    if text is None:
        return None
    sys.stdout.write(text)
    return os.EX_OK


def warm_text(repo: Repository) -> str | None:
    """Return the block, or None when it is not warm or a setting is none of its kind."""
    settings = config.read_settings(repo)
    budget = budget_of(settings.get("knowl.indexbudget"))
    trusted = trusted_by(settings.get("knowl.trust"))
    if budget is None or trusted is None or settings.get("knowl.personal"):
        return None
    found = refs.read(repo, (refs.ENTRIES, refs.LOCAL_ENTRIES))
    tips = {refs.lane_of(ref): commit for ref, commit in found.items()}
    head, _ = refs.checked_out(repo)
    return warm_index(repo, tips, head, now(), budget, trusted)


def budget_of(setting: str | None) -> int | None:
    """Return the budget that is set, the default one without a setting, None for a wrong one."""
    if setting is None:
        return INDEX_DEFAULT_BUDGET
    lowest, highest = INDEX_BUDGET
    is_number = setting.isascii() and setting.isdigit() and len(setting) <= len(str(highest))
    return int(setting) if is_number and lowest <= int(setting) <= highest else None


def trusted_by(setting: str | None) -> tuple[str, ...] | None:
    """Return the tiers that reach agents, all of them without a setting, None for a wrong one."""
    return TIERS if setting is None else parse_tiers(setting)
