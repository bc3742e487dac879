"""The block without anything heavy: only where cache and verdicts are as they were left."""

from __future__ import annotations

from git_knowl.anchors.freshness import warm_statuses
from git_knowl.model.limits import INDEX_BUDGET, INDEX_DEFAULT_BUDGET
from git_knowl.model.tiers import TIERS, parse_tiers
from git_knowl.plumbing import config, refs
from git_knowl.plumbing.working import Working
from git_knowl.services.index import build, guidelines_at
from git_knowl.services.index_rank import ranking
from git_knowl.services.use_steps import steps
from git_knowl.store.cache import CacheMovedError, open_warm
from git_knowl.store.cache_tiers import are_known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_knowl.plumbing.repository import Repository
    from git_knowl.store.cache_file import Tips


def warm_text(repo: Repository, now: str) -> str | None:
    """Return the block, or None when it is not warm or a setting is none of its kind."""
    asked = config.begin_settings(repo)
    tips = refs.tips(repo)
    return warm_block(repo, tips, asked(), now)


def warm_block(
    repo: Repository,
    tips: Tips,
    settings: Mapping[str, str],
    now: str,
    tokens: int | None = None,
) -> str | None:
    """Return the block that the settings ask for, or None.

    ``tips`` maps the lanes to their commits; ``tokens`` stands in for the budget that is set.
    """
    budget = budget_of(settings.get("knowl.indexbudget"))
    trusted = trusted_by(settings.get("knowl.trust"))
    if budget is None or trusted is None:
        return None
    budget = budget if tokens is None else tokens
    head, _ = refs.checked_out(repo)
    block = warm_index(repo, tips, head, now, budget, trusted)
    place = settings.get("knowl.personal")
    if block is None or not place:
        return block
    from git_knowl.services.personal_block import warm_lines, with_personal  # noqa: PLC0415 - few

    lines = warm_lines(repo, tips, place, now, trusted)
    return None if lines is None else with_personal(block, lines, budget)


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


def warm_index(
    repo: Repository,
    tips: Tips,
    head: str | None,
    now: str,
    budget: int = INDEX_DEFAULT_BUDGET,
    trusted: tuple[str, ...] = TIERS,
) -> str | None:
    """Return the block of the repository's own entries, or None.

    None means that something must be read or judged first, or is damaged. Entries that are not of a
    ``trusted`` tier are left out.
    """
    working = Working(repo)  # git looks while we do
    cache = open_warm(repo, tips)
    try:
        if cache is None or cache.damaged() or not are_known(repo, cache, now, trusted):
            return None
        statuses = warm_statuses(repo, tips, head, now)
        if statuses is None:
            return None
        order = ranking(cache, working.found(), steps(repo))
        return build(cache, statuses, guidelines_at(repo, head), budget, trusted, order)
    except CacheMovedError:
        return None
    finally:
        working.close()
        if cache is not None:
            cache.close()
