"""Copilot CLI: texts stand at the top of its answers, and a failing hook refuses the tool."""

from __future__ import annotations

from git_knowl.services.agents import event as kinds
from git_knowl.services.agents.hosts.base import (
    ABSENT,
    LONGEST_PATH,
    LONGEST_PROMPT,
    VERIFIED,
    inner,
    is_nobody,
    text,
    told_event,
    tool_event,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from git_knowl.services.agents.event import Event, Said
    from git_knowl.services.agents.hosts.base import Payload

NAME = "copilot"
EVENTS = {
    "sessionStart": kinds.START,
    "subagentStart": kinds.HELPER,
    "userPromptSubmitted": kinds.PROMPT,
    "preToolUse": kinds.BEFORE,
    "postToolUse": kinds.AFTER,
    "preCompact": kinds.COMPACTED,
    "subagentStop": kinds.END,
    "sessionEnd": kinds.END,
}
VERSION = "1.0.102"
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
FRESH = ("startup", "new")


def read(name: str, payload: Payload) -> Event:
    """Return the event of one of its JSON objects."""
    plain = kinds.Event(
        EVENTS[name],
        session=text(payload, "sessionId", "session_id"),
        cwd=text(payload, "workingDirectory", "cwd", most=LONGEST_PATH),
        agent=text(payload, "agentId"),
    )
    if plain.kind in (kinds.BEFORE, kinds.AFTER):
        given = inner(payload, "toolArgs", "toolInput", "tool_input")
        result = text(inner(payload, "toolResult"), "resultType")
        if result not in ("", "success"):
            return kinds.NOTHING_OF_OURS
        return tool_event(plain, payload, given)
    if is_nobody(name, plain):
        return kinds.NOTHING_OF_OURS
    prompt = text(payload, "prompt", "initialPrompt", most=LONGEST_PROMPT)
    return told_event(plain, prompt=prompt, resets=text(payload, "source") in FRESH)


def answer(name: str, said: Said) -> dict[str, Any]:
    """Return the JSON object it reads."""
    del name
    if said.denied:
        return {"permissionDecision": "deny", "permissionDecisionReason": said.denied}
    return {"additionalContext": said.context} if said.context else {}
