"""Which hosts there are; a profile is loaded when its host calls."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from git_knowl.services.agents.hosts.base import Profile

#: Name on the command line -> how people call it.
HOSTS = {
    "claude": "Claude Code",
    "codex": "Codex CLI",
    "cursor": "Cursor",
    "gemini": "Gemini CLI",
    "copilot": "Copilot CLI",
    "opencode": "OpenCode",
}


def profile(host: str) -> Profile:
    """Return the profile of a host; raises KeyError for a name that is none."""
    HOSTS[host]
    name = f"git_knowl.services.agents.hosts.{host}"
    module: Any = __import__(name, fromlist=["read"])
    found: Profile = module
    return found
