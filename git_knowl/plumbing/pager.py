"""A pager, as git starts one: a shell command that reads the text and owns the terminal."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

#: What git asks of `less` and `lv` where the user has not: quit on one screen, keep colours.
DEFAULTS = {"LESS": "FRX", "LV": "-c"}


def feed(command: str, text: bytes, environ: Mapping[str, str]) -> None:
    """Run a pager on a text and wait until the person leaves it; that may be before the end.

    It stays in this process group, which holds the terminal; an interrupt is its own affair.
    """
    reading, writing = os.pipe()
    take = (os.POSIX_SPAWN_DUP2, reading, 0)
    env = {**DEFAULTS, **environ}
    argv = ["sh", "-c", command]
    child = os.posix_spawnp("sh", argv, env, file_actions=[take], setsigdef=[signal.SIGPIPE])
    os.close(reading)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with suppress(BrokenPipeError), open(writing, "wb") as pipe:
            pipe.write(text)
        os.waitpid(child, 0)
    finally:
        signal.signal(signal.SIGINT, before)
