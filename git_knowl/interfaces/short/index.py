"""`git knowl index` where nothing has to be read or judged: SQLite, lstat and three git calls.

They find the repository, the settings and the tips. Where a quarter of the tracked files is
anchored or more, up to three others ask git what differs, which then costs less than looking at
each file. Where it matters which entries are signed, one more finds the keys that are allowed.
"""

from __future__ import annotations

import os
import sys

from git_knowl.errors import KnowlError
from git_knowl.interfaces.clock import now
from git_knowl.plumbing.repository import discover
from git_knowl.services.index_warm import warm_text


def run(arguments: list[str]) -> int | None:
    """Print the block, or return None when the full command line must do the work.

    Options are its affair too, and settings that need explaining: only the bare verb is answered.
    """
    if arguments:
        return None
    try:
        text = warm_text(discover(os.getcwd(), os.environ), now())
    except (KnowlError, OSError):
        return None
    if text is None:
        return None
    sys.stdout.write(text)
    return os.EX_OK
