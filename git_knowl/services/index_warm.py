"""The block without anything heavy: only where cache and verdicts are as they were left."""

from __future__ import annotations

from git_knowl.anchors.freshness import warm_statuses
from git_knowl.model.limits import INDEX_DEFAULT_BUDGET
from git_knowl.services.index import build, guidelines_at
from git_knowl.store.cache import CacheMovedError, open_warm

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.plumbing.repository import Repository
    from git_knowl.store.cache_file import Tips


def warm_index(
    repo: Repository, tips: Tips, head: str | None, now: str, budget: int = INDEX_DEFAULT_BUDGET
) -> str | None:
    """Return the block, or None when something must be read or judged first, or is damaged.

    ``tips`` maps the lanes to their commits, as for the stored verdicts.
    """
    cache = open_warm(repo, tips)
    if cache is None:
        return None
    try:
        statuses = None if cache.damaged() else warm_statuses(repo, tips, head, now)
        return (
            None if statuses is None else build(cache, statuses, guidelines_at(repo, head), budget)
        )
    except CacheMovedError:
        return None
    finally:
        cache.close()
