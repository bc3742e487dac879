"""What is kept from agents, where one is asked for by name: untrusted tiers, and conflicts."""

from __future__ import annotations

from git_knowl.errors import KnowlError
from git_knowl.services.context import Context
from git_knowl.services.trust.tiers import is_withheld, tiers_of
from git_knowl.store.cache import EntryRow


class WithheldError(KnowlError):
    """An entry whose text is kept from the agent host that asks for it."""


def refuse_withheld(ctx: Context, row: EntryRow) -> None:
    """Raise WithheldError when the caller may not see the text of an entry."""
    if ctx.caller.host is None:
        return
    if row.conflict:
        raise WithheldError(
            f"'{row.name}' [conflict] is kept from agents: it has two texts, and nobody has decided"
            " between them",
            "a person does in a terminal: 'git knowl review'",
        )
    tier = tiers_of(ctx, [row])[row.id]
    if is_withheld(ctx, tier):
        raise WithheldError(
            f"'{row.name}' [untrusted] is kept from agents: its tier is '{tier}', and knowl.trust"
            f" is '{','.join(ctx.settings.trust)}'",
            f"a person reads it in a terminal: 'git knowl show {row.name}'",
        )
