"""One event of git: catch up with what happened, and say it in at most three lines."""

from __future__ import annotations

import sys

from git_knowl.interfaces.door import open_context
from git_knowl.interfaces.watch import SECONDS, Late, Watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from git_knowl.services.context import Context

MOST_LINES = 3


def run(arguments: Sequence[str], seconds: float = SECONDS) -> None:
    """Handle an event with git's arguments; nothing that goes wrong reaches the user's command.

    It is remembered for `git knowl doctor` instead.
    """
    ctx = None
    try:
        with Watch(seconds):
            ctx = open_context()
            speak(ctx, catch_up(ctx, arguments[0]))
    except (Exception, Late) as error:  # noqa: BLE001 - the one broad handler of this door
        remember(ctx, error)


def catch_up(ctx: Context, event: str) -> tuple[str, ...]:
    """Return what there is to say; the services are loaded only here, below the handler."""
    from git_knowl.services.agents.local_index import installed
    from git_knowl.services.catchup.catch_up import catch_up as perform
    from git_knowl.services.hooks.heartbeat import forget_failure

    lines = perform(ctx, event).lines
    if installed(ctx.repo):
        from git_knowl.services.agents.local_index_fresh import refresh

        refresh(ctx)
    forget_failure(ctx.repo)
    return lines


def speak(ctx: Context, lines: Sequence[str]) -> None:
    """Write the lines to standard error, unless ``knowl.quiet`` is set."""
    if not lines:
        return
    from git_knowl.model.text import for_terminal
    from git_knowl.plumbing.config import is_true

    if not is_true(ctx.repo, "knowl.quiet"):
        text = "".join(f"knowl: {for_terminal(line)}\n" for line in lines[:MOST_LINES])
        sys.stderr.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stderr.flush()


def remember(ctx: Context | None, error: BaseException) -> None:
    """Keep what went wrong where `doctor` finds it; without a repository nobody would ask."""
    if ctx is not None:
        from git_knowl.interfaces.report import frames
        from git_knowl.services.hooks.heartbeat import note_failure

        note_failure(ctx.repo, frames(error))
