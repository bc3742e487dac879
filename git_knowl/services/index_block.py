"""The block for agents, whatever must be read or judged for it first."""

from __future__ import annotations

from git_knowl.plumbing.history import head
from git_knowl.services.context import Context
from git_knowl.services.index import build, guidelines_at
from git_knowl.services.verdicts import judge_all


def index_block(ctx: Context, budget: int | None = None) -> str:
    """Return the block with the verdicts of the caller's files; '' where nothing is known."""
    held = guidelines_at(ctx.repo, head(ctx.repo))
    tokens = ctx.settings.index_budget if budget is None else budget
    return build(ctx.cache, judge_all(ctx).statuses, held, tokens)
