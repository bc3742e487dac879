"""Checks of the remotes: what their settings take along, and what they do not have yet."""

from __future__ import annotations

from collections.abc import Iterator

from git_knowl.plumbing import hooks
from git_knowl.services.context import Context
from git_knowl.services.doctor.finding import Finding, counted
from git_knowl.services.sync.owed import owed


def check_remotes(ctx: Context) -> Iterator[Finding]:
    """Find remotes whose settings send or overwrite refs that are none of theirs."""
    for remote, settings in hooks.push_settings(ctx.repo).items():
        yield Finding(
            f"remote.{remote} takes every ref along ({', '.join(settings)}), flags, drafts and"
            " local entries among them",
            "name the branches it is for ('+refs/heads/*:refs/heads/*'), or mind who reads it",
        )


def told_of_remotes(ctx: Context) -> str:
    """Say what each remote lacked when it was last asked; nobody is asked now."""
    lacking = [
        f"{one.remote} lacks {counted(one.operations, 'operation', 'operations')}"
        for one in owed(ctx)
    ]
    return f"{', '.join(lacking)}, as last seen ('git knowl sync')" if lacking else ""
