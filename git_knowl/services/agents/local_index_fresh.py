"""The index in the instruction files of a worktree, judged anew: loaded where there is one."""

from __future__ import annotations

from git_knowl.services.agents.local_index import installed, put
from git_knowl.services.agents.session import nothing_listed
from git_knowl.services.context import Context
from git_knowl.services.index_block import index_block
from git_knowl.services.index_warm import warm_text


def refresh(ctx: Context) -> None:
    """Bring the files that are installed in this worktree up to the store."""
    paths = installed(ctx.repo)
    if not paths:
        return
    text = warm_text(ctx.repo, ctx.caller.now())
    text = index_block(ctx) if text is None else text
    put(paths, text or nothing_listed(ctx))
