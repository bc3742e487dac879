"""The block for agents, whatever must be read or judged for it first."""

from __future__ import annotations

from git_knowl.model.tiers import needs_signatures
from git_knowl.plumbing.history import head
from git_knowl.services.context import Context
from git_knowl.services.index import build, guidelines_at
from git_knowl.services.verdicts import judge_all


def index_block(ctx: Context, budget: int | None = None) -> str:
    """Return the block with the verdicts of the caller's files; '' where nothing is known."""
    held = guidelines_at(ctx.repo, head(ctx.repo))
    tokens = ctx.settings.index_budget if budget is None else budget
    trusted = ctx.settings.trust
    if needs_signatures(trusted):
        from git_knowl.services.trust.signatures import know_signatures  # noqa: PLC0415 - as there

        know_signatures(ctx)
    block = build(ctx.cache, judge_all(ctx).statuses, held, tokens, trusted)
    if not ctx.settings.personal:
        return block
    from git_knowl.services.personal_block import with_personal  # noqa: PLC0415 - for few

    return with_personal(ctx, block, tokens)
