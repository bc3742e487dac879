"""What keeps the program from doing its work here: every check with what it found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from git_knowl.errors import KnowlError
from git_knowl.services.context import Context
from git_knowl.services.doctor import clock, derived, ground, growth, hooks, inbox, locks
from git_knowl.services.doctor import remotes as remote_checks
from git_knowl.services.doctor import settings as setting_checks
from git_knowl.services.doctor import store as store_checks
from git_knowl.services.doctor.finding import Finding

Check = Callable[[Context], Iterator[Finding]]

#: Every check by the name it is reported under. What others rest on comes first, and the cache is
#: looked at before anything mends it by reading.
CHECKS: dict[str, Check] = {
    "git": ground.check_git,
    "identity": ground.check_identity,
    "settings": setting_checks.check_settings,
    "folder": ground.check_folder,
    "owner": ground.check_owner,
    "locks": locks.check_locks,
    "refs": store_checks.check_refs,
    "cache": derived.check_cache,
    "objects": store_checks.check_objects,
    "store": store_checks.check_store,
    "inbox": inbox.check_inbox,
    "clock": clock.check_clock,
    "notes": derived.check_notes,
    "names": ground.check_names,
    "symbols": ground.check_symbols,
    "growth": growth.check_growth,
    "remotes": remote_checks.check_remotes,
    "hooks": hooks.check_hooks,
    "heartbeat": hooks.check_heartbeat,
}

#: What some checks say when all is well.
TELLING: dict[str, Callable[[Context], str]] = {
    "owner": ground.told_of_owner,
    "growth": growth.told_of_growth,
    "remotes": remote_checks.told_of_remotes,
    "hooks": hooks.told_of_hooks,
    "heartbeat": hooks.told_of_heartbeat,
}
#: So many findings of one check are told; a store can be made to hold thousands.
MOST_FINDINGS = 20
REST = "they are told once the ones before them are mended; 'git knowl ls --json' lists every file"
KEPT_OUT = "not looked at: what was found above stands in the way"


@dataclass(frozen=True, slots=True)
class Examined:
    """What a check found, or what it has to say although it found nothing.

    ``is_made`` is false for a check that could not be made, for a reason found before.
    """

    check: str
    findings: tuple[Finding, ...]
    told: str = ""
    is_made: bool = True


def examine(ctx: Context) -> list[Examined]:
    """Run every check; one that cannot be run has found that, unless it was found before."""
    known: set[str] = set()
    done = []
    for name, check in CHECKS.items():
        one = perform(name, check, ctx, known)
        known |= {found.problem for found in one.findings}
        done.append(one)
    return done


def perform(name: str, check: Check, ctx: Context, known: set[str]) -> Examined:
    """Run one check; what it raises, or the system refuses, is a finding as well."""
    found: list[Finding] = []
    try:
        found += check(ctx)
        told = TELLING[name](ctx) if name in TELLING and not found else ""
    except (KnowlError, OSError) as error:
        raised = refusal(error)
        if raised.problem in known:
            return Examined(name, first_of(found), "" if found else KEPT_OUT, is_made=False)
        return Examined(name, (*first_of(found), raised))
    return Examined(name, first_of(found), told)


def first_of(found: list[Finding]) -> tuple[Finding, ...]:
    """Return the first of the findings of a check, and how many there are beyond them."""
    more = len(found) - MOST_FINDINGS
    rest = (Finding(f"and {more} more like these", REST),) if more > 0 else ()
    return (*found[:MOST_FINDINGS], *rest)


def refusal(error: KnowlError | OSError) -> Finding:
    """Return what kept a check from being made, as a finding."""
    if isinstance(error, KnowlError):
        return Finding(error.message, error.hint)
    return Finding(str(error))
