"""Gemini CLI: no text before a tool call, so files are told right after it."""

from __future__ import annotations

from git_knowl.services.agents import event as kinds
from git_knowl.services.agents.hosts.base import (
    ABSENT,
    DOCUMENTED,
    LONGEST_PATH,
    LONGEST_PROMPT,
    context_answer,
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

NAME = "gemini"
EVENTS = {
    "SessionStart": kinds.START,
    "BeforeAgent": kinds.PROMPT,
    "AfterTool": kinds.AFTER,
    "PreCompress": kinds.COMPACTED,
    "AfterAgent": kinds.STOP,
    "SessionEnd": kinds.END,
}
MATCHERS: dict[str, str] = {}
CAPABILITIES = {
    "index": DOCUMENTED,
    "helper": ABSENT,
    "touching": DOCUMENTED,
    "prompt": DOCUMENTED,
    "calls": DOCUMENTED,
    "compaction": DOCUMENTED,
    "reminder": DOCUMENTED,
    "deny": DOCUMENTED,
}
FRESH = ("startup", "clear")


def read(name: str, payload: Payload) -> Event:
    """Return the event of one of its JSON objects."""
    cwd = text(payload, "cwd", most=LONGEST_PATH)
    plain = kinds.Event(EVENTS[name], text(payload, "session_id"), cwd)
    if plain.kind == kinds.AFTER:
        failed = bool(inner(payload, "tool_response").get("error"))
        given = inner(payload, "tool_input")
        return kinds.NOTHING_OF_OURS if failed else tool_event(plain, payload, given)
    prompt = text(payload, "prompt", most=LONGEST_PROMPT)
    return told_event(plain, prompt=prompt, resets=text(payload, "source") in FRESH)


def answer(name: str, said: Said) -> dict[str, Any]:
    """Return the JSON object it reads."""
    return context_answer(name, said)
