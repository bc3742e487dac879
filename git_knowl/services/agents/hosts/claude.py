"""Claude Code: hooks in its settings, JSON on standard input, JSON on standard output."""

from __future__ import annotations

from git_knowl.services.agents import event as kinds
from git_knowl.services.agents.hosts.base import (
    LONGEST_PATH,
    LONGEST_PROMPT,
    VERIFIED,
    context_answer,
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

NAME = "claude"
EVENTS = {
    "SessionStart": kinds.START,
    "SubagentStart": kinds.HELPER,
    "UserPromptSubmit": kinds.PROMPT,
    "PreToolUse": kinds.BEFORE,
    "PostToolUse": kinds.AFTER,
    "Stop": kinds.STOP,
    "SubagentStop": kinds.END,
    "SessionEnd": kinds.END,
}
VERSION = "2.1.332"
#: Which tools an event is asked for; the others are not worth a process.
MATCHERS = {"PreToolUse": "Read|Edit|MultiEdit|Write|NotebookEdit"}
TAKES: frozenset[str] = frozenset()
CAPABILITIES = {
    "index": VERIFIED,
    "helper": VERIFIED,
    "touching": VERIFIED,
    "prompt": VERIFIED,
    "calls": VERIFIED,
    "compaction": VERIFIED,
    "reminder": VERIFIED,
    "deny": VERIFIED,
}
#: Sources of a session start after which nothing is left of what was told before.
FRESH = ("startup", "clear", "compact")


def read(name: str, payload: Payload) -> Event:
    """Return the event of one of its JSON objects."""
    plain = kinds.Event(
        EVENTS[name],
        session=text(payload, "session_id"),
        cwd=text(payload, "cwd", most=LONGEST_PATH),
        agent=text(payload, "agent_id"),
    )
    if plain.kind in (kinds.BEFORE, kinds.AFTER):
        return tool_event(plain, payload, inner(payload, "tool_input"))
    if is_nobody(name, plain):
        return kinds.NOTHING_OF_OURS
    prompt = text(payload, "prompt", most=LONGEST_PROMPT)
    return told_event(plain, prompt=prompt, resets=text(payload, "source") in FRESH)


def answer(name: str, said: Said) -> dict[str, Any]:
    """Return the JSON object it reads."""
    return context_answer(name, said)
