"""The block without anything heavy: only where cache and verdicts are as they were left."""

from __future__ import annotations

from git_knowl.anchors.freshness import warm_statuses
from git_knowl.model.limits import INDEX_DEFAULT_BUDGET
from git_knowl.model.tiers import TIERS, needs_signatures
from git_knowl.plumbing import allowed
from git_knowl.services.index import build, guidelines_at
from git_knowl.store.cache import CacheMovedError, open_warm

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.plumbing.repository import Repository
    from git_knowl.store.cache import CacheReader
    from git_knowl.store.cache_file import Tips


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
