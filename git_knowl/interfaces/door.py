"""The composition root of every door: the one place that reads the world."""

from __future__ import annotations

import os
import sys

from git_knowl.errors import KnowlError
from git_knowl.interfaces.clock import clock
from git_knowl.interfaces.hosts import detect
from git_knowl.services.context import Caller, Context

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from git_knowl.plumbing.repository import Repository


class NoFolderError(KnowlError):
    """The caller stands nowhere."""


def open_context() -> Context:
    """Find the repository of the current folder and say who is asking."""
    from git_knowl.plumbing.repository import discover

    cwd = current_folder()
    repo = discover(cwd, os.environ)
    return Context(repo, make_caller(repo, cwd), after_write)


def after_write(ctx: Context) -> None:
    """Bring up what follows the entries; what that loads nobody else needs."""
    from git_knowl.services.afterwards import keep_up

    keep_up(ctx)


def current_folder() -> str:
    """Return where the caller stands; raises NoFolderError when that was removed."""
    try:
        return os.getcwd()
    except FileNotFoundError as error:
        raise NoFolderError("the current folder was removed", "go to another one") from error


def make_caller(repo: Repository, cwd: str) -> Caller:
    """Describe the person, host and terminal of this process."""
    host, session = detect(os.environ)
    return Caller(
        identify=identity_of(repo),
        host=host,
        session=scrubbed(session) if session else None,
        terminal=has_terminal(),
        cwd=cwd,
        clock=clock,
        entropy=os.urandom,
    )


def identity_of(repo: Repository) -> Callable[[], str | None]:
    """Return a question to git that is asked once, when somebody wants to know."""
    known: list[str | None] = []

    def identify() -> str | None:
        from git_knowl.plumbing.config import identity_or_none

        if not known:
            known.append(identity_or_none(repo))
        return known[0]

    return identify


def scrubbed(session: str) -> str:
    """Return the name of a session without secrets; their patterns are loaded for nobody else."""
    from git_knowl.services.filters.secrets import scrub

    return scrub(session).text


def has_terminal() -> bool:
    """Tell whether a person can be asked: errors and one of input and output are a terminal."""
    return sys.stderr.isatty() and (sys.stdin.isatty() or sys.stdout.isatty())
