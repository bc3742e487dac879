"""`git knowl agent hook HOST EVENT` without the command line: hosts run it at every tool call."""

from __future__ import annotations

import os


def run(arguments: list[str]) -> int | None:
    """Answer an event; None when the full command line must do the work, or explain the usage."""
    if len(arguments) != 3 or arguments[0] != "hook" or arguments[2].startswith("-"):
        return None
    from git_knowl.interfaces.agents.run import run as handle

    handle(arguments[1], arguments[2])
    return os.EX_OK
