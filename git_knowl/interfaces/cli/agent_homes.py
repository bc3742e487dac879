"""Where the hosts of coding agents keep what a user has in all repositories."""

from __future__ import annotations

import os

#: Variable that moves the folder of a host, and the folder below that; else the one below home.
FOLDERS = {
    "claude": ("CLAUDE_CONFIG_DIR", "", ".claude"),
    "codex": ("CODEX_HOME", "", ".codex"),
    "cursor": ("", "", ".cursor"),
    "gemini": ("GEMINI_CLI_HOME", ".gemini", ".gemini"),
    "copilot": ("COPILOT_HOME", "", ".copilot"),
    "opencode": ("XDG_CONFIG_HOME", "opencode", ".config/opencode"),
}


def homes() -> dict[str, str]:
    """Return the folder of every host for this user."""
    return {host: _home(*told) for host, told in FOLDERS.items()}


def _home(variable: str, below: str, usual: str) -> str:
    moved = os.environ.get(variable)
    return os.path.join(moved, below) if moved else os.path.join(os.path.expanduser("~"), usual)
