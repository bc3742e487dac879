"""Which coding agent runs this process, read from the environment its host sets."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

#: Variable a host sets in the commands it runs -> (name of the host, variable of its session id).
HOSTS = {
    "CLAUDECODE": ("claude", "CLAUDE_CODE_SESSION_ID"),
    "CODEX_SANDBOX": ("codex", "CODEX_THREAD_ID"),
    "CODEX_THREAD_ID": ("codex", "CODEX_THREAD_ID"),
    "CURSOR_AGENT": ("cursor", "CURSOR_TRACE_ID"),
    "GEMINI_CLI": ("gemini", "GEMINI_SESSION_ID"),
    "COPILOT_CLI": ("copilot", "COPILOT_SESSION_ID"),
    "OPENCODE": ("opencode", "OPENCODE_SESSION_ID"),
    "AIDER": ("aider", "AIDER_SESSION_ID"),
}


def detect(environ: Mapping[str, str]) -> tuple[str | None, str | None]:
    """Return (host, session id); (None, None) when a person runs the command.

    ``KNOWL_HOST`` and ``KNOWL_SESSION`` speak for hosts that set nothing of their own.
    """
    if environ.get("KNOWL_HOST"):
        return environ["KNOWL_HOST"], environ.get("KNOWL_SESSION")
    for variable, (host, session) in HOSTS.items():
        if environ.get(variable):
            return host, environ.get(session) or environ.get("KNOWL_SESSION")
    return None, environ.get("KNOWL_SESSION")
