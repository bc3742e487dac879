"""Copies of what remotes had, among the refs of the store."""

from __future__ import annotations

from collections.abc import Iterable

from git_knowl.plumbing import refs, remote
from git_knowl.plumbing.repository import Repository


def copies(named: Iterable[str]) -> list[str]:
    """Return those of the refs that are copies of what a remote had."""
    return [ref for ref in named if ref.startswith(refs.REMOTES_PREFIX)]


def remote_of(repo: Repository, ref: str) -> str:
    """Return the remote of a copy; one that is no longer configured by the start of its name."""
    known = (name for name in remote.names(repo) if ref.startswith(_copies_of(name)))
    return next(known, ref.removeprefix(refs.REMOTES_PREFIX).partition("/")[0])


def _copies_of(name: str) -> str:
    return f"{refs.REMOTES_PREFIX}{name}/"
