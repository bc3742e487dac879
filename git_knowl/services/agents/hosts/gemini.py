"""Gemini CLI: no text before a tool call, so files are told right after it.

It tells of a compaction before every turn, as of something that may come, so only the one a person
asks for is taken for one. What a start says is put before the first question, and comes back in it.
"""

from __future__ import annotations

from git_knowl.services.agents import event as kinds
from git_knowl.services.agents.hosts.base import (
    ABSENT,
    COMMENTS,
    DOCUMENTED,
    LONGEST_COMMAND,
    LONGEST_PATH,
    LONGEST_PROMPT,
    VERIFIED,
    context_answer,
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

NAME = "gemini"
EVENTS = {
    "SessionStart": kinds.START,
    "BeforeAgent": kinds.PROMPT,
    "BeforeTool": kinds.BEFORE,
    "AfterTool": kinds.AFTER,
    "PreCompress": kinds.COMPACTED,
    "AfterAgent": kinds.STOP,
    "SessionEnd": kinds.END,
}
VERSION = "0.61.0"
#: Of the tools only the shell is asked for before a call, of the compactions only the wanted ones.
MATCHERS = {"BeforeTool": "run_shell_command", "PreCompress": "manual"}
TAKES = frozenset((COMMENTS,))
CAPABILITIES = {
    "index": VERIFIED,
    "helper": ABSENT,
    "touching": VERIFIED,
    "prompt": VERIFIED,
    "calls": VERIFIED,
    "compaction": DOCUMENTED,
    "reminder": DOCUMENTED,
    "deny": VERIFIED,
}
FRESH = ("startup", "clear")
#: What stands between a text of a hook and what the user wrote.
AFTER_CONTEXT = "</hook_context>"


def read(name: str, payload: Payload) -> Event:
    """Return the event of one of its JSON objects."""
    cwd = text(payload, "cwd", most=LONGEST_PATH)
    plain = kinds.Event(EVENTS[name], text(payload, "session_id"), cwd)
    if plain.kind == kinds.AFTER:
        failed = bool(inner(payload, "tool_response").get("error"))
        given = inner(payload, "tool_input")
        return kinds.NOTHING_OF_OURS if failed else tool_event(plain, payload, given)
    if plain.kind == kinds.BEFORE:
        given = inner(payload, "tool_input")
        return shell_event(plain, text(given, "command", most=LONGEST_COMMAND))
    if plain.kind == kinds.COMPACTED and text(payload, "trigger") != "manual":
        return kinds.NOTHING_OF_OURS
    return told_event(plain, prompt=question(payload), resets=text(payload, "source") in FRESH)


def question(payload: Payload) -> str:
    """Return what the user wrote, without the text of a hook that is put before it."""
    prompt = text(payload, "prompt", most=LONGEST_PROMPT)
    return prompt.rpartition(AFTER_CONTEXT)[2] if prompt.startswith("<hook_context>") else prompt


def answer(name: str, said: Said) -> dict[str, Any]:
    """Return the JSON object it reads."""
    if said.denied:
        return {"decision": "deny", "reason": said.denied}
    return context_answer(name, said)
