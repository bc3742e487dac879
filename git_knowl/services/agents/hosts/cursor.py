"""Cursor: text reaches the agent at the start of a session only; shell commands can be refused."""

from __future__ import annotations

from git_knowl.services.agents import event as kinds
from git_knowl.services.agents.hosts.base import (
    ABSENT,
    DOCUMENTED,
    LONGEST_COMMAND,
    LONGEST_PATH,
    text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from git_knowl.services.agents.event import Event, Said
    from git_knowl.services.agents.hosts.base import Payload

NAME = "cursor"
EVENTS = {
    "sessionStart": kinds.START,
    "beforeShellExecution": kinds.BEFORE,
    "sessionEnd": kinds.END,
}
VERSION = ""
MATCHERS: dict[str, str] = {}
TAKES: frozenset[str] = frozenset()
CAPABILITIES = {
    "index": DOCUMENTED,
    "helper": ABSENT,
    "touching": ABSENT,
    "prompt": ABSENT,
    "calls": ABSENT,
    "compaction": ABSENT,
    "reminder": ABSENT,
    "deny": DOCUMENTED,
}


def read(name: str, payload: Payload) -> Event:
    """Return the event of one of its JSON objects; no files, for it shows no text about them."""
    roots = payload.get("workspace_roots")
    root = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    return kinds.Event(
        EVENTS[name],
        session=text(payload, "conversation_id", "session_id"),
        cwd=text(payload, "cwd", most=LONGEST_PATH) or root[:LONGEST_PATH],
        command=text(payload, "command", most=LONGEST_COMMAND),
        resets=True,
    )


def answer(name: str, said: Said) -> dict[str, Any]:
    """Return the JSON object it reads."""
    if name == "beforeShellExecution":
        refused = {"permission": "deny", "user_message": said.denied, "agent_message": said.denied}
        return refused if said.denied else {}
    return {"additional_context": said.context} if said.context else {}
