"""The list of anchored paths that the shims of the hooks look changed paths up in."""

from __future__ import annotations

from git_knowl.store.anchored_list import keep_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.services.context import Context


def write_list(ctx: Context) -> None:
    """Bring the list up to the tips of the store."""
    keep_list(ctx.repo, ctx.cache)
