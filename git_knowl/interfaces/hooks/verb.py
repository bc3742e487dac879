"""`git knowl hooks run EVENT …` without the command line, where the shims find us on the PATH."""

from __future__ import annotations

import os

from git_knowl.plumbing.hooks import EVENTS

#: Keeps the shims from running for a git that we start ourselves; they set it too.
GUARD = "KNOWL_HOOK"


def run(arguments: list[str]) -> int | None:
    """Handle an event; None when the full command line must do the work, or explain the usage."""
    if arguments[:1] != ["run"] or arguments[1:2] == [] or arguments[1] not in EVENTS:
        return None
    from git_knowl.interfaces.hooks.run import run as handle

    os.environ[GUARD] = "1"
    handle(arguments[1:])
    return 0
