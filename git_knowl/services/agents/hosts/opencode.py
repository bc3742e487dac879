"""OpenCode: a plugin of ours sends what it sees, and appends what it gets.

A subagent is a session of its own there. Nothing can be said before a tool call, only refused.
"""

from __future__ import annotations

from git_knowl.services.agents import event as kinds
from git_knowl.services.agents.hosts.base import (
    ABSENT,
    LONGEST_PATH,
    LONGEST_PROMPT,
    VERIFIED,
    command_of,
    inner,
    shell_event,
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
    "helper": kinds.HELPER,
    "prompt": kinds.PROMPT,
    "before": kinds.BEFORE,
    "after": kinds.AFTER,
    "compacting": kinds.COMPACTED,
}
VERSION = "1.18.33"
MATCHERS: dict[str, str] = {}
TAKES: frozenset[str] = frozenset()
CAPABILITIES = {
    "index": VERIFIED,
    "helper": VERIFIED,
    "touching": VERIFIED,
    "prompt": VERIFIED,
    "calls": VERIFIED,
    "compaction": VERIFIED,
    "reminder": ABSENT,
    "deny": VERIFIED,
}


def read(name: str, payload: Payload) -> Event:
    """Return the event of one of the JSON objects that the plugin sends."""
    cwd = text(payload, "cwd", most=LONGEST_PATH)
    plain = kinds.Event(EVENTS[name], text(payload, "session"), cwd)
    given = inner(payload, "args")
    if plain.kind == kinds.BEFORE:
        return shell_event(plain, command_of(given, text(payload, "tool")))
    if plain.kind == kinds.AFTER:
        return tool_event(plain, payload, given)
    prompt = text(payload, "prompt", most=LONGEST_PROMPT)
    return told_event(plain, prompt=prompt, resets=plain.kind != kinds.PROMPT)


def answer(name: str, said: Said) -> dict[str, Any]:
    """Return the JSON object that the plugin reads."""
    del name
    told = {"context": said.context, "denied": said.denied}
    return {key: value for key, value in told.items() if value}
