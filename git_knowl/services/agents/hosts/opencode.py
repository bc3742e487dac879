"""OpenCode: a plugin of ours sends what it sees, and appends what it gets."""

from __future__ import annotations

from git_knowl.services.agents import event as kinds
from git_knowl.services.agents.hosts.base import (
    ABSENT,
    DOCUMENTED,
    LONGEST_PATH,
    inner,
    text,
    told_event,
    tool_event,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from git_knowl.services.agents.event import Event, Said
    from git_knowl.services.agents.hosts.base import Payload

NAME = "opencode"
EVENTS = {
    "start": kinds.START,
    "before": kinds.BEFORE,
    "after": kinds.AFTER,
    "compacting": kinds.COMPACTED,
}
MATCHERS: dict[str, str] = {}
CAPABILITIES = {
    "index": DOCUMENTED,
    "helper": ABSENT,
    "touching": DOCUMENTED,
    "prompt": ABSENT,
    "calls": DOCUMENTED,
    "compaction": DOCUMENTED,
    "reminder": ABSENT,
    "deny": DOCUMENTED,
}


def read(name: str, payload: Payload) -> Event:
    """Return the event of one of the JSON objects that the plugin sends."""
    cwd = text(payload, "cwd", most=LONGEST_PATH)
    plain = kinds.Event(EVENTS[name], text(payload, "session"), cwd)
    if plain.kind in (kinds.BEFORE, kinds.AFTER):
        return tool_event(plain, payload, inner(payload, "args"))
    return told_event(plain, resets=True)


def answer(name: str, said: Said) -> dict[str, Any]:
    """Return the JSON object that the plugin reads."""
    del name
    told = {"context": said.context, "denied": said.denied}
    return {key: value for key, value in told.items() if value}
