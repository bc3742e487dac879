"""The entries that rest on a file or on anything below a folder."""

from __future__ import annotations

import os

from git_knowl.services.context import Context
from git_knowl.services.judging import list_some
from git_knowl.services.listing import Listing
from git_knowl.services.resting import resting_on


def why(ctx: Context, target: str) -> Listing:
    """Return the entries resting on ``PATH`` or ``PATH:LINE``, relative to the caller's folder.

    Raises PathError for what is outside the work tree or behind a link.
    """
    return list_some(ctx, resting_on(ctx, without_line(ctx, target)))


def without_line(ctx: Context, target: str) -> str:
    """Return the path of ``PATH:LINE``; a file that is really called like that keeps its name."""
    path, _, line = target.rpartition(":")
    is_path = not (path and line.isdecimal())
    return target if is_path or os.path.lexists(os.path.join(ctx.caller.cwd, target)) else path
