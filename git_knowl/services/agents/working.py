"""Whether what was put into the settings of a host works: whether the host reads it."""

from __future__ import annotations

from git_knowl.services.agents import plans
from git_knowl.services.agents.installing import Where, chosen, full, is_installed, read
from git_knowl.services.agents.jsonc import SettingsError
from git_knowl.services.agents.parts import Listed
from git_knowl.services.agents.plans import Step


def works(where: Where, host: str) -> bool:
    """Tell whether a host calls us, having settings that it reads here."""
    if unread(where, host) or not is_installed(where, host):
        return False
    return where.repo is None or plans.reads(host, where.places)


def unread(where: Where, host: str) -> list[str]:
    """Return what is wrong with the settings of a host, where it does not read them."""
    try:
        for step in chosen(where, host):
            check(step)
    except SettingsError as error:
        return [error.message]
    return []


def check(step: Step) -> None:
    """Raise SettingsError for settings that their host does not read."""
    part, data = step.part, read(step)
    if data is None or not isinstance(part, Listed):
        return
    try:
        part.check(data)
    except SettingsError as error:
        raise error.of(full(step)) from None
