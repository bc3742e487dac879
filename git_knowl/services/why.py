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
    path = without_line(ctx, target)
    own = list_some(ctx, resting_on(ctx, path))
    if not ctx.settings.personal:
        return own
    from git_knowl.services.personal import why_personal  # noqa: PLC0415 - for few

    return why_personal(ctx, own, ctx.repo.relative(path, ctx.caller.cwd))


def without_line(ctx: Context, target: str) -> str:
    """Return the path of ``PATH:LINE``; a file that is really called like that keeps its name."""
    path, _, line = target.rpartition(":")
    is_path = not (path and line.isdecimal())
    return target if is_path or os.path.lexists(os.path.join(ctx.caller.cwd, target)) else path
