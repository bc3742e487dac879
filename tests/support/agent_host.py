"""A host of coding agents as the program sees one: documented events in, the answer out."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.support.cli import Knowl

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.cli import Outcome


@dataclass
class Host:
    """One session of a host in a folder; ``common`` is what every event of it carries."""

    name: str
    cwd: Path
    common: dict[str, Any] = field(default_factory=dict)

    def raw(self, event: str, data: str | bytes) -> Outcome:
        """Send bytes; whatever comes of it, the host must not have to handle an error."""
        done = Knowl(self.cwd)("agent", "hook", self.name, event, stdin=data)
        assert done.code == 0
        assert done.err == ""
        return done

    def send(self, event: str, **payload: Any) -> dict[str, Any]:
        """Send an event, and return the object that came back, {} for silence."""
        done = self.raw(event, json.dumps({**self.common, **payload}))
        return json.loads(done.out) if done.out else {}


class Claude(Host):
    """A session of Claude Code, as its documentation describes the events."""

    def __init__(self, cwd: Path, session: str = "s-1", agent: str = "") -> None:
        common = {
            "session_id": session,
            "transcript_path": "/home/kim/.claude/projects/-w/s-1.jsonl",
            "cwd": str(cwd),
            "permission_mode": "default",
            **({"agent_id": agent, "agent_type": "Explore"} if agent else {}),
        }
        super().__init__("claude", cwd, common)

    def told(self, event: str, **payload: Any) -> str:
        """Send an event and return the text for the agent, '' where there is none."""
        answer = self.send(event, hook_event_name=event, **payload)
        inner = answer.get("hookSpecificOutput", {})
        if inner:
            assert inner["hookEventName"] == event
        return str(inner.get("additionalContext", ""))

    def start(self, source: str = "startup") -> str:
        """Begin or go on with the session."""
        return self.told("SessionStart", source=source, model="m")

    def asks(self, prompt: str) -> str:
        """Have the user ask something."""
        return self.told("UserPromptSubmit", prompt=prompt, source="user")

    def edits(self, path: str, event: str = "PreToolUse", tool: str = "Edit") -> str:
        """Touch a file."""
        given = {"file_path": path, "old_string": "a", "new_string": "b"}
        return self.told(event, tool_name=tool, tool_input=given, tool_use_id="t1")

    def runs(self, line: str, event: str = "PostToolUse") -> str:
        """Run a command line."""
        given = {"command": line, "description": "does it"}
        return self.told(event, tool_name="Bash", tool_input=given, tool_response={"stdout": ""})

    def stops(self) -> str:
        """End a turn, and return what the person is told."""
        return str(self.send("Stop", stop_hook_active=False).get("systemMessage", ""))
