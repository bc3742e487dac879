"""What keeps the program from doing its work here: every check with what it found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from git_knowl.errors import KnowlError
from git_knowl.services.context import Context
from git_knowl.services.doctor import hooks as doctor_hooks
from git_knowl.services.doctor import store as doctor_store
from git_knowl.services.doctor.finding import Finding

Check = Callable[[Context], Iterator[Finding]]

#: Every check by the name it is reported under.
CHECKS: dict[str, Check] = {
    "git": doctor_store.check_git,
    "identity": doctor_store.check_identity,
    "settings": doctor_store.check_settings,
    "folder": doctor_store.check_folder,
    "store": doctor_store.check_store,
    "cache": doctor_store.check_cache,
    "symbols": doctor_store.check_symbols,
    "remotes": doctor_store.check_remotes,
    "hooks": doctor_hooks.check_hooks,
    "heartbeat": doctor_hooks.check_heartbeat,
}

#: What some checks say when all is well.
TELLING: dict[str, Callable[[Context], str]] = {
    "hooks": doctor_hooks.told_of_hooks,
    "heartbeat": doctor_hooks.told_of_heartbeat,
}


@dataclass(frozen=True, slots=True)
class Examined:
    """What a check found, or what it has to say although all is well."""

    check: str
    findings: tuple[Finding, ...]
    told: str = ""


def examine(ctx: Context) -> list[Examined]:
    """Run every check; one that cannot be run has found that."""
    return [perform(name, check, ctx) for name, check in CHECKS.items()]


def perform(name: str, check: Check, ctx: Context) -> Examined:
    """Run one check; what it raises, or the system refuses, is a finding as well."""
    try:
        found = tuple(check(ctx))
    except KnowlError as error:
        found = (Finding(error.message, error.hint),)
    except OSError as error:
        found = (Finding(str(error)),)
    return Examined(name, found, TELLING[name](ctx) if name in TELLING and not found else "")
