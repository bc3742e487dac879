"""What the doctor finds in a repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_knowl.services.doctor.examine import CHECKS, perform
from tests.support.hooked import PROGRAM
from tests.support.people import person

if TYPE_CHECKING:
    from typing import Any

    from git_knowl.services.doctor.finding import Finding
    from tests.support.builders import RepoBuilder


def findings(repo: RepoBuilder, check: str, **caller: Any) -> list[Finding]:
    """Return what one check finds, nothing else having looked before."""
    return list(perform(check, CHECKS[check], person(repo, **caller), set()).findings)


def only(repo: RepoBuilder, check: str, **caller: Any) -> Finding:
    """Return the one thing a check finds."""
    (found,) = findings(repo, check, **caller)
    return found


def mend(repo: RepoBuilder, found: Finding) -> str:
    """Do what a finding offers and return what is said of it."""
    assert found.repair is not None
    return found.repair.do(person(repo), PROGRAM)
