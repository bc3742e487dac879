"""Codex CLI: the events and objects of Claude Code, but its answers are closed: no key too many."""

from __future__ import annotations

from git_knowl.services.agents import event as kinds
from git_knowl.services.agents.hosts import claude
from git_knowl.services.agents.hosts.base import DOCUMENTED, VERIFIED, context_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from git_knowl.services.agents.event import Event, Said
    from git_knowl.services.agents.hosts.base import Payload

NAME = "codex"
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
VERSION = "0.171.0"
MATCHERS: dict[str, str] = {}
TAKES: frozenset[str] = frozenset()
CAPABILITIES = {
    "index": VERIFIED,
    "helper": VERIFIED,
    "touching": VERIFIED,
    "prompt": VERIFIED,
    "calls": VERIFIED,
    "compaction": VERIFIED,
    "reminder": DOCUMENTED,
    "deny": VERIFIED,
}


def read(name: str, payload: Payload) -> Event:
    """Return the event of one of its JSON objects."""
    return claude.read(name, payload)


def answer(name: str, said: Said) -> dict[str, Any]:
    """Return the JSON object it reads."""
    return context_answer(name, said)
