"""What is said on the side of a personal store that a verb does not go into."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_knowl.interfaces.cli import output

if TYPE_CHECKING:
    from git_knowl.services.context import Context


def tell_personal(ctx: Context, what: str, verb: str) -> None:
    """Say how a verb reaches the personal store, where one is set that holds something."""
    if not ctx.settings.personal:
        return
    from git_knowl.services.personal_store import find_personal, reach  # for few

    found = find_personal(ctx)
    if found is not None and found.cache.entry_rows():
        output.talk(f"note: '{reach(found)} {verb}' {what}")


def tell_waiting(ctx: Context, *, unattended: bool) -> None:
    """Say what waits for a person in the personal store, where one is set."""
    if not ctx.settings.personal:
        return
    from git_knowl.services.personal_store import find_personal, reach
    from git_knowl.services.personal_waiting import waiting

    found = find_personal(ctx)
    count = waiting(found, unattended=unattended) if found else 0
    if found is not None and count:
        verb = "review --confirm" if unattended else "review"
        told = output.counted(count, "text")
        output.talk(f"note: {told} in the personal store: '{reach(found)} {verb}'")
