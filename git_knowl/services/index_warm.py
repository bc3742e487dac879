"""The block without anything heavy: only where cache and verdicts are as they were left."""

from __future__ import annotations

from git_knowl.anchors.freshness import warm_statuses
from git_knowl.model.limits import INDEX_BUDGET, INDEX_DEFAULT_BUDGET
from git_knowl.model.tiers import TIERS, needs_signatures, parse_tiers
from git_knowl.plumbing import allowed, config, refs
from git_knowl.services.index import build, guidelines_at
from git_knowl.store.cache import CacheMovedError, open_warm

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.plumbing.repository import Repository
    from git_knowl.store.cache import CacheReader
    from git_knowl.store.cache_file import Tips


def warm_text(repo: Repository, now: str, tokens: int | None = None) -> str | None:
    """Return the block, or None when it is not warm or a setting is none of its kind.

    ``tokens`` stands in for the budget that is set.
    """
    settings = config.read_settings(repo)
    budget = budget_of(settings.get("knowl.indexbudget"))
    trusted = trusted_by(settings.get("knowl.trust"))
    if budget is None or trusted is None or settings.get("knowl.personal"):
        return None
    found = refs.read(repo, (refs.ENTRIES, refs.LOCAL_ENTRIES))
    tips = {refs.lane_of(ref): commit for ref, commit in found.items()}
    head, _ = refs.checked_out(repo)
    return warm_index(repo, tips, head, now, budget if tokens is None else tokens, trusted)


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
    """Return the block, or None when something must be read or judged first, or is damaged.

    ``tips`` maps the lanes to their commits, as for the stored verdicts; entries that are not of a
    ``trusted`` tier are left out.
    """
    cache = open_warm(repo, tips)
    if cache is None:
        return None
    try:
        if cache.damaged() or not are_tiers_known(repo, cache, now, trusted):
            return None
        statuses = warm_statuses(repo, tips, head, now)
        if statuses is None:
            return None
        return build(cache, statuses, guidelines_at(repo, head), budget, trusted)
    except CacheMovedError:
        return None
    finally:
        cache.close()


def are_tiers_known(
    repo: Repository, cache: CacheReader, now: str, trusted: tuple[str, ...]
) -> bool:
    """Tell whether no signature must be judged to say which entries are of a trusted tier."""
    if not needs_signatures(trusted):
        return True
    return cache.signatures_for() == allowed.fingerprint(repo, now[:10])
