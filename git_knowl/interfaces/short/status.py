"""`git knowl status --porcelain` where nothing has moved since somebody counted: for prompts."""

from __future__ import annotations

import os
import sys

from git_knowl.errors import KnowlError
from git_knowl.interfaces.clock import now
from git_knowl.plumbing import refs
from git_knowl.plumbing.repository import discover
from git_knowl.services.status_warm import REFS, porcelain, warm_counts


def run(arguments: list[str]) -> int | None:
    """Print the counts, or return None when the full command line must do the work."""
    if arguments != ["--porcelain"]:
        return None
    try:
        repo = discover(os.getcwd(), os.environ)
        head, _ = refs.checked_out(repo)
        counts = warm_counts(repo, refs.read(repo, REFS), head, now())
    except (KnowlError, OSError):
        return None
    if counts is None:
        return None
    sys.stdout.write(porcelain(counts))
    return os.EX_OK
