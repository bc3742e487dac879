"""The block for agents, whatever must be read or judged for it first."""

from __future__ import annotations

from git_knowl.anchors.freshness import PERSONAL_FILE
from git_knowl.model.tiers import needs_signatures
from git_knowl.plumbing.history import head
from git_knowl.plumbing.working import Working
from git_knowl.services.context import Context
from git_knowl.services.index import Line, build, guidelines_at
from git_knowl.services.index_rank import ranking
from git_knowl.services.personal_block import personal_lines, with_personal
from git_knowl.services.use_steps import steps
from git_knowl.services.verdicts import judge_all


def index_block(ctx: Context, budget: int | None = None) -> str:
    """Return the block with the verdicts of the caller's files; '' where nothing is known."""
    held = guidelines_at(ctx.repo, head(ctx.repo))
    tokens = ctx.settings.index_budget if budget is None else budget
    trusted = ctx.settings.trust
    prepare(ctx, trusted)
    working = Working(ctx.repo)
    try:
        statuses = judge_all(ctx).statuses
        order = ranking(ctx.cache, working.found(), steps(ctx.repo))
    finally:
        working.close()
    block = build(ctx.cache, statuses, held, tokens, trusted, order)
    return with_personal(block, lines_beside(ctx), tokens) if ctx.settings.personal else block


def lines_beside(ctx: Context) -> list[Line]:
    """Return the lines of the personal store, with the verdicts of the caller's files."""
    from git_knowl.services.personal_store import find_personal  # noqa: PLC0415 - for few

    found = find_personal(ctx)
    if found is None:
        return []
    trusted = ctx.settings.trust
    prepare(found, trusted)
    statuses = judge_all(found, PERSONAL_FILE).statuses
    return personal_lines(ctx.cache, found.cache, statuses, trusted)


def prepare(ctx: Context, trusted: tuple[str, ...]) -> None:
    """See to it that the cache knows which entries are of a trusted tier."""
    if needs_signatures(trusted):
        from git_knowl.services.trust.signatures import know_signatures  # noqa: PLC0415 - as there

        know_signatures(ctx)
