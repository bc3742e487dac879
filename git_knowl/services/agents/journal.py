"""What went on in the agent hooks of this clone: they say nothing of it where they run.

A line an incident, never text of a prompt, an entry or an exception.
"""

from __future__ import annotations

import os
import time

from git_knowl.plumbing import small_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from git_knowl.plumbing.repository import Repository
    from git_knowl.services.agents.memory import Memory
    from git_knowl.services.context import Context

FILE = "agent-log"
MOST_BYTES = 64_000
_WORD = 80


def note(repo: Repository, now: float, *words: str) -> None:
    """Add a line to the log; where it cannot be written, nobody is told."""
    path = repo.shared_path(FILE)
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now))
    line = " ".join((at, *map(_plain, words)))
    _shorten(path)
    small_files.append(path, f"{line}\n".encode("ascii", "backslashreplace"))


def once(ctx: Context, memory: Memory, what: str) -> None:
    """Add a line about what was passed over, once to every agent."""
    if not memory.knows(f"!{what.replace(' ', '-')}", "noted"):
        note(ctx.repo, ctx.caller.clock(), ctx.caller.host or "", "ignored:", what)


def last_lines(repo: Repository, count: int) -> list[str]:
    """Return the last lines of the log, the newest last."""
    try:
        with open(repo.shared_path(FILE), "rb") as file:
            lines = file.read(2 * MOST_BYTES).decode("ascii", "backslashreplace").splitlines()
    except OSError:
        return []
    return lines[-count:]


def _shorten(path: str) -> None:
    """Keep the newer half of a log that has grown too long."""
    try:
        if os.stat(path).st_size < MOST_BYTES:
            return
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return
    small_files.put(path, data[-MOST_BYTES // 2 :].partition(b"\n")[2])


def _plain(word: str) -> str:
    return "".join(char if char.isprintable() else "?" for char in word[:_WORD])
